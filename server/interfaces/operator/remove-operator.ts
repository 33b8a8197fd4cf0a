import { NotFoundError } from "../../errors.ts";
import { parseId } from "../../ids.ts";
import { operation } from "./operation.ts";

export const removeOperator = operation(
  "removeOperator",
  async ({ path, principal: { signedIn } }, { people }, answer) => {
    people.sessions.requireRecentFactor(signedIn);
    const userId = parseId("usr", path.userId);
    if (userId === null) throw new NotFoundError("operator", path.userId);
    await people.remove(userId);
    return answer(204);
  },
);
