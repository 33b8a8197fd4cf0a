import { expect } from "vitest";
import type { Account, Preferences } from "../../../server/accounts/account.ts";
import type {
  AccountId,
  CallId,
  InvitationId,
  KeyId,
  OrderId,
  PasskeyId,
  SessionId,
  UserId,
} from "../../../server/ids.ts";
import type { ApiKey } from "../../../server/keys/api-key.ts";
import type { LedgerEntry } from "../../../server/ledger/ledger-entry.ts";
import type { Statement } from "../../../server/ledger/statement.ts";
import { microcents } from "../../../server/money/microcents.ts";
import type { Order } from "../../../server/orders/order.ts";
import type { ShownInvitation } from "../../../server/people/invitations.ts";
import type { Passkey } from "../../../server/people/passkey.ts";
import type { SignedIn, UserSession } from "../../../server/people/session.ts";
import type { FieldCase, FieldCases } from "../../fields/field-case.ts";
import { ACCOUNT_ID, KEY_ID, SIGNED_IN } from "./people.ts";

const NOW_MS = 1_700_000_000_000;
const KEY_PATH = { accountId: ACCOUNT_ID, keyId: KEY_ID };
/** Where the requests of the tests come from. */
const ORIGIN = { address: "127.0.0.1", userAgent: "node" };
/** As whom the acts of {@link SIGNED_IN} are recorded. */
const ACTOR = { userId: "usr_own", email: "own@people.example", address: ORIGIN.address };
const VISIT = expect.objectContaining(ORIGIN);

/** Another session than that which asks. */
const OTHER: SignedIn = {
  session: {
    sessionId: "ses_other" as SessionId,
    userId: "usr_of_other" as UserId,
    awaitsFactor: true,
    createdAtMs: 1_700_000_201_000,
    endsAtMs: 1_700_000_202_000,
    lastSeenAtMs: 1_700_000_203_000,
    factorAtMs: 1_700_000_204_000,
    address: "192.0.2.2",
    userAgent: "Other browser",
  },
  user: {
    userId: "usr_other" as UserId,
    email: "other@buyer.example",
    name: "Other name",
    createdAtMs: 1_700_000_205_000,
  },
  memberships: [{ accountId: "acc_other", accountName: "Other account", role: "developer" }],
  operatorRole: null,
  secondFactors: ["totp"],
};
const API_OTHER = {
  sessionId: "ses_other",
  userId: "usr_other",
  email: "other@buyer.example",
  name: "Other name",
  waitsForSecondFactor: true,
  secondFactors: ["totp"],
  memberships: [{ accountId: "acc_other", accountName: "Other account", role: "developer" }],
  endsAt: "2023-11-14T22:16:42.000Z",
  steppedUpUntil: null,
};
const PROVED: SignedIn = { ...OTHER, session: { ...OTHER.session, awaitsFactor: false } };
const API_PROVED = {
  ...API_OTHER,
  waitsForSecondFactor: false,
  steppedUpUntil: "2023-11-14T22:26:44.000Z",
};

const SESSION: UserSession = {
  sessionId: "ses_listed" as SessionId,
  userId: "usr_listed" as UserId,
  awaitsFactor: false,
  createdAtMs: 1_700_000_301_000,
  endsAtMs: 1_700_000_302_000,
  lastSeenAtMs: 1_700_000_303_000,
  factorAtMs: 1_700_000_304_000,
  address: "192.0.2.3",
  userAgent: "Listed browser",
};

const INVITATION: ShownInvitation = {
  invitationId: "inv_own" as InvitationId,
  email: "invited@buyer.example",
  membership: { accountId: ACCOUNT_ID, role: "billing" },
  operatorRole: null,
  createdAtMs: 1_700_000_401_000,
  expiresAtMs: 1_700_000_402_000,
  accountName: "Inviting account",
  hasPassword: true,
};

const KEY: ApiKey = {
  keyId: "key_told" as KeyId,
  accountId: ACCOUNT_ID,
  kind: "ai_proxy",
  status: "active",
  preview: "svc_sk_ab12…wxyz",
  name: "Told key",
  createdAtMs: 1_700_000_501_000,
  expiresAtMs: 1_700_000_502_000,
  lastUsedAtMs: 1_700_000_503_000,
  orderCapMicrocents: microcents(1_100_000_000n),
  dailyCapMicrocents: microcents(1_200_000_000n),
  orderCapCeilingMicrocents: microcents(1_300_000_000n),
  dailyCapCeilingMicrocents: microcents(1_400_000_000n),
  formerSecrets: [
    { preview: "svc_sk_cd34…stuv", replacedAtMs: 1_700_000_504_000, worksUntilMs: 1_700_000_505_000 },
  ],
};
const API_KEY = {
  keyId: "key_told",
  name: "Told key",
  kind: "ai_proxy",
  status: "active",
  preview: "svc_sk_ab12…wxyz",
  orderCap: "11.00",
  dailyCap: "12.00",
  orderCapCeiling: "13.00",
  dailyCapCeiling: "14.00",
  // Rounded up.
  spentToday: "15.0001",
  createdAt: "2023-11-14T22:21:41.000Z",
  expiresAt: "2023-11-14T22:21:42.000Z",
  lastUsedAt: "2023-11-14T22:21:43.000Z",
  formerSecrets: [
    {
      preview: "svc_sk_cd34…stuv",
      replacedAt: "2023-11-14T22:21:44.000Z",
      worksUntil: "2023-11-14T22:21:45.000Z",
    },
  ],
};
/** What every answer with a key asks for beside the key. */
const SPENT = { "keys.spentToday": microcents(1_500_000_001n), clock: NOW_MS };
const ASKED_SPENT = { "keys.spentToday": ["key_told"], clock: [] };
const STEPPED_UP = { "people.sessions.requireRecentFactor": [SIGNED_IN] };
const GIVES_STEPPED_UP = { "people.sessions.requireRecentFactor": undefined };

