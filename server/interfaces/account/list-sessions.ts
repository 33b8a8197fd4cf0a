import { toApiSessions } from "../convert-session.ts";
import { operation } from "./operation.ts";

export const listSessions = operation("listSessions", async ({ principal: { signedIn } }, { people }) =>
  toApiSessions(await people.sessions.list(signedIn.user.userId), signedIn),
);
