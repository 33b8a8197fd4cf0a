import { InvalidFieldError, InvalidInputError, NotFoundError } from "../../../server/errors.ts";
import type { KeyId } from "../../../server/ids.ts";
import {
  CrossSiteError,
  RoleRequiredError,
  SecondFactorRequiredError,
} from "../../../server/interfaces/session-refusals.ts";
import { InvalidKeyFieldError, KeyEndedError, KeyExistsError } from "../../../server/keys/errors.ts";
import { NoCodesError } from "../../../server/orders/errors.ts";
import {
  InvalidPersonFieldError,
  InvitationGoneError,
  LastOwnerError,
  PasskeyExistsError,
  PasskeyRefusedError,
  PasswordsBusyError,
  SecondFactorError,
  SignInRefusedError,
  StepUpRequiredError,
  TooManyAttemptsError,
  TooManyPasskeysError,
  WrongCodeError,
} from "../../../server/people/errors.ts";
import { OF_BODIES, OF_CHANGES, OF_PAGES } from "../../error-codes/domain-errors.ts";
import { codeOf, type InterfaceErrors, metBy } from "../../error-codes/interface-errors.ts";
import { KEY_ID, SIGNED_IN } from "./people.ts";

const WITH_BODY = [
  ...["signIn", "giveFactor", "stepUp", "showInvitation", "acceptInvitation", "changePassword"],
  ...["confirmTotp", "createKey", "changeKey", "rotateKey", "inviteMember", "changeSettings"],
  ...["signInByPasskey", "stepUpByPasskey", "addPasskey", "renamePasskey"],
];
/** What takes a password or may. */
const BY_PASSWORD = ["signIn", "giveFactor", "stepUp", "acceptInvitation", "changePassword"];
const KEY_CHANGES = ["createKey", "changeKey", "revokeKey", "rotateKey", "endKeyOverlap"];
const OF_ONE_KEY = ["getKey", ...KEY_CHANGES.filter((operationId) => operationId !== "createKey")];
/** What is slowed down. */
const ATTEMPTS = [...BY_PASSWORD, "beginPasskeySignIn", "signInByPasskey", "stepUpByPasskey"];
/** What wants a factor of the last minutes. */
const STEPPED_UP = [
  ...["beginTotp", "confirmTotp", "removeTotp", "renewRecoveryCodes", "inviteMember", "removeMember"],
  ...["beginPasskey", "addPasskey", "removePasskey", "revealOrderCodes"],
  ...KEY_CHANGES,
];
const CHANGES = [
  ...["signIn", "signOut", "giveFactor", "stepUp", "acceptInvitation", "changePassword", "endOtherSessions"],
  ...["beginPasskeySignIn", "signInByPasskey", "beginPasskeyStepUp", "stepUpByPasskey", "renamePasskey"],
  ...["endSession", "changeSettings", ...STEPPED_UP],
];
const STATISTICS = ["getSpendStatistics", "getOrderStatistics", "getCallStatistics"];
const EXPORTS = ["exportOrders", "exportLedger", "exportUsage", "exportActivity"];
/** What a session that waits for its second factor may not do. */
const SIGNED_IN_ONLY = [
  ...["getSecurity", "changePassword", "listSessions", "endOtherSessions", "endSession", "getOverview"],
  ...["beginPasskeyStepUp", "stepUpByPasskey", "listPasskeys", "renamePasskey"],
  ...[
    "listKeys",
    "getKey",
    "listOrders",
    "getOrder",
    "listLedger",
    "getStatement",
    "listMembers",
    "listActivity",
    "getSettings",
    "changeSettings",
    ...STATISTICS,
    ...EXPORTS,
    ...STEPPED_UP,
  ],
];

const key = KEY_ID as KeyId;

const ANSWERS: Readonly<Record<string, string>> = {
  stopping: "503 unavailable",
  deadline_passed: "503 unavailable",
  database_unavailable: "503 unavailable",
  contention: "503 unavailable",
  passwords_busy: "503 unavailable",
  too_many_bodies: "503 unavailable",
  service_busy: "503 unavailable",
  commit_outcome_unknown: "503 outcome_unknown",
  invalid_input: "400 invalid_input",
  bad_request: "400 bad_request",
  sign_in_refused: "401 sign_in_refused",
  cross_site: "403 cross_site",
  second_factor_required: "403 second_factor_required",
  step_up_required: "403 step_up_required",
  insufficient_scope: "403 insufficient_scope",
  wrong_code: "403 wrong_code",
  passkey_refused: "403 passkey_refused",
  not_found: "404 not_found",
  key_exists: "409 key_exists",
  key_ended: "409 key_ended",
  no_codes: "409 no_codes",
  second_factor: "409 second_factor_conflict",
  passkey_exists: "409 passkey_exists",
  too_many_passkeys: "409 too_many_passkeys",
  last_owner: "409 last_owner",
  invitation_gone: "410 invitation_gone",
  too_many_attempts: "429 too_many_attempts",
};