const ACCOUNT: Account = {
  accountId: ACCOUNT_ID,
  name: "Told account",
  status: "active",
  rpmLimit: 77,
  balanceMicrocents: microcents(12_345_678_999n),
  reservedMicrocents: microcents(2_345_670_001n),
  scoreMicrocents: microcents(30_000_000_001n),
  createdAtMs: 1_700_000_601_000,
  callsInFlightLimit: 9,
  lowersMaxTokens: true,
  orderCapCeilingMicrocents: microcents(13n),
  dailyCapCeilingMicrocents: microcents(14n),
};

/** A key that is made or changed: who does it has to have proved lately who they are. */
function keyCase(
  operationId: string,
  use: string,
  asked: readonly unknown[],
  rest: Partial<FieldCase> = {},
): FieldCase {
  return {
    operationId,
    path: KEY_PATH,
    gives: { [`keys.ofAccount().${use}`]: KEY, ...GIVES_STEPPED_UP, ...SPENT },
    alike: [],
    asked: {
      "keys.ofAccount": [ACCOUNT_ID, ACTOR],
      [`keys.ofAccount().${use}`]: asked,
      ...STEPPED_UP,
      ...ASKED_SPENT,
    },
    answer: API_KEY,
    ...rest,
  };
}

const OF_PEOPLE: readonly FieldCase[] = [
  {
    operationId: "signIn",
    body: { email: "asked@buyer.example", password: "asked password" },
    gives: { "people.sessions.signIn": { token: "told", signedIn: OTHER }, clock: NOW_MS },
    asked: {
      "people.sessions.signIn": [{ email: "asked@buyer.example", password: "asked password", ...ORIGIN }],
      clock: [],
    },
    answer: API_OTHER,
  },
  {
    operationId: "getSession",
    gives: { clock: NOW_MS },
    asked: { clock: [] },
    answer: {
      sessionId: "ses_own",
      userId: "usr_own",
      email: "own@people.example",
      name: "Own name",
      waitsForSecondFactor: false,
      secondFactors: ["totp", "passkey"],
      memberships: [{ accountId: ACCOUNT_ID, accountName: "Own account", role: "owner" }],
      endsAt: "2023-11-14T22:15:02.000Z",
      steppedUpUntil: "2023-11-14T22:25:04.000Z",
    },
  },
  {
    operationId: "giveFactor",
    body: { kind: "recovery_code", value: "asked code" },
    gives: { "people.sessions.giveFactor": { token: "told", signedIn: PROVED }, clock: NOW_MS },
    asked: {
      "people.sessions.giveFactor": [SIGNED_IN, { kind: "recovery_code", code: "asked code" }, VISIT],
      clock: [],
    },
    answer: API_PROVED,
  },
  {
    operationId: "stepUp",
    body: { kind: "password", value: "asked password" },
    gives: { "people.sessions.stepUp": PROVED, clock: NOW_MS },
    asked: {
      "people.sessions.stepUp": [SIGNED_IN, { kind: "password", password: "asked password" }, VISIT],
      clock: [],
    },
    answer: API_PROVED,
  },
  {
    operationId: "showInvitation",
    body: { token: "asked token" },
    gives: { "people.invitations.show": INVITATION },
    asked: { "people.invitations.show": ["asked token"] },
    answer: {
      email: "invited@buyer.example",
      accountName: "Inviting account",
      role: "billing",
      hasPassword: true,
      expiresAt: "2023-11-14T22:20:02.000Z",
    },
  },
  {
    operationId: "acceptInvitation",
    body: { token: "asked token", password: "asked password", name: "Asked name" },
    gives: { "people.invitations.accept": OTHER.user },
    asked: {
      "people.invitations.accept": [
        { token: "asked token", password: "asked password", name: "Asked name", address: ORIGIN.address },
      ],
    },
    answer: { email: "other@buyer.example" },
  },
  {
    operationId: "listSessions",
    gives: { "people.sessions.list": [SESSION] },
    asked: { "people.sessions.list": ["usr_own"] },
    answer: {
      sessions: [
        {
          sessionId: "ses_listed",
          isThisOne: false,
          address: "192.0.2.3",
          userAgent: "Listed browser",
          createdAt: "2023-11-14T22:18:21.000Z",
          lastSeenAt: "2023-11-14T22:18:23.000Z",
          endsAt: "2023-11-14T22:18:22.000Z",
        },
      ],
    },
  },
];

