import { NotFoundError } from "../../errors.ts";
import { toApiEntry } from "./convert-entry.ts";
import { operation } from "./operation.ts";

export const getEntry = operation("getEntry", async ({ path }, { entries }) => {
  const entry = entries.get(path.id);
  if (entry === undefined) throw new NotFoundError("entry", path.id);
  return toApiEntry(entry);
});
