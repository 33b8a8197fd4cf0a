import { NotFoundError } from "../../errors.ts";
import { parseId } from "../../ids.ts";
import { actorOf } from "../visitor.ts";
import { operation } from "./operation.ts";

export const endSession = operation("endSession", async ({ path, principal }, { people }, answer) => {
  const sessionId = parseId("ses", path.sessionId);
  if (sessionId === null) throw new NotFoundError("session", path.sessionId);
  await people.sessions.end(sessionId, actorOf(principal));
  return answer(204);
});