const FACTORS = { hasTotp: true, hasPasskeys: false, recoveryCodesLeft: 7 };
const CODES = Array.from({ length: 10 }, (_, index) => `code-${index}`);

const OF_FACTORS: readonly FieldCase[] = [
  {
    operationId: "getSecurity",
    gives: { "people.factors.ofUser": FACTORS },
    asked: { "people.factors.ofUser": ["usr_own"] },
    answer: FACTORS,
  },
  {
    operationId: "changePassword",
    body: { currentPassword: "present password", newPassword: "another password" },
    gives: { "people.changePassword": undefined, "people.factors.ofUser": FACTORS },
    asked: {
      "people.changePassword": [
        { from: "present password", to: "another password", sessionId: "ses_own", by: ACTOR },
      ],
      "people.factors.ofUser": ["usr_of_session"],
    },
    answer: FACTORS,
  },
  {
    operationId: "beginTotp",
    gives: { "people.factors.begin": { secret: "TOLD", uri: "otpauth://told" }, ...GIVES_STEPPED_UP },
    asked: { "people.factors.begin": [SIGNED_IN.user], ...STEPPED_UP },
    answer: { secret: "TOLD", uri: "otpauth://told" },
  },
  {
    operationId: "confirmTotp",
    body: { code: "492039" },
    gives: { "people.factors.confirm": CODES, ...GIVES_STEPPED_UP },
    asked: { "people.factors.confirm": ["492039", "ses_own", ACTOR], ...STEPPED_UP },
    answer: { codes: CODES },
  },
  {
    operationId: "renewRecoveryCodes",
    gives: { "people.factors.renewRecoveryCodes": CODES, ...GIVES_STEPPED_UP },
    asked: { "people.factors.renewRecoveryCodes": [ACTOR], ...STEPPED_UP },
    answer: { codes: CODES },
  },
];

const PASSKEY: Passkey = {
  passkeyId: "psk_told" as PasskeyId,
  userId: "usr_of_passkey" as UserId,
  name: "Told passkey",
  createdAtMs: 1_700_000_411_000,
  lastUsedAtMs: 1_700_000_412_000,
};
const API_PASSKEY = {
  passkeyId: "psk_told",
  name: "Told passkey",
  createdAt: "2023-11-14T22:20:11.000Z",
  lastUsedAt: "2023-11-14T22:20:12.000Z",
};
const PASSKEY_ID = "psk_01938c8e6f2b7c3e9a4d5f6071829308";
const MADE = {
  credentialId: "YXNrZWQtaWQ",
  clientDataJSON: "YXNrZWQtZGF0YQ",
  attestationObject: "YXNrZWQtYXR0ZXN0YXRpb24",
};
const PROOF = {
  credentialId: "YXNrZWQtaWQ",
  clientDataJSON: "YXNrZWQtZGF0YQ",
  authenticatorData: "YXNrZWQtYXV0aA",
  signature: "YXNrZWQtc2lnbmF0dXJl",
  userHandle: "YXNrZWQtdXNlcg",
};
const { userHandle: _, ...PROOF_WITHOUT_USER } = PROOF;
const CHALLENGE = { challenge: "told-challenge", allowedCredentials: ["told-credential"] };

const OF_PASSKEYS: readonly FieldCase[] = [
  {
    operationId: "beginPasskeySignIn",
    gives: { "people.passkeys.beginSignIn": CHALLENGE },
    asked: { "people.passkeys.beginSignIn": [ORIGIN.address] },
    answer: CHALLENGE,
  },
  {
    operationId: "signInByPasskey",
    body: PROOF,
    gives: { "people.sessions.signInByPasskey": { token: "told", signedIn: PROVED }, clock: NOW_MS },
    asked: { "people.sessions.signInByPasskey": [PROOF, ORIGIN], clock: [] },
    answer: API_PROVED,
  },
  {
    operationId: "beginPasskeyStepUp",
    gives: { "people.passkeys.beginStepUp": CHALLENGE },
    asked: { "people.passkeys.beginStepUp": [SIGNED_IN.session] },
    answer: CHALLENGE,
  },
  {
    operationId: "stepUpByPasskey",
    body: PROOF_WITHOUT_USER,
    gives: { "people.sessions.stepUpByPasskey": PROVED, clock: NOW_MS },
    asked: {
      "people.sessions.stepUpByPasskey": [SIGNED_IN, { ...PROOF, userHandle: null }, VISIT],
      clock: [],
    },
    answer: API_PROVED,
  },
  {
    operationId: "listPasskeys",
    gives: { "people.passkeys.list": [PASSKEY] },
    asked: { "people.passkeys.list": ["usr_own"] },
    answer: { passkeys: [API_PASSKEY] },
  },
  {
    operationId: "beginPasskey",
    gives: {
      "people.passkeys.beginAdding": {
        challenge: "told-challenge",
        userHandle: "told-handle",
        excludedCredentials: ["told-credential"],
        algorithms: [-7, -257],
      },
      ...GIVES_STEPPED_UP,
    },
    asked: { "people.passkeys.beginAdding": [SIGNED_IN.session], ...STEPPED_UP },
    answer: {
      challenge: "told-challenge",
      userHandle: "told-handle",
      excludedCredentials: ["told-credential"],
      algorithms: [-7, -257],
    },
  },
  {
    operationId: "addPasskey",
    body: { name: "Asked name", ...MADE },
    gives: {
      "people.passkeys.add": { passkey: { ...PASSKEY, lastUsedAtMs: null }, recoveryCodes: CODES },
      ...GIVES_STEPPED_UP,
    },
    asked: {
      "people.passkeys.add": [{ name: "Asked name", made: MADE, sessionId: "ses_own", by: ACTOR }],
      ...STEPPED_UP,
    },
    answer: { passkey: { ...API_PASSKEY, lastUsedAt: null }, recoveryCodes: CODES },
  },
  {
    operationId: "renamePasskey",
    path: { passkeyId: PASSKEY_ID },
    body: { name: "Asked name" },
    gives: { "people.passkeys.rename": PASSKEY },
    asked: { "people.passkeys.rename": [PASSKEY_ID, "Asked name", ACTOR] },
    answer: API_PASSKEY,
  },
];

