import type { OperatorRole } from "../../../server/people/person.ts";
import { updateFactorTime } from "../../../server/people/session-store.ts";
import {
  addOperator,
  addPasskey,
  openConsole,
  signInOperator,
  tokenOf,
} from "../../../server/testing/test-people.ts";
import type { FuzzedInterface, ShopToFill } from "../../fuzz/fuzzed-interface.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Operators and sessions that requests find in the shop. */
export const FUZZ_DATA: Partial<FuzzedInterface> = {
  callers: [
    { credential: "SHOP_CONSOLE_ADMIN", scopes: ["signed-in", "viewer", "support", "finance", "admin"] },
    { credential: "SHOP_CONSOLE_FINANCE", scopes: ["signed-in", "viewer", "finance"] },
    { credential: "SHOP_CONSOLE_SUPPORT", scopes: ["signed-in", "viewer", "support"] },
    { credential: "SHOP_CONSOLE_VIEWER", scopes: ["signed-in", "viewer"] },
  ],
  revoked: "SHOP_CONSOLE_ENDED",
  endsCaller: { signOut: "SHOP_CONSOLE_LEAVING" },
  // Codes and passwords are made up, so they are wrong, and after some the network of all requests has to wait.
  furtherStatuses: {
    giveFactor: [403, 429],
    stepUp: [403, 429],
    changePassword: [429],
    confirmTotp: [403],
  },
  findsPathsFirst: true,
  byName: {
    email: { values: ["SHOP_OPERATOR_EMAIL"], percent: 50 },
    password: { values: ["SHOP_OPERATOR_PASSWORD"], percent: 50 },
    token: { values: ["SHOP_OPERATOR_INVITATION"], percent: 60 },
  },
  byParameter: {
    "removeOperator userId": { values: ["SHOP_OPERATOR_REMOVED"], percent: 75 },
    "endSession sessionId": { values: ["SHOP_CONSOLE_FOREIGN"], percent: 75 },
  },
  // Passwords that are too short, names of spaces and e-mails that are none are refused by the use case.
  mayBeRefused: ({ operationId }) =>
    ["acceptInvitation", "changePassword", "inviteOperator"].includes(operationId),
  async prepare(shop) {
    const admin = await addSession(shop, "admin");
    const ended = await addSession(shop, "viewer");
    await shop.people.endSessions(ended.email);
    const invited = await shop.people.operators.invitations.inviteOperator("invited@shop.example", "viewer");
    const foreign = await signInOperator(shop, await addOperator(shop, "viewer"));
    return {
      SHOP_CONSOLE_ADMIN: admin.token,
      SHOP_CONSOLE_FINANCE: (await addSession(shop, "finance")).token,
      SHOP_CONSOLE_SUPPORT: (await addSession(shop, "support")).token,
      SHOP_CONSOLE_VIEWER: (await addSession(shop, "viewer")).token,
      SHOP_CONSOLE_LEAVING: (await addSession(shop, "viewer")).token,
      SHOP_CONSOLE_ENDED: ended.token,
      SHOP_CONSOLE_FOREIGN: foreign.signedIn.session.sessionId,
      SHOP_OPERATOR_REMOVED: (await addOperator(shop, "viewer")).userId,
      SHOP_OPERATOR_EMAIL: admin.email,
      SHOP_OPERATOR_PASSWORD: admin.password,
      SHOP_OPERATOR_INVITATION: tokenOf(invited.link),
    };
  },
};

/** An operator who has just proved who they are, and for as long as requests may take; with the app away a passkey is left. */
async function addSession(shop: ShopToFill, role: OperatorRole) {
  const { email, password } = await addOperator(shop, role);
  const session = await openConsole(shop, { email, password });
  await addPasskey(shop, session);
  const { token, signedIn } = session;
  await updateFactorTime(shop.database, signedIn.session.sessionId, shop.clock() + DAY_MS);
  return { token, email, password };
}
