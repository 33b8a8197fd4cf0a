import { toApiSession, toProof } from "./convert-session.ts";
import { operation } from "./operation.ts";

export const giveFactor = operation(
  "giveFactor",
  async ({ body, principal: { signedIn, visit } }, services, answer) => {
    const proved = await services.people.sessions.giveFactor(signedIn, toProof(body), visit);
    return answer(200, toApiSession(proved.signedIn, services), {
      "Set-Cookie": visit.cookieOf(proved.token),
    });
  },
);