/** By the errors' classes. */
const DETAILS: Readonly<Record<string, readonly object[]>> = {
  InvalidFieldError: [
    { fields: { month: "There is no such month." } },
    { fields: { from: "It is none." } },
    { fields: { to: "It is too early." } },
    { fields: { timeZone: "There is no such zone." } },
  ],
  InvalidKeyFieldError: [
    { fields: { name: "It is wrong." } },
    { fields: { overlapSeconds: "It is too long." } },
    { fields: { "Idempotency-Key": "It is none." } },
  ],
  InvalidPersonFieldError: [
    { fields: { newPassword: "It is short." } },
    { fields: { email: "It is none." } },
    { fields: { name: "It is empty." } },
  ],
  KeyExistsError: [{ key }],
  NoCodesError: [{ order: "ord_1", status: "refunded" }],
  RoleRequiredError: ["developer", "billing", "owner"].map((requiredScope) => ({ requiredScope })),
  SecondFactorError: [{ hasSecondFactor: true }, { hasSecondFactor: false }],
};

export default {
  met: [
    ...metBy(WITH_BODY, [...OF_BODIES, new InvalidInputError("A field is none.")]),
    ...metBy(CHANGES, OF_CHANGES),
    ...metBy([...CHANGES, "showInvitation"], [new CrossSiteError()]),
    ...metBy(SIGNED_IN_ONLY, [new SecondFactorRequiredError()]),
    ...metBy(STEPPED_UP, [new StepUpRequiredError()]),
    ...metBy(
      ["listKeys", "getKey", ...KEY_CHANGES, "listOrders", "getOrder", "revealOrderCodes", "exportOrders"],
      [new RoleRequiredError("developer")],
    ),
    ...metBy(
      ["listLedger", "getStatement", "exportLedger", "changeSettings"],
      [new RoleRequiredError("billing")],
    ),
    ...metBy(
      ["inviteMember", "removeMember", "listActivity", "exportActivity"],
      [new RoleRequiredError("owner")],
    ),
    ...metBy(["removeMember"], [new NotFoundError("user", "usr_1")]),
    ...metBy(["removeMember", "acceptInvitation"], [new LastOwnerError()]),
    ...metBy(["inviteMember"], [new InvalidPersonFieldError("email", "It is none.")]),
    ...metBy(
      [
        ...["getOverview", "listKeys", "createKey", "listOrders", "listLedger", "getStatement"],
        ...["listMembers", "inviteMember", "listActivity", "getSettings", "changeSettings"],
        ...[...STATISTICS, ...EXPORTS],
      ],
      [new NotFoundError("account", "acc_1")],
    ),
    ...metBy(["getOrder", "revealOrderCodes"], [new NotFoundError("order", "ord_1")]),
    ...metBy(["revealOrderCodes"], [new NoCodesError("ord_1", "refunded")]),
    ...metBy(
      ["listOrders", "listLedger", "listActivity"],
      [...OF_PAGES, new InvalidFieldError("from", "It is none.")],
    ),
    ...metBy(["getStatement"], [new InvalidFieldError("month", "There is no such month.")]),
    ...metBy([...STATISTICS, ...EXPORTS], [new InvalidFieldError("to", "It is too early.")]),
    ...metBy(["changeSettings"], [new InvalidFieldError("timeZone", "There is no such zone.")]),
    ...metBy(OF_ONE_KEY, [new NotFoundError("key", key)]),
    ...metBy(["endSession"], [new NotFoundError("session", "ses_1")]),
    ...metBy(ATTEMPTS, [new TooManyAttemptsError(11_500)]),
    ...metBy(BY_PASSWORD, [new PasswordsBusyError()]),
    ...metBy(["signIn", "acceptInvitation"], [new SignInRefusedError()]),
    ...metBy(["signInByPasskey"], [new SignInRefusedError("passkey")]),
    ...metBy(["addPasskey", "stepUpByPasskey"], [new PasskeyRefusedError()]),
    ...metBy(["addPasskey"], [new PasskeyExistsError()]),
    ...metBy(["beginPasskey", "addPasskey"], [new TooManyPasskeysError()]),
    ...metBy(["addPasskey", "renamePasskey"], [new InvalidPersonFieldError("name", "It is empty.")]),
    ...metBy(["renamePasskey", "removePasskey"], [new NotFoundError("passkey", "psk_1")]),
    ...metBy(["giveFactor", "stepUp", "confirmTotp"], [new WrongCodeError()]),
    ...metBy(["showInvitation", "acceptInvitation"], [new InvitationGoneError()]),
    ...metBy(
      ["acceptInvitation", "changePassword"],
      [new InvalidPersonFieldError("newPassword", "It is short.")],
    ),
    ...metBy(["beginTotp", "confirmTotp"], [new SecondFactorError(true)]),
    ...metBy(["renewRecoveryCodes"], [new SecondFactorError(false)]),
    ...metBy(["createKey", "changeKey"], [new InvalidKeyFieldError("name", "It is wrong.")]),
    ...metBy(
      ["createKey"],
      [new InvalidKeyFieldError("idempotencyKey", "It is none."), new KeyExistsError(key)],
    ),
    ...metBy(
      ["rotateKey"],
      [new InvalidKeyFieldError("overlap", "It is too long."), new KeyEndedError(key, "revoked")],
    ),
  ],
  admits: { "people.sessions.authenticate": SIGNED_IN },
  answerTo: (error) => ANSWERS[codeOf(error)] ?? null,
  detailsOf: ({ name }) => DETAILS[name] ?? null,
} satisfies InterfaceErrors;
