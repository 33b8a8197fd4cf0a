import type { components } from "../../../generated/account/types.ts";

/** The codes of errors that the document names. */
export type ErrorCode = components["schemas"]["ErrorCode"];

/** What the page knows of an error besides: that there was no answer, one that is not the service's, or none of the browser's. */
type FaultCode = ErrorCode | "no_answer" | "unreadable_answer" | "passkey_not_given";

/** What a person is told to do, by the code. */
const WORDS: Readonly<Record<FaultCode, string>> = {
  invalid_input: "Some of what you entered cannot be used. Look at the marked fields.",
  bad_request: "The service could not read this request. Reload the page and try again.",
  unauthorized: "You are not signed in any more. Sign in and go on.",
  sign_in_refused:
    "That e-mail and password do not belong together. Try again, or ask the shop for a link by which you choose another password.",
  cross_site:
    "The service took this for a request of another site. Open the account center at its own address.",
  second_factor_required: "Give your second factor first.",
  step_up_required: "Prove again that it is you, then this goes on.",
  insufficient_scope: "Your role in this account does not allow this. Ask an owner of the account.",
  wrong_code: "That is not right, or was used before. Try again with the next code.",
  passkey_refused:
    "The passkey was not accepted: it was removed here, took too long, or the page is not open at its own address. Try again, or sign in with your password.",
  not_found: "There is no such thing here, or it is not yours. Check the address.",
  key_exists: "This has made a key already, whose secret was shown once. Revoke it and make another.",
  key_ended: "The key is revoked or has expired, so that a new secret would not work. Make another key.",
  no_codes: "This order has no codes to show: it is not delivered, or was refunded.",
  second_factor_conflict: "Your second factor has been changed meanwhile. Reload the page and look.",
  passkey_exists: "This device or security key has a passkey of yours already.",
  too_many_passkeys: "You have 20 passkeys already. Remove one that you do not use.",
  last_owner: "The account would have no owner any more. Make somebody else an owner first.",
  invitation_gone: "This link was used, has expired or was replaced by a newer one. Ask for a new one.",
  too_many_attempts: "There were too many wrong attempts.",
  server_error: "The service made a mistake. Try again; if it stays, ask for help and name the number below.",
  unavailable: "The service cannot answer at the moment. Try again in a moment.",
  outcome_unknown: "It is not certain whether this was done. Look whether it was before you repeat it.",
  no_answer: "There was no answer. Check your connection and try again.",
  passkey_not_given:
    "Your browser gave no passkey: you declined, it took too long, or there is none. Try again.",
  unreadable_answer: "What answered is not the service. Check your connection and try again.",
};

/** An answer that is an error, or none at all. */
export class Fault extends Error {
  override readonly name = "Fault";
  /** 0 where there was no answer. */
  readonly status: number;
  readonly code: FaultCode;
  /** By the fields of the request, in words. */
  readonly fields: Readonly<Record<string, string>>;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;
  /** To be named when asking for help; null where there was no answer. */
  readonly requestId: string | null;

  constructor(code: FaultCode, response?: Response, details: unknown = {}) {
    super(code);
    this.code = code;
    this.status = response?.status ?? 0;
    this.requestId = response?.headers.get("x-request-id") ?? null;
    const retryAfter = response?.headers.get("retry-after") ?? "";
    this.retryAfterSeconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
    this.details = isRecord(details) ? details : {};
    this.fields = textsIn(this.details.fields);
  }

  /** What went wrong and what to do, for a person. */
  get words(): string {
    const wait = this.retryAfterSeconds;
    if (this.code === "too_many_attempts" && wait !== null)
      return `${WORDS.too_many_attempts} Try again in ${durationWords(wait)}.`;
    return WORDS[this.code];
  }

  /** Reads the body of an error; whatever is none is one that cannot be read. */
  static of(body: unknown, response: Response): Fault {
    const { error, details } = isRecord(body) ? body : {};
    return isErrorCode(error)
      ? new Fault(error, response, details)
      : new Fault(response.status === 503 ? "unavailable" : "unreadable_answer", response);
  }
}

/** What is wrong with the fields of a request, whatever it failed by. */
export function faultFields(error: unknown): Fault["fields"] {
  return error instanceof Fault ? error.fields : {};
}

function durationWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "a second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(WORDS, code);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textsIn(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