const PREFERENCES: Preferences = {
  timeZone: "Asia/Tokyo",
  lowBalanceMicrocents: microcents(10_000_000_000n),
};
const API_SETTINGS = { timeZone: "Asia/Tokyo", lowBalance: "100.00" };

const OF_SETTINGS: readonly FieldCase[] = [
  {
    operationId: "getSettings",
    path: { accountId: ACCOUNT_ID },
    gives: { "preferences.get": PREFERENCES },
    asked: { "preferences.get": [ACCOUNT_ID] },
    answer: API_SETTINGS,
  },
  {
    operationId: "changeSettings",
    path: { accountId: ACCOUNT_ID },
    body: { timeZone: "Asia/Kathmandu", lowBalance: "3.0001" },
    gives: { "preferences.change": PREFERENCES },
    asked: {
      "preferences.change": [
        ACCOUNT_ID,
        { timeZone: "Asia/Kathmandu", lowBalanceMicrocents: microcents(300_010_000n) },
        ACTOR,
      ],
    },
    answer: API_SETTINGS,
  },
  {
    operationId: "changeSettings",
    name: "of which only one is given",
    path: { accountId: ACCOUNT_ID },
    body: { lowBalance: null },
    gives: { "preferences.change": { ...PREFERENCES, lowBalanceMicrocents: null } },
    asked: { "preferences.change": [ACCOUNT_ID, { lowBalanceMicrocents: null }, ACTOR] },
    answer: { ...API_SETTINGS, lowBalance: null },
  },
];

/** A bucket that is told, and how it is asked for. */
const BUCKET = { fromMs: 1_700_000_911_000, toMs: 1_700_000_912_000 };
const API_BUCKET = { from: "2023-11-14T22:28:31.000Z", to: "2023-11-14T22:28:32.000Z" };
const PERIOD_QUERY =
  "from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&granularity=PT1H&timeZone=Asia%2FKathmandu";
const ASKED_BUCKETS = { granularity: "PT1H", timeZone: "Asia/Kathmandu" };
const ASKED_STATISTICS = {
  accountId: ACCOUNT_ID,
  period: { fromMs: Date.parse("2026-01-01T00:00:00Z"), toMs: Date.parse("2026-02-01T00:00:00Z") },
  ...ASKED_BUCKETS,
};

