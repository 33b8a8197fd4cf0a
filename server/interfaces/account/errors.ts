import { ERROR_STATUSES } from "../../../generated/account/errors.ts";
import type { components } from "../../../generated/account/types.ts";
import { type DomainError, InvalidFieldError, ServiceUnavailableError } from "../../errors.ts";
import { BusyError } from "../../http/errors.ts";
import { errorAnswers, type FaultPlace, type RequestFault } from "../../http/fault.ts";
import { InvalidKeyFieldError, type KeyField } from "../../keys/errors.ts";
import { InvalidPersonFieldError, TooManyAttemptsError } from "../../people/errors.ts";

type ApiError = components["schemas"]["ApiError"];
type ErrorCode = components["schemas"]["ErrorCode"];

/** Codes for faults of the HTTP request itself. */
const CODE_OF_FAULT: Readonly<Record<RequestFault["status"], ErrorCode>> = {
  400: "invalid_input",
  404: "not_found",
  405: "bad_request",
  408: "bad_request",
};

/** Codes of the domain that callers know by another one. */
const OTHER_CODES: Readonly<Record<string, ErrorCode>> = {
  second_factor: "second_factor_conflict",
  commit_outcome_unknown: "outcome_unknown",
  stopping: "unavailable",
  database_unavailable: "unavailable",
  deadline_passed: "unavailable",
  contention: "unavailable",
  passwords_busy: "unavailable",
  too_many_bodies: "unavailable",
  service_busy: "unavailable",
};

/** What a field of a key is called in requests. */
const FIELDS_OF_KEYS: Readonly<Record<KeyField, string>> = {
  name: "name",
  expiresAt: "expiresAt",
  orderCap: "orderCap",
  dailyCap: "dailyCap",
  overlap: "overlapSeconds",
  idempotencyKey: "Idempotency-Key",
};

/** What a header is called that is known in lower case. */
const HEADERS: Readonly<Record<string, string>> = { "idempotency-key": FIELDS_OF_KEYS.idempotencyKey };

/** The account center's answer to whatever went wrong. */
export const toAccountErrorAnswer = errorAnswers({
  ofDomain(error) {
    const code = OTHER_CODES[error.code] ?? error.code;
    if (!isErrorCode(code)) return null;
    return { status: ERROR_STATUSES[code], headers: retryAfter(error), body: bodyOf(code, error) };
  },
  ofRequest: ({ status, message, places }): ApiError => {
    const error = CODE_OF_FAULT[status];
    return places.length === 0
      ? { error, message }
      : { error, message, details: { fields: fieldsOf(places) } };
  },
  ofUnexpected: (message): ApiError => ({ error: "server_error", message }),
});

function bodyOf(code: ErrorCode, error: DomainError): ApiError {
  const { message, facts } = error;
  const field = fieldOf(error);
  if (field !== null) return { error: code, message, details: { fields: { [field]: message } } };
  return Object.keys(facts).length === 0
    ? { error: code, message }
    : { error: code, message, details: facts };
}

function fieldOf(error: DomainError): string | null {
  if (error instanceof InvalidKeyFieldError) return FIELDS_OF_KEYS[error.field];
  return error instanceof InvalidPersonFieldError || error instanceof InvalidFieldError ? error.field : null;
}

/** What people are told in place of the validator's words. */
const WORDS_OF_LENGTHS: readonly (readonly [said: RegExp, words: string])[] = [
  [/^must NOT have fewer than 1 (characters|items)$/, "It must not be empty."],
  [/^must NOT have fewer than (\d+) (characters|items)$/, "At least $1 $2."],
  [/^must NOT have more than (\d+) (characters|items)$/, "At most $1 $2."],
  [/^must have required property .*$/, "It is missing."],
];

/** What they are told in place of a pattern or a format, by what it holds. */
const WORDS_OF_FORMS: readonly (readonly [part: string, words: string])[] = [
  ["(\\.\\d{1,4})?$", "An amount in USD, such as 50 or 12.5: digits, a dot, at most four digits behind it."],
  ["^[0-9]{6}$", "Six digits."],
  ['"date-time"', "A time with its zone, such as 2027-01-01T00:00:00Z."],
];
const OTHER_FORM = "It does not have the form that is wanted here.";

function wordsOf(message: string): string {
  const [said, words] = WORDS_OF_LENGTHS.find(([said]) => said.test(message)) ?? [];
  if (said !== undefined && words !== undefined) return message.replace(said, words);
  if (!message.startsWith("must match ")) return message;
  return WORDS_OF_FORMS.find(([part]) => message.includes(part))?.[1] ?? OTHER_FORM;
}

/** `/body/name` is the field `name`; the first fault of each is told. */
function fieldsOf(places: readonly FaultPlace[]): Readonly<Record<string, string>> {
  const faults = places.map(({ path, message }) => {
    const field = path.split("/").slice(2).join(".") || path;
    return [HEADERS[field] ?? field, wordsOf(message)];
  });
  return Object.fromEntries(faults.toReversed());
}

function retryAfter(error: DomainError): Record<string, string> {
  if (
    error instanceof TooManyAttemptsError ||
    error instanceof BusyError ||
    error instanceof ServiceUnavailableError
  )
    return { "Retry-After": String(error.retryAfterSeconds) };
  return {};
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUSES, code);
}
