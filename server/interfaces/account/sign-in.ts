import { toApiSession } from "./convert-session.ts";
import { operation } from "./operation.ts";

export const signIn = operation(
  "signIn",
  async ({ body: { email, password }, principal: { cookieOf, ...origin } }, { people, clock }, answer) => {
    const { token, signedIn } = await people.sessions.signIn({ email, password, ...origin });
    return answer(200, toApiSession(signedIn, clock()), { "Set-Cookie": cookieOf(token) });
  },
);