const OF_STATISTICS: readonly FieldCase[] = [
  {
    operationId: "getSpendStatistics",
    path: { accountId: ACCOUNT_ID },
    query: PERIOD_QUERY,
    gives: {
      "statistics.spend": [
        {
          ...BUCKET,
          ordersMicrocents: microcents(100_000_001n),
          callsMicrocents: microcents(200_000_002n),
          refundsMicrocents: microcents(400_000_004n),
          totalMicrocents: microcents(-100_000_007n),
        },
      ],
    },
    asked: { "statistics.spend": [ASKED_STATISTICS] },
    answer: {
      ...ASKED_BUCKETS,
      buckets: [
        {
          ...API_BUCKET,
          orders: "1.00000001",
          calls: "2.00000002",
          refunds: "4.00000004",
          total: "-1.00000007",
        },
      ],
      currency: "USD",
    },
  },
  {
    operationId: "getOrderStatistics",
    path: { accountId: ACCOUNT_ID },
    query: `${PERIOD_QUERY}&groupBy=product`,
    gives: {
      "statistics.orders": [
        {
          ...BUCKET,
          groups: [
            {
              group: "told-product",
              figures: {
                orders: 11,
                codes: 12,
                amountMicrocents: microcents(100_000_001n),
                refunds: 13,
                refundedMicrocents: microcents(200_000_002n),
              },
            },
          ],
        },
      ],
    },
    asked: { "statistics.orders": [{ ...ASKED_STATISTICS, groupBy: "product" }] },
    answer: {
      ...ASKED_BUCKETS,
      buckets: [
        {
          ...API_BUCKET,
          groups: [
            {
              group: "told-product",
              orders: 11,
              codes: 12,
              amount: "1.00000001",
              refunds: 13,
              refundedAmount: "2.00000002",
            },
          ],
        },
      ],
      currency: "USD",
    },
  },
  {
    operationId: "getCallStatistics",
    path: { accountId: ACCOUNT_ID },
    query: "from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z",
    gives: {
      "statistics.calls": [
        {
          ...BUCKET,
          groups: [
            {
              group: "told-model",
              figures: {
                completed: 21,
                clientAborted: 22,
                upstreamFailed: 23,
                rejected: 24,
                inputTokens: 25,
                outputTokens: 26,
                cacheWriteTokens: 27,
                cacheReadTokens: 28,
                amountMicrocents: microcents(300_000_003n),
              },
            },
          ],
        },
      ],
    },
    asked: {
      "statistics.calls": [{ ...ASKED_STATISTICS, granularity: "P1D", timeZone: "UTC", groupBy: null }],
    },
    answer: {
      granularity: "P1D",
      timeZone: "UTC",
      buckets: [
        {
          ...API_BUCKET,
          groups: [
            {
              group: "told-model",
              completed: 21,
              clientAborted: 22,
              upstreamFailed: 23,
              rejected: 24,
              inputTokens: 25,
              outputTokens: 26,
              cacheWriteTokens: 27,
              cacheReadTokens: 28,
              amount: "3.00000003",
            },
          ],
        },
      ],
      currency: "USD",
    },
  },
];

const OF_THE_ACCOUNT: readonly FieldCase[] = [
  {
    operationId: "getOverview",
    path: { accountId: ACCOUNT_ID },
    gives: {
      "accounts.get": ACCOUNT,
      "ledger.holds": [
        {
          reference: "ord_told",
          amountMicrocents: microcents(2_345_660_000n),
          openedAtMs: 1_700_000_602_000,
        },
      ],
      "calls.holds": [
        {
          callId: "call_told" as CallId,
          amountMicrocents: microcents(10_001n),
          createdAtMs: 1_700_000_603_000,
        },
      ],
      "preferences.get": PREFERENCES,
    },
    asked: {
      "accounts.get": [ACCOUNT_ID],
      "ledger.holds": [ACCOUNT_ID, 101],
      "calls.holds": [ACCOUNT_ID, 101],
      "preferences.get": [ACCOUNT_ID],
    },
    answer: {
      accountId: ACCOUNT_ID,
      name: "Told account",
      role: "owner",
      balance: "123.4567",
      reserved: "23.4568",
      available: "99.9999",
      currency: "USD",
      holds: [
        { id: "ord_told", kind: "order", amount: "23.4566", since: "2023-11-14T22:23:22.000Z" },
        { id: "call_told", kind: "call", amount: "0.0002", since: "2023-11-14T22:23:23.000Z" },
      ],
      hasMoreHolds: false,
      level: 2,
      nextLevel: { level: 3, remaining: "200.00" },
      ...API_SETTINGS,
      isBalanceLow: true,
    },
  },
  {
    operationId: "listKeys",
    path: { accountId: ACCOUNT_ID },
    gives: { "keys.list": [KEY], ...SPENT },
    asked: { "keys.list": [ACCOUNT_ID], ...ASKED_SPENT },
    answer: { keys: [API_KEY] },
  },
  {
    operationId: "createKey",
    path: { accountId: ACCOUNT_ID },
    body: {
      kind: "product_ordering",
      name: "Asked name",
      orderCap: "1.00",
      dailyCap: "2.00",
      expiresAt: "2031-01-01T00:00:00.000Z",
    },
    gives: { "keys.create": { ...KEY, key: "told secret" }, ...GIVES_STEPPED_UP, ...SPENT },
    asked: {
      "keys.create": [
        {
          accountId: ACCOUNT_ID,
          kind: "product_ordering",
          idempotencyKey: "0198c2a4-7b3e-7d21-9f04-c1a2b3d4e5f6",
          name: "Asked name",
          orderCapMicrocents: microcents(100_000_000n),
          dailyCapMicrocents: microcents(200_000_000n),
          expiresAtMs: Date.parse("2031-01-01T00:00:00.000Z"),
        },
        ACTOR,
      ],
      ...STEPPED_UP,
      ...ASKED_SPENT,
    },
    answer: { secret: "told secret", key: API_KEY },
  },
  {
    operationId: "getKey",
    path: KEY_PATH,
    gives: { "keys.ofAccount().get": KEY, ...SPENT },
    asked: { "keys.ofAccount": [ACCOUNT_ID, ACTOR], "keys.ofAccount().get": [KEY_ID], ...ASKED_SPENT },
    answer: API_KEY,
  },
  keyCase(
    "changeKey",
    "change",
    [
      KEY_ID,
      {
        name: null,
        orderCapMicrocents: microcents(300_000_000n),
        dailyCapMicrocents: null,
        expiresAtMs: Date.parse("2031-01-02T00:00:00.000Z"),
      },
    ],
    { body: { name: null, orderCap: "3.00", dailyCap: null, expiresAt: "2031-01-02T00:00:00.000Z" } },
  ),
  keyCase("changeKey", "change", [KEY_ID, { name: "Asked name" }], {
    name: "of which only one field is given",
    body: { name: "Asked name" },
  }),
  keyCase("revokeKey", "revoke", [KEY_ID]),
  keyCase("endKeyOverlap", "endOverlap", [KEY_ID]),
  keyCase("rotateKey", "rotate", [KEY_ID, 7_000], {
    body: { overlapSeconds: 7 },
    gives: {
      "keys.ofAccount().rotate": { ...KEY, key: "told secret" },
      ...GIVES_STEPPED_UP,
      ...SPENT,
    },
    answer: { secret: "told secret", key: API_KEY },
  }),
];

