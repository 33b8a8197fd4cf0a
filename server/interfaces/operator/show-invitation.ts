import { toApiInvitation } from "./convert-session.ts";
import { operation } from "./operation.ts";

export const showInvitation = operation("showInvitation", async ({ body }, { people }) =>
  toApiInvitation(await people.invitations.show(body.token)),
);
