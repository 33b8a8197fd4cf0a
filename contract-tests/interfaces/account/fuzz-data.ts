import type { AccountId, OrderId } from "../../../server/ids.ts";
import type { Role } from "../../../server/people/person.ts";
import { updateFactorTime } from "../../../server/people/session-store.ts";
import type { NewSession } from "../../../server/people/sessions.ts";
import {
  addPasskey,
  addPerson,
  newOrigin,
  signIn,
  TEST_ORIGIN,
  tokenOf,
} from "../../../server/testing/test-people.ts";
import type { FuzzedInterface, ShopToFill } from "../../fuzz/fuzzed-interface.ts";
import type { ShopNames } from "../../fuzz/request.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const OVERLAP_MS = 60 * 60 * 1000;

const OWN_ACCOUNT = { values: ["SHOP_ACCOUNT"], percent: 100 };
/** A key for each operation, so that what one does to a key does not change what another finds. */
const KEY_OF: Readonly<Record<string, string>> = {
  getKey: "SHOP_KEYID_READ",
  changeKey: "SHOP_KEYID_CHANGED",
  rotateKey: "SHOP_KEYID_ROTATED",
  revokeKey: "SHOP_KEYID_REVOKED",
  endKeyOverlap: "SHOP_KEYID_OVERLAP",
};
/** What is asked of a period. */
const BY_PERIOD = [
  ...["getSpendStatistics", "getOrderStatistics", "getCallStatistics"],
  ...["exportOrders", "exportLedger", "exportUsage", "exportActivity"],
];
const OF_ACCOUNTS = [
  ...["getOverview", "listKeys", "createKey", "listOrders", "getOrder", "listLedger", "getStatement"],
  ...["listMembers", "inviteMember", "removeMember", "listActivity", "revealOrderCodes"],
  ...["getSettings", "changeSettings"],
  ...BY_PERIOD,
  ...Object.keys(KEY_OF),
];
const ORDERS = ["SHOP_ORDER_OWN_1", "SHOP_ORDER_OWN_2", "SHOP_ORDER_OWN_3"] as const;
const FOREIGN_KEY = "SHOP_KEYID_FOREIGN";

