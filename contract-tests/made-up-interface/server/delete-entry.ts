import { NotFoundError } from "../../errors.ts";
import { operation } from "./operation.ts";

export const deleteEntry = operation("deleteEntry", async ({ path }, { entries }, answer) => {
  if (!entries.delete(path.id)) throw new NotFoundError("entry", path.id);
  return answer(204);
});