const ORDER: Order = {
  orderId: "ord_own" as OrderId,
  accountId: "acc_of_order" as AccountId,
  externalOrderId: "own-external",
  keyId: "key_of_order" as KeyId,
  productId: "own-product",
  productName: "Own product",
  qty: 3,
  unitPriceMicrocents: microcents(1_000_000n),
  amountMicrocents: microcents(3_000_000n),
  status: "failed",
  redeemUrl: "https://own.example/redeem",
  errorCode: "own_error",
  spendDay: "2026-01-01",
  createdAtMs: 1_700_000_701_000,
  deliveredAtMs: null,
  refundedAtMs: null,
};
const API_ORDER = {
  orderId: "ord_own",
  externalOrderId: "own-external",
  keyId: "key_of_order",
  productId: "own-product",
  productName: "Own product",
  qty: 3,
  unitPrice: "0.01",
  amount: "0.03",
  currency: "USD",
  status: "failed",
  errorCode: "own_error",
  createdAt: "2023-11-14T22:25:01.000Z",
  deliveredAt: null,
  refundedAt: null,
};
const REFUNDED: Order = {
  ...ORDER,
  status: "refunded",
  errorCode: null,
  deliveredAtMs: 1_700_000_702_000,
  refundedAtMs: 1_700_000_703_000,
};

/** What lists are asked for. */
const ASKED_PERIOD = {
  fromMs: Date.parse("2026-01-01T00:00:00Z"),
  toMs: Date.parse("2026-02-01T00:00:00.001Z"),
};

const OF_ORDERS: readonly FieldCase[] = [
  {
    operationId: "listOrders",
    path: { accountId: ACCOUNT_ID },
    query:
      "limit=6&cursor=asked&externalOrderId=asked-external&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00.001Z",
    gives: { "orders.page": { orders: [ORDER], nextCursor: "next" } },
    asked: {
      "orders.page": [
        ACCOUNT_ID,
        { limit: 6, cursor: "asked", externalOrderId: "asked-external", ...ASKED_PERIOD },
      ],
    },
    answer: { orders: [API_ORDER], hasMore: true, nextCursor: "next" },
  },
  {
    operationId: "listOrders",
    name: "the last page",
    path: { accountId: ACCOUNT_ID },
    gives: { "orders.page": { orders: [], nextCursor: null } },
    asked: {
      "orders.page": [
        ACCOUNT_ID,
        { limit: 50, cursor: undefined, externalOrderId: undefined, fromMs: undefined, toMs: undefined },
      ],
    },
    answer: { orders: [], hasMore: false, nextCursor: null },
  },
  {
    operationId: "getOrder",
    path: { accountId: ACCOUNT_ID, orderId: "ord_asked" },
    gives: { "orders.find": REFUNDED },
    asked: { "orders.find": [ACCOUNT_ID, "ord_asked"] },
    answer: {
      ...API_ORDER,
      status: "refunded",
      errorCode: null,
      deliveredAt: "2023-11-14T22:25:02.000Z",
      refundedAt: "2023-11-14T22:25:03.000Z",
    },
  },
];

const OF_ACTIVITY: readonly FieldCase[] = [
  {
    operationId: "revealOrderCodes",
    path: { accountId: ACCOUNT_ID, orderId: "ord_asked" },
    gives: {
      "orders.showCodes": { ...ORDER, codes: ["told-code-1", "told-code-2"] },
      ...GIVES_STEPPED_UP,
    },
    asked: { "orders.showCodes": [ACCOUNT_ID, "ord_asked", ACTOR], ...STEPPED_UP },
    answer: {
      orderId: "ord_own",
      codes: ["told-code-1", "told-code-2"],
      redeemUrl: "https://own.example/redeem",
    },
  },
  {
    operationId: "listActivity",
    path: { accountId: ACCOUNT_ID },
    query:
      "limit=6&cursor=asked&action=key_rotated&userId=usr_asked&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00.001Z",
    gives: {
      "activity.page": {
        entries: [
          {
            activityId: "act_told",
            accountId: "acc_of_entry",
            action: "told_action",
            userId: "usr_told",
            email: "told@buyer.example",
            targetId: "key_told",
            targetName: "Told name",
            address: "192.0.2.44",
            createdAtMs: 1_700_000_950_000,
          },
        ],
        nextCursor: "next",
      },
    },
    asked: {
      "activity.page": [
        ACCOUNT_ID,
        {
          limit: 6,
          cursor: "asked",
          action: "key_rotated",
          userId: "usr_asked",
          ...ASKED_PERIOD,
        },
      ],
    },
    answer: {
      entries: [
        {
          entryId: "act_told",
          action: "told_action",
          userId: "usr_told",
          email: "told@buyer.example",
          targetId: "key_told",
          targetName: "Told name",
          address: "192.0.2.44",
          createdAt: "2023-11-14T22:29:10.000Z",
        },
      ],
      hasMore: true,
      nextCursor: "next",
    },
  },
];

