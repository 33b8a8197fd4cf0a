import { expect } from "vitest";
import type { InvitationId, SessionId, UserId } from "../../../server/ids.ts";
import type { ShownInvitation } from "../../../server/people/invitations.ts";
import type { SignedIn, UserSession } from "../../../server/people/session.ts";
import type { FieldCase, FieldCases } from "../../fields/field-case.ts";
import { SIGNED_IN } from "./people.ts";

const NOW_MS = 1_700_000_000_000;
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
    email: "other@shop.example",
    name: "Other name",
    createdAtMs: 1_700_000_205_000,
  },
  memberships: [],
  operatorRole: "finance",
  secondFactors: ["totp"],
};
const API_OTHER = {
  sessionId: "ses_other",
  userId: "usr_other",
  email: "other@shop.example",
  name: "Other name",
  waitsForSecondFactor: true,
  secondFactors: ["totp"],
  role: "finance",
  mayAct: false,
  endsAt: "2023-11-14T22:16:42.000Z",
  steppedUpUntil: null,
};
const PROVED: SignedIn = { ...OTHER, session: { ...OTHER.session, awaitsFactor: false } };
const API_PROVED = {
  ...API_OTHER,
  waitsForSecondFactor: false,
  mayAct: true,
  steppedUpUntil: "2023-11-14T22:26:44.000Z",
};
/** Somebody who has no second factor, where the shop wants one. */
const WITHOUT_FACTOR: SignedIn = { ...PROVED, secondFactors: [] };

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
  email: "invited@shop.example",
  membership: null,
  operatorRole: "support",
  createdAtMs: 1_700_000_401_000,
  expiresAtMs: 1_700_000_402_000,
  accountName: null,
  hasPassword: true,
};

const STEPPED_UP = { "people.operators.sessions.requireRecentFactor": [SIGNED_IN] };
const GIVES_STEPPED_UP = { "people.operators.sessions.requireRecentFactor": undefined };

const SIGN_IN: FieldCase = {
  operationId: "signIn",
  body: { email: "asked@shop.example", password: "asked password" },
  gives: { "people.operators.sessions.signIn": { token: "told", signedIn: OTHER }, clock: NOW_MS },
  asked: {
    "people.operators.sessions.signIn": [
      { email: "asked@shop.example", password: "asked password", ...ORIGIN },
    ],
    clock: [],
  },
  answer: API_OTHER,
};
const GET_SESSION: FieldCase = {
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
    role: "admin",
    mayAct: true,
    endsAt: "2023-11-14T22:15:02.000Z",
    steppedUpUntil: "2023-11-14T22:25:04.000Z",
  },
};

const OF_PEOPLE: readonly FieldCase[] = [
  SIGN_IN,
  GET_SESSION,
  {
    operationId: "giveFactor",
    body: { kind: "recovery_code", value: "asked code" },
    gives: { "people.operators.sessions.giveFactor": { token: "told", signedIn: PROVED }, clock: NOW_MS },
    asked: {
      "people.operators.sessions.giveFactor": [
        SIGNED_IN,
        { kind: "recovery_code", code: "asked code" },
        VISIT,
      ],
      clock: [],
    },
    answer: API_PROVED,
  },
  {
    operationId: "stepUp",
    body: { kind: "password", value: "asked password" },
    gives: { "people.operators.sessions.stepUp": PROVED, clock: NOW_MS },
    asked: {
      "people.operators.sessions.stepUp": [
        SIGNED_IN,
        { kind: "password", password: "asked password" },
        VISIT,
      ],
      clock: [],
    },
    answer: API_PROVED,
  },
  {
    operationId: "showInvitation",
    body: { token: "asked token" },
    gives: { "people.operators.invitations.show": INVITATION },
    asked: { "people.operators.invitations.show": ["asked token"] },
    answer: {
      email: "invited@shop.example",
      role: "support",
      hasPassword: true,
      expiresAt: "2023-11-14T22:20:02.000Z",
    },
  },
  {
    operationId: "acceptInvitation",
    body: { token: "asked token", password: "asked password", name: "Asked name" },
    gives: { "people.operators.invitations.accept": OTHER.user },
    asked: {
      "people.operators.invitations.accept": [
        { token: "asked token", password: "asked password", name: "Asked name", address: ORIGIN.address },
      ],
    },
    answer: { email: "other@shop.example" },
  },
  {
    operationId: "listSessions",
    gives: { "people.operators.sessions.list": [SESSION] },
    asked: { "people.operators.sessions.list": ["usr_own"] },
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
    gives: { "people.operators.factors.ofUser": FACTORS },
    asked: { "people.operators.factors.ofUser": ["usr_own"] },
    answer: FACTORS,
  },
  {
    operationId: "changePassword",
    body: { currentPassword: "present password", newPassword: "another password" },
    gives: { "people.operators.changePassword": undefined, "people.operators.factors.ofUser": FACTORS },
    asked: {
      "people.operators.changePassword": [
        { from: "present password", to: "another password", sessionId: "ses_own", by: ACTOR },
      ],
      "people.operators.factors.ofUser": ["usr_of_session"],
    },
    answer: FACTORS,
  },
  {
    operationId: "beginTotp",
    gives: {
      "people.operators.factors.begin": { secret: "TOLD", uri: "otpauth://told" },
      ...GIVES_STEPPED_UP,
    },
    asked: { "people.operators.factors.begin": [SIGNED_IN.user], ...STEPPED_UP },
    answer: { secret: "TOLD", uri: "otpauth://told" },
  },
  {
    operationId: "confirmTotp",
    body: { code: "492039" },
    gives: { "people.operators.factors.confirm": CODES, ...GIVES_STEPPED_UP },
    asked: { "people.operators.factors.confirm": ["492039", "ses_own", ACTOR], ...STEPPED_UP },
    answer: { codes: CODES },
  },
  {
    operationId: "renewRecoveryCodes",
    gives: { "people.operators.factors.renewRecoveryCodes": CODES, ...GIVES_STEPPED_UP },
    asked: { "people.operators.factors.renewRecoveryCodes": [ACTOR], ...STEPPED_UP },
    answer: { codes: CODES },
  },
];