/** People, sessions and keys that requests find in the shop. */
export const FUZZ_DATA: Partial<FuzzedInterface> = {
  callers: [
    { credential: "SHOP_SESSION_OWNER", scopes: ["signed-in", "member", "developer", "billing", "owner"] },
    { credential: "SHOP_SESSION_DEVELOPER", scopes: ["signed-in", "member", "developer"] },
    { credential: "SHOP_SESSION_BILLING", scopes: ["signed-in", "member", "billing"] },
  ],
  revoked: "SHOP_SESSION_ENDED",
  endsCaller: { signOut: "SHOP_SESSION_LEAVING" },
  // Codes and passwords are made up, so they are wrong, and after some the network of all requests has to wait.
  furtherStatuses: {
    giveFactor: [403, 429],
    stepUp: [403, 429],
    changePassword: [429],
    confirmTotp: [403],
    beginPasskeySignIn: [429],
    signInByPasskey: [401, 429],
    stepUpByPasskey: [403, 429],
    addPasskey: [403],
  },
  neverTold: ["endKeyOverlap replacedAt", "revokeKey replacedAt"],
  findsPathsFirst: true,
  byName: {
    email: { values: ["SHOP_EMAIL"], percent: 50 },
    password: { values: ["SHOP_PASSWORD"], percent: 50 },
    token: { values: ["SHOP_INVITATION"], percent: 60 },
  },
  byParameter: {
    ...Object.fromEntries(OF_ACCOUNTS.map((operationId) => [`${operationId} accountId`, OWN_ACCOUNT])),
    ...Object.fromEntries(
      Object.entries(KEY_OF).map(([operationId, key]) => [
        `${operationId} keyId`,
        { values: [key, key, FOREIGN_KEY], percent: 75 },
      ]),
    ),
    "listOrders cursor": { values: ["SHOP_CURSOR_ORDERS"], percent: 75 },
    "listOrders externalOrderId": { values: ORDERS.map((name) => name.toLowerCase()), percent: 75 },
    "getOrder orderId": { values: [...ORDERS, "SHOP_ORDER_OWN_FOREIGN"], percent: 75 },
    ...Object.fromEntries(
      ["listOrders", "listLedger", "listActivity"].flatMap((operationId) => [
        [
          `${operationId} from`,
          { values: ["2026-11-01T00:00:00Z", "2030-01-01T00:00:00.5+05:45"], percent: 75 },
        ],
        [`${operationId} to`, { values: ["2033-01-01T00:00:00Z", "2031-06-01T00:00:00-03:30"], percent: 75 }],
      ]),
    ),
    ...Object.fromEntries(
      BY_PERIOD.flatMap((operationId) => [
        [`${operationId} from`, { values: ["2026-11-01T00:00:00Z", "2020-01-01T00:15:00Z"], percent: 75 }],
        [`${operationId} to`, { values: ["2031-06-01T00:00:00Z", "2033-01-01T00:30:00Z"], percent: 75 }],
        [`${operationId} timeZone`, { values: ["UTC", "Asia/Kathmandu"], percent: 75 }],
        [`${operationId} granularity`, { values: ["P1M", "P1D", "PT1H"], percent: 75 }],
      ]),
    ),
    "changeSettings timeZone": { values: ["UTC", "Asia/Kathmandu"], percent: 75 },
    // The first of the orders is refunded.
    "revealOrderCodes orderId": { values: [...ORDERS.slice(1), ORDERS[0]], percent: 75 },
    "listActivity cursor": { values: ["SHOP_CURSOR_ACTIVITY"], percent: 75 },
    "listActivity action": { values: ["key_rotated", "signed_in", "codes_shown"], percent: 75 },
    "listActivity userId": { values: ["SHOP_USERID_MEMBER", "SHOP_USERID_FOREIGN"], percent: 75 },
    "listLedger cursor": { values: ["led_1", "led_2", "led_999"], percent: 75 },
    "getStatement month": { values: ["2026-11", "2031-05", "1999-12"], percent: 75 },
    "getStatement timeZone": { values: ["UTC", "Asia/Kathmandu", "Europe/Berlin"], percent: 75 },
    "removeMember userId": { values: ["SHOP_USERID_MEMBER", "SHOP_USERID_FOREIGN"], percent: 75 },
    "renamePasskey passkeyId": { values: ["SHOP_PASSKEY", "SHOP_PASSKEY_FOREIGN"], percent: 75 },
    "removePasskey passkeyId": { values: ["SHOP_PASSKEY_REMOVED", "SHOP_PASSKEY_FOREIGN"], percent: 75 },
    "endSession sessionId": { values: ["SHOP_SESSIONID_FOREIGN"], percent: 75 },
  },
  // Caps of nothing, times that are over, names of spaces, zones and cursors that are none are refused by the use case.
  mayBeRefused: ({ operationId }, { query }) =>
    [
      ...["createKey", "changeKey", "acceptInvitation", "changePassword", "getStatement", "inviteMember"],
      ...["addPasskey", "renamePasskey", "changeSettings", ...BY_PERIOD],
    ].includes(operationId) || query.some(([name]) => name === "cursor"),
  async prepare(shop) {
    const [accountId, other] = [await shop.addAccount(), await shop.addAccount()];
    const owner = await addSession(shop, accountId, "owner");
    const ended = await addSession(shop, accountId, "owner");
    await shop.people.endSessions(ended.email);
    const invited = await shop.people.invitations.invite("invited@buyer.example", accountId, "billing");
    const foreign = await addSession(shop, other, "owner");
    return {
      SHOP_ACCOUNT: accountId,
      ...(await addPasskeys(shop, owner, foreign)),
      SHOP_SESSION_OWNER: owner.token,
      SHOP_SESSION_DEVELOPER: (await addSession(shop, accountId, "developer")).token,
      SHOP_SESSION_BILLING: (await addSession(shop, accountId, "billing")).token,
      SHOP_SESSION_LEAVING: (await addSession(shop, accountId, "owner")).token,
      SHOP_SESSION_ENDED: ended.token,
      SHOP_SESSIONID_FOREIGN: foreign.sessionId,
      SHOP_USERID_MEMBER: (await addPerson(shop, accountId, "developer")).userId,
      SHOP_USERID_FOREIGN: (await addPerson(shop, other)).userId,
      SHOP_EMAIL: owner.email,
      SHOP_PASSWORD: owner.password,
      SHOP_INVITATION: tokenOf(invited.link),
      ...(await addKeys(shop, accountId)),
      ...(await addOrders(shop, accountId, other)),
      [FOREIGN_KEY]: (await shop.addKey(other)).keyId,
    };
  },
};

