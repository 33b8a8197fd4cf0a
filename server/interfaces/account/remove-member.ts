import { NotFoundError } from "../../errors.ts";
import { parseId } from "../../ids.ts";
import { actorOf } from "../visitor.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const removeMember = operation("removeMember", async ({ path, principal }, { people }, answer) => {
  const { signedIn } = principal;
  const { accountId } = membershipOf(signedIn.memberships, path.accountId);
  const userId = parseId("usr", path.userId);
  if (userId === null) throw new NotFoundError("user", path.userId);
  people.sessions.requireRecentFactor(signedIn);
  await people.removeMember(userId, accountId, actorOf(principal));
  return answer(204);
});
