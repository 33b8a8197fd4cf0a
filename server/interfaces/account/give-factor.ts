import { toApiSession, toProof } from "./convert-session.ts";
import { operation } from "./operation.ts";

export const giveFactor = operation(
  "giveFactor",
  async ({ body, principal: { signedIn, visit } }, { people, clock }, answer) => {
    const proved = await people.sessions.giveFactor(signedIn, toProof(body), visit);
    return answer(200, toApiSession(proved.signedIn, clock()), {
      "Set-Cookie": visit.cookieOf(proved.token),
    });
  },
);