/** A person who has just proved who they are, and for as long as requests may take. */
async function addSession(shop: ShopToFill, accountId: AccountId, role: Role) {
  const person = await addPerson(shop, accountId, role);
  const { token, signedIn } = await signIn(shop, person);
  const { sessionId } = signedIn.session;
  await updateFactorTime(shop.database, sessionId, shop.clock() + DAY_MS);
  return { token, sessionId, signedIn, email: person.email, password: person.password };
}

/** Passkeys of who is signed in, of which one was used, and one of another. */
async function addPasskeys(shop: ShopToFill, own: NewSession, foreign: NewSession): Promise<ShopNames> {
  const idOf = async (session: NewSession) => (await addPasskey(shop, session)).passkey.passkeyId;
  const { authenticator, passkey } = await addPasskey(shop, own);
  const { challenge } = await shop.people.passkeys.beginSignIn(newOrigin().address);
  const proof = authenticator.sign({ challenge, origin: TEST_ORIGIN });
  await shop.people.sessions.signInByPasskey(proof, newOrigin());
  return {
    SHOP_PASSKEY: passkey.passkeyId,
    SHOP_PASSKEY_REMOVED: await idOf(own),
    SHOP_PASSKEY_FOREIGN: await idOf(foreign),
  };
}

/** Orders of the account, the first of them refunded, and one of another. */
async function addOrders(shop: ShopToFill, accountId: AccountId, other: AccountId): Promise<ShopNames> {
  const { productId } = await shop.addProduct();
  const buy = async (buyer: AccountId, name: string): Promise<OrderId> => {
    const { key } = await shop.addKey(buyer);
    const body = { externalOrderId: name.toLowerCase(), productId, qty: 1 };
    return (await shop.call("/orders", { key, body })).body.orderId;
  };
  const names: Record<string, string> = {
    SHOP_ORDER_OWN_FOREIGN: await buy(other, "SHOP_ORDER_OWN_FOREIGN"),
  };
  for (const name of ORDERS) names[name] = await buy(accountId, name);
  await shop.orderAdministration.refund(names[ORDERS[0]] as OrderId, "It was not wanted.");
  const [orders, activity] = [
    await shop.orders.page(accountId, { limit: 1 }),
    await shop.activity.page(accountId, { limit: 1 }),
  ];
  return {
    ...names,
    SHOP_CURSOR_ORDERS: orders.nextCursor ?? "",
    SHOP_CURSOR_ACTIVITY: activity.nextCursor ?? "",
  };
}

/** Keys that have been used and rotated. */
async function addKeys(shop: ShopToFill, accountId: AccountId): Promise<ShopNames> {
  const names: Record<string, string> = {};
  for (const name of Object.values(KEY_OF)) {
    const { keyId } = await shop.addKey(accountId);
    const { key } = await shop.keys.rotate(keyId, OVERLAP_MS);
    await shop.keys.authenticate(key);
    names[name] = keyId;
  }
  await shop.keys.writeLastUses();
  return names;
}