const OF_MEMBERS: readonly FieldCase[] = [
  {
    operationId: "listMembers",
    path: { accountId: ACCOUNT_ID },
    gives: {
      "people.list": [
        {
          userId: "usr_member",
          email: "member@buyer.example",
          name: "Member name",
          createdAtMs: 1_700_000_850_000,
          memberships: [{ accountId: "acc_of_member", accountName: "Account of member", role: "owner" }],
          hasSecondFactor: true,
        },
      ],
    },
    asked: { "people.list": [ACCOUNT_ID] },
    answer: {
      members: [
        {
          userId: "usr_member",
          email: "member@buyer.example",
          name: "Member name",
          role: "owner",
          hasSecondFactor: true,
        },
      ],
    },
  },
  {
    operationId: "inviteMember",
    path: { accountId: ACCOUNT_ID },
    body: { email: "asked@buyer.example", role: "developer" },
    gives: {
      "people.invitations.invite": {
        invitationId: "inv_told",
        email: "told@buyer.example",
        membership: { accountId: "acc_told", role: "billing" },
        operatorRole: null,
        createdAtMs: 1_700_000_860_000,
        expiresAtMs: 1_700_000_861_000,
        link: `https://told.example/account/#invitation=${"t".repeat(43)}`,
      },
      ...GIVES_STEPPED_UP,
    },
    asked: {
      "people.invitations.invite": ["asked@buyer.example", ACCOUNT_ID, "developer", ACTOR],
      ...STEPPED_UP,
    },
    answer: {
      email: "told@buyer.example",
      role: "developer",
      link: `https://told.example/account/#invitation=${"t".repeat(43)}`,
      expiresAt: "2023-11-14T22:27:41.000Z",
    },
  },
];

const ENTRY: LedgerEntry = {
  accountId: "acc_of_entry" as AccountId,
  sequence: 17,
  type: "call",
  amountMicrocents: microcents(-127n),
  balanceAfterMicrocents: microcents(12_345_678_901n),
  reference: "own-reference",
  note: "for the operator",
  createdAtMs: 1_700_000_801_000,
};

const OF_MONEY: readonly FieldCase[] = [
  {
    operationId: "listLedger",
    path: { accountId: ACCOUNT_ID },
    query: "limit=6&cursor=asked&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00.001Z",
    gives: { "ledger.page": { entries: [ENTRY], nextCursor: "next" } },
    asked: { "ledger.page": [ACCOUNT_ID, { limit: 6, cursor: "asked", ...ASKED_PERIOD }] },
    answer: {
      entries: [
        {
          entryId: "led_17",
          type: "call",
          amount: "-0.00000127",
          balanceAfter: "123.45678901",
          reference: "own-reference",
          createdAt: "2023-11-14T22:26:41.000Z",
        },
      ],
      hasMore: true,
      nextCursor: "next",
    },
  },
  {
    operationId: "getStatement",
    path: { accountId: ACCOUNT_ID, month: "2031-05" },
    query: "timeZone=Asia%2FKathmandu",
    gives: {
      "ledger.statement": {
        accountId: "acc_of_statement" as AccountId,
        fromMs: 1_700_000_901_000,
        toMs: 1_700_000_902_000,
        openingMicrocents: microcents(500_000_001n),
        closingMicrocents: microcents(700_000_003n),
        sums: [{ type: "top_up", entries: 4, amountMicrocents: microcents(200_000_002n) }],
        entries: { first: 21n, last: 24n },
      } satisfies Statement,
    },
    asked: { "ledger.statement": [ACCOUNT_ID, { year: 2031, month: 5 }, "Asia/Kathmandu"] },
    answer: {
      accountId: "acc_of_statement",
      month: "2031-05",
      timeZone: "Asia/Kathmandu",
      from: "2023-11-14T22:28:21.000Z",
      to: "2023-11-14T22:28:22.000Z",
      opening: "5.00000001",
      closing: "7.00000003",
      sums: [{ type: "top_up", entries: 4, amount: "2.00000002" }],
      currency: "USD",
    },
  },
];

