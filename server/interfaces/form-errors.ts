import { type DomainError, InvalidFieldError, ServiceUnavailableError } from "../errors.ts";
import { BusyError } from "../http/errors.ts";
import { errorAnswers, type FaultPlace, type RequestFault, type ToErrorAnswer } from "../http/fault.ts";
import { InvalidPersonFieldError, TooManyAttemptsError } from "../people/errors.ts";

/** Codes that every interface of pages has. */
type CommonCode =
  | "invalid_input"
  | "bad_request"
  | "not_found"
  | "second_factor_conflict"
  | "server_error"
  | "unavailable"
  | "outcome_unknown";

/** Codes for faults of the HTTP request itself. */
const CODE_OF_FAULT: Readonly<Record<RequestFault["status"], CommonCode>> = {
  400: "invalid_input",
  404: "not_found",
  405: "bad_request",
  408: "bad_request",
};

/** Codes of the domain that callers know by another one. */
const OTHER_CODES: Readonly<Record<string, CommonCode>> = {
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

/** What an interface of pages tells of errors in its own way. */
interface FormErrors {
  /** The status of each code that its document has. */
  readonly statuses: Readonly<Record<CommonCode, number>> & Readonly<Record<string, number>>;
  /** The field that an error is about; null: not one that this knows. */
  readonly fieldOf?: (error: DomainError) => string | null;
  /** What a header is called that is known in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the answer to whatever went wrong of an interface of pages: for forms, `details.fields` has a sentence for each field. */
export function formErrorAnswers({
  statuses,
  fieldOf = () => null,
  headers = {},
}: FormErrors): ToErrorAnswer {
  return errorAnswers({
    ofDomain(error) {
      const code = OTHER_CODES[error.code] ?? error.code;
      const status = Object.hasOwn(statuses, code) ? statuses[code] : undefined;
      if (status === undefined) return null;
      const field = fieldOf(error) ?? fieldOfAny(error);
      return { status, headers: retryAfter(error), body: bodyOf(code, error, field) };
    },
    ofRequest({ status, message, places }) {
      const error = CODE_OF_FAULT[status];
      return places.length === 0
        ? { error, message }
        : { error, message, details: { fields: fieldsOf(places, headers) } };
    },
    ofUnexpected: (message) => ({ error: "server_error", message }),
  });
}

function bodyOf(code: string, { message, facts }: DomainError, field: string | null): object {
  if (field !== null) return { error: code, message, details: { fields: { [field]: message } } };
  return Object.keys(facts).length === 0
    ? { error: code, message }
    : { error: code, message, details: facts };
}

function fieldOfAny(error: DomainError): string | null {
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
function fieldsOf(
  places: readonly FaultPlace[],
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const faults = places.map(({ path, message }) => {
    const field = path.split("/").slice(2).join(".") || path;
    return [headers[field] ?? field, wordsOf(message)];
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
