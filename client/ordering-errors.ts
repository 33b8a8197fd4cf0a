import { ERROR_STATUSES } from "../generated/ordering/errors.ts";
import type { components } from "../generated/ordering/types.ts";

/** The codes of the contract's errors. */
export type ErrorCode = components["schemas"]["ErrorCode"];

export { ERROR_STATUSES };

/** Both prices of `price_changed`, as DecimalMoney. */
export interface PriceChange {
  readonly expectedUnitPrice: string;
  readonly actualUnitPrice: string;
}

/** The order that an `idempotency_conflict` is about, when that order is closed. */
export interface ClosedOrder {
  readonly orderId: string;
  readonly status: string;
  /** Why it was closed, where that is told. */
  readonly errorCode: string | null;
}

/** What `details` hold; null where they are missing or in other words. */
interface DetailsByCode {
  price_changed: PriceChange | null;
  idempotency_conflict: ClosedOrder | null;
}

interface Told<Code, Status, Details> {
  /** The stable code to branch on. */
  readonly error: Code;
  readonly status: Status;
  /** For people; its text can change at any time. */
  readonly message: string;
  readonly details: Details;
  /** How long the service asks to wait before the next attempt; null when it does not say. */
  readonly retryAfterMs: number | null;
}

type ContractError = {
  [Code in ErrorCode]: Told<
    Code,
    (typeof ERROR_STATUSES)[Code],
    Code extends keyof DetailsByCode ? DetailsByCode[Code] : unknown
  >;
}[ErrorCode];

/**
 * Any answer of the ordering interface that is not what was asked for. `unreadable_answer` is one that is not in the
 * contract's words, such as a gateway's page: nothing follows from it.
 */
export type OrderingError = ContractError | Told<"unreadable_answer", number, null>;

const MAX_WAIT_SECONDS = 86_400;

/** The code of an error that is in the contract's words; one with another status was not said by the service. */
export function readErrorCode(status: number, body: unknown): ErrorCode | null {
  const { error, message } = fieldsOf(body);
  if (typeof message !== "string" || !isErrorCode(error)) return null;
  return ERROR_STATUSES[error] === status ? error : null;
}

/** How long an error asks to wait, by its details or the header `Retry-After`, up to a day; null when it does not. */
export function readRetryAfterMs(body: unknown, header: string | null): number | null {
  const told = fieldsOf(fieldsOf(body).details).retryAfterSeconds;
  if (typeof told === "number" && Number.isInteger(told) && told > 0) return inMs(told);
  return header !== null && /^\d{1,6}$/.test(header) ? inMs(Number(header)) : null;
}

/** Reads an error's body. */
export function readOrderingError(body: unknown, { status, headers }: Response): OrderingError {
  const code = readErrorCode(status, body);
  const retryAfterMs = readRetryAfterMs(body, headers.get("Retry-After"));
  if (code === null) {
    const message = `The service answered ${status}, and not in the contract's words.`;
    return { error: "unreadable_answer", status, message, details: null, retryAfterMs };
  }
  const { message, details } = fieldsOf(body);
  return { error: code, status, message, details: readDetails(code, details), retryAfterMs } as OrderingError;
}

function readDetails(code: ErrorCode, details: unknown): unknown {
  if (code === "price_changed") return readPriceChange(fieldsOf(details));
  return code === "idempotency_conflict" ? readClosedOrder(fieldsOf(details)) : details;
}

function readPriceChange({ expectedUnitPrice, actualUnitPrice }: Fields): PriceChange | null {
  const areTexts = typeof expectedUnitPrice === "string" && typeof actualUnitPrice === "string";
  return areTexts ? { expectedUnitPrice, actualUnitPrice } : null;
}

function readClosedOrder({ orderId, status, errorCode }: Fields): ClosedOrder | null {
  if (typeof orderId !== "string" || typeof status !== "string") return null;
  return { orderId, status, errorCode: typeof errorCode === "string" ? errorCode : null };
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(ERROR_STATUSES, code);
}

function inMs(seconds: number): number {
  return 1000 * Math.min(seconds, MAX_WAIT_SECONDS);
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
