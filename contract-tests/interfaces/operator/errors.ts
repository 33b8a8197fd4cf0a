import { InvalidInputError, NotFoundError } from "../../../server/errors.ts";
import {
  CrossSiteError,
  RoleRequiredError,
  SecondFactorMissingError,
  SecondFactorRequiredError,
} from "../../../server/interfaces/session-refusals.ts";
import {
  InvalidPersonFieldError,
  InvitationGoneError,
  LastAdminError,
  PasswordsBusyError,
  SecondFactorError,
  SignInRefusedError,
  StepUpRequiredError,
  TooManyAttemptsError,
  WrongCodeError,
} from "../../../server/people/errors.ts";
import { OF_BODIES, OF_CHANGES } from "../../error-codes/domain-errors.ts";
import { codeOf, type InterfaceErrors, metBy } from "../../error-codes/interface-errors.ts";
import { SIGNED_IN } from "./people.ts";

const WITH_BODY = [
  ...["signIn", "giveFactor", "stepUp", "showInvitation", "acceptInvitation", "changePassword"],
  ...["confirmTotp", "inviteOperator"],
];
/** What takes a password or may. */
const BY_PASSWORD = ["signIn", "giveFactor", "stepUp", "acceptInvitation", "changePassword"];
/** What wants a factor of the last minutes. */
const STEPPED_UP = [
  "beginTotp",
  "confirmTotp",
  "removeTotp",
  "renewRecoveryCodes",
  "inviteOperator",
  "removeOperator",
];
const CHANGES = [
  ...["signIn", "signOut", "giveFactor", "stepUp", "acceptInvitation", "changePassword", "endOtherSessions"],
  ...["endSession", ...STEPPED_UP],
];
/** What wants a role, and with it a second factor. */
const BY_ROLE = ["listOperators", "inviteOperator", "removeOperator"];
/** What a session that waits for its second factor may not do. */
const SIGNED_IN_ONLY = [
  ...["getSecurity", "changePassword", "listSessions", "endOtherSessions", "endSession", "listOperators"],
  ...STEPPED_UP,
];

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
  second_factor_missing: "403 second_factor_missing",
  step_up_required: "403 step_up_required",
  insufficient_scope: "403 insufficient_scope",
  wrong_code: "403 wrong_code",
  not_found: "404 not_found",
  second_factor: "409 second_factor_conflict",
  last_admin: "409 last_admin",
  invitation_gone: "410 invitation_gone",
  too_many_attempts: "429 too_many_attempts",
};

/** By the errors' classes. */
const DETAILS: Readonly<Record<string, readonly object[]>> = {
  InvalidPersonFieldError: [
    { fields: { newPassword: "It is short." } },
    { fields: { email: "It is none." } },
  ],
  RoleRequiredError: [{ requiredScope: "admin" }],
  SecondFactorError: [{ hasSecondFactor: true }, { hasSecondFactor: false }],
};

export default {
  met: [
    ...metBy(WITH_BODY, [...OF_BODIES, new InvalidInputError("A field is none.")]),
    ...metBy(CHANGES, OF_CHANGES),
    ...metBy([...CHANGES, "showInvitation"], [new CrossSiteError()]),
    ...metBy(SIGNED_IN_ONLY, [new SecondFactorRequiredError()]),
    ...metBy(BY_ROLE, [new SecondFactorMissingError()]),
    ...metBy(STEPPED_UP, [new StepUpRequiredError()]),
    ...metBy(["inviteOperator", "removeOperator"], [new RoleRequiredError("admin")]),
    ...metBy(["inviteOperator"], [new InvalidPersonFieldError("email", "It is none.")]),
    ...metBy(["acceptInvitation", "removeOperator"], [new LastAdminError()]),
    ...metBy(["removeOperator"], [new NotFoundError("operator", "usr_1")]),
    ...metBy(["endSession"], [new NotFoundError("session", "ses_1")]),
    ...metBy(BY_PASSWORD, [new TooManyAttemptsError(11_500), new PasswordsBusyError()]),
    ...metBy(["signIn", "acceptInvitation"], [new SignInRefusedError()]),
    ...metBy(["giveFactor", "stepUp", "confirmTotp"], [new WrongCodeError()]),
    ...metBy(["showInvitation", "acceptInvitation"], [new InvitationGoneError()]),
    ...metBy(
      ["acceptInvitation", "changePassword"],
      [new InvalidPersonFieldError("newPassword", "It is short.")],
    ),
    ...metBy(["beginTotp", "confirmTotp"], [new SecondFactorError(true)]),
    ...metBy(["renewRecoveryCodes"], [new SecondFactorError(false)]),
  ],
  admits: { "people.operators.sessions.authenticate": SIGNED_IN },
  answerTo: (error) => ANSWERS[codeOf(error)] ?? null,
  detailsOf: ({ name }) => DETAILS[name] ?? null,
} satisfies InterfaceErrors;
