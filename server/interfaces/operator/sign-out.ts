import { operation } from "./operation.ts";

export const signOut = operation(
  "signOut",
  async ({ principal: { signedIn, visit } }, { people }, answer) => {
    await people.sessions.signOut(signedIn);
    return answer(204, undefined, { "Set-Cookie": visit.cookieOf(null) });
  },
);