const OF_OPERATORS: readonly FieldCase[] = [
  {
    operationId: "listOperators",
    gives: {
      "people.operators.list": [
        {
          userId: "usr_listed",
          email: "listed@shop.example",
          name: "Listed name",
          createdAtMs: 1_700_000_850_000,
          role: "support",
          hasSecondFactor: true,
        },
      ],
    },
    asked: { "people.operators.list": [] },
    answer: {
      operators: [
        {
          userId: "usr_listed",
          email: "listed@shop.example",
          name: "Listed name",
          role: "support",
          hasSecondFactor: true,
        },
      ],
    },
  },
  {
    operationId: "inviteOperator",
    body: { email: "asked@shop.example", role: "finance" },
    gives: {
      "people.operators.invitations.inviteOperator": {
        invitationId: "inv_told",
        email: "told@shop.example",
        membership: null,
        operatorRole: "support",
        createdAtMs: 1_700_000_860_000,
        expiresAtMs: 1_700_000_861_000,
        link: `https://told.example/operator/#invitation=${"t".repeat(43)}`,
      },
      ...GIVES_STEPPED_UP,
    },
    asked: {
      "people.operators.invitations.inviteOperator": ["asked@shop.example", "finance"],
      ...STEPPED_UP,
    },
    answer: {
      email: "told@shop.example",
      role: "finance",
      link: `https://told.example/operator/#invitation=${"t".repeat(43)}`,
      expiresAt: "2023-11-14T22:27:41.000Z",
    },
  },
];

/** When the factor of {@link SIGNED_IN} is recent no longer. */
const FACTOR_ENDS_MS = SIGNED_IN.session.factorAtMs + 600_000;

const AT_LIMITS: readonly FieldCase[] = [
  { ...GET_SESSION, name: "with a factor that is just recent", gives: { clock: FACTOR_ENDS_MS - 1 } },
  {
    ...{ ...GET_SESSION, name: "with a factor that is too old", gives: { clock: FACTOR_ENDS_MS } },
    answer: { ...(GET_SESSION.answer as object), steppedUpUntil: null },
  },
  {
    ...{ ...SIGN_IN, name: "of who has no second factor" },
    gives: {
      "people.operators.sessions.signIn": { token: "told", signedIn: WITHOUT_FACTOR },
      clock: NOW_MS,
    },
    answer: { ...API_PROVED, secondFactors: [], mayAct: false },
  },
];

/** What the operator console makes of what its use cases give. */
export const fieldCases: FieldCases = {
  admits: { "people.operators.sessions.authenticate": SIGNED_IN },
  cases: [...OF_PEOPLE, ...OF_FACTORS, ...OF_OPERATORS, ...AT_LIMITS],
};
