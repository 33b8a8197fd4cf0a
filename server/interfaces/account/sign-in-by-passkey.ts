import { toPasskeyProof } from "./convert-passkey.ts";
import { toApiSession } from "./convert-session.ts";
import { operation } from "./operation.ts";

export const signInByPasskey = operation(
  "signInByPasskey",
  async ({ body, principal: { cookieOf, ...origin } }, { people, clock }, answer) => {
    const { token, signedIn } = await people.sessions.signInByPasskey(toPasskeyProof(body), origin);
    return answer(200, toApiSession(signedIn, clock()), { "Set-Cookie": cookieOf(token) });
  },
);