/** A file of a period, its rows as they are given. */
function exported(
  operationId: string,
  useCase: string,
  { as = [], filter }: { as?: readonly string[]; filter?: Readonly<Record<string, string>> } = {},
): FieldCase {
  const period = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00.001Z" };
  const periodMs = { fromMs: 1_767_225_600_000, toMs: 1_769_904_000_001 };
  return {
    operationId,
    path: { accountId: ACCOUNT_ID },
    query: String(new URLSearchParams({ ...period, ...filter })),
    gives: { [useCase]: "told,rows\r\n" },
    asked: { [useCase]: [ACCOUNT_ID, periodMs, ...as, ...(filter ? [filter] : [])] },
    answer: "told,rows\r\n",
  };
}

const OF_EXPORTS: readonly FieldCase[] = [
  exported("exportOrders", "exports.orders"),
  exported("exportUsage", "exports.calls"),
  exported("exportLedger", "exports.ledger", { as: ["buyer"] }),
  exported("exportActivity", "exports.activity", { filter: { action: "key_rotated", userId: "usr_asked" } }),
];

/** The case of an operation with other things given and answered. */
function varied(
  cases: readonly FieldCase[],
  operationId: string,
  { gives, answer, ...others }: Partial<Omit<FieldCase, "answer">> & { readonly answer: object },
): FieldCase {
  const usual = cases.find((each) => each.operationId === operationId);
  if (usual === undefined) throw new Error(`There is no case of ${operationId}.`);
  return {
    ...{ ...usual, ...others },
    gives: { ...usual.gives, ...gives },
    answer: { ...(usual.answer as object), ...answer },
  };
}

/** When the factor of {@link SIGNED_IN} is recent no longer. */
const FACTOR_ENDS_MS = SIGNED_IN.session.factorAtMs + 600_000;
const KEY_ENDS_MS = KEY.expiresAtMs ?? 0;
const MAX_HOLDS = 100;
/** As many as one order may have. */
const MANY_CODES = Array.from({ length: 1_000 }, (_, index) => `told-code-${index}`);

/** An overview of an account with so many holds, of which it shows no more than it may. */
function overviewWithHolds(count: number): FieldCase {
  const holds = Array.from({ length: count }, (_, index) => ({
    reference: `ord_${index}`,
    amountMicrocents: microcents(10_000n * BigInt(1_001 + 2 * index)),
    openedAtMs: 1_700_000_620_000 + index,
  }));
  return varied(OF_THE_ACCOUNT, "getOverview", {
    name: `with ${count} holds`,
    gives: { "ledger.holds": holds, "calls.holds": [] },
    answer: {
      holds: holds.slice(0, MAX_HOLDS).map(({ reference, openedAtMs }, index) => ({
        id: reference,
        kind: "order",
        amount: `0.${1_001 + 2 * index}`,
        since: new Date(openedAtMs).toISOString(),
      })),
      hasMoreHolds: count > MAX_HOLDS,
    },
  });
}

/** What is shown at the moment at which it changes, and what is as long as it may be. */
const AT_LIMITS: readonly FieldCase[] = [
  varied(OF_PEOPLE, "getSession", {
    name: "with a factor that is just recent",
    gives: { clock: FACTOR_ENDS_MS - 1 },
    answer: {},
  }),
  varied(OF_PEOPLE, "getSession", {
    name: "with a factor that is too old",
    gives: { clock: FACTOR_ENDS_MS },
    answer: { steppedUpUntil: null },
  }),
  varied(OF_THE_ACCOUNT, "getKey", {
    name: "just before it expires",
    gives: { clock: KEY_ENDS_MS - 1 },
    answer: {},
  }),
  varied(OF_THE_ACCOUNT, "getKey", {
    ...{ name: "that has just expired", alike: [String(KEY_ENDS_MS)] },
    gives: { clock: KEY_ENDS_MS },
    answer: { status: "expired", formerSecrets: [] },
  }),
  varied(OF_THE_ACCOUNT, "getKey", {
    name: "that is revoked",
    gives: { "keys.ofAccount().get": { ...KEY, status: "revoked" } },
    answer: { status: "revoked", formerSecrets: [] },
  }),
  overviewWithHolds(MAX_HOLDS),
  overviewWithHolds(MAX_HOLDS + 1),
  varied(OF_ACTIVITY, "revealOrderCodes", {
    name: "with as many codes as an order may have",
    gives: { "orders.showCodes": { ...ORDER, codes: MANY_CODES } },
    answer: { codes: MANY_CODES },
  }),
  varied(OF_STATISTICS, "getCallStatistics", {
    ...{ name: "by key", query: `${PERIOD_QUERY}&groupBy=key` },
    asked: { "statistics.calls": [{ ...ASKED_STATISTICS, groupBy: "key" }] },
    answer: ASKED_BUCKETS,
  }),
];

/** What the account center makes of what its use cases give. */
export const fieldCases: FieldCases = {
  admits: { "people.sessions.authenticate": SIGNED_IN },
  cases: [
    ...OF_PEOPLE,
    ...OF_FACTORS,
    ...OF_PASSKEYS,
    ...OF_THE_ACCOUNT,
    ...OF_MEMBERS,
    ...OF_ORDERS,
    ...OF_ACTIVITY,
    ...OF_MONEY,
    ...OF_SETTINGS,
    ...OF_STATISTICS,
    ...OF_EXPORTS,
    ...AT_LIMITS,
  ],
};
