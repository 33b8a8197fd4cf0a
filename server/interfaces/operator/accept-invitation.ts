import { operation } from "./operation.ts";

export const acceptInvitation = operation(
  "acceptInvitation",
  async ({ body: { token, password, name = null }, principal: { address } }, { people }) => {
    const { email } = await people.invitations.accept({ token, password, name, address });
    return { email };
  },
);
