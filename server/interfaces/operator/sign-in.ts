import { toApiSession } from "./convert-session.ts";
import { operation } from "./operation.ts";

export const signIn = operation(
  "signIn",
  async ({ body: { email, password }, principal: { cookieOf, ...origin } }, services, answer) => {
    const { token, signedIn } = await services.people.sessions.signIn({ email, password, ...origin });
    return answer(200, toApiSession(signedIn, services), { "Set-Cookie": cookieOf(token) });
  },
);
