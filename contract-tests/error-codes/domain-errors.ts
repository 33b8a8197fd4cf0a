import {
  CommitOutcomeUnknownError,
  ContentionError,
  DatabaseUnavailableError,
} from "../../server/database/faults.ts";
import { type DomainError, InvalidInputError } from "../../server/errors.ts";
import { BadRequestError, BusyError, DeadlinePassedError, StoppingError } from "../../server/http/errors.ts";

// Errors of no interface's own. Those that an interface's use cases throw are in contract-tests/interfaces/<name>/errors.ts.

/** One of every error that callers of all operations meet. */
export const MET_EVERYWHERE: readonly DomainError[] = [
  new StoppingError(),
  new DeadlinePassedError(),
  new DatabaseUnavailableError(new Error("The connection is gone.")),
  new ContentionError(new Error("Others were in the way.")),
];

/** Met by callers whose operation lists page by page. */
export const OF_PAGES: readonly DomainError[] = [
  new InvalidInputError("The cursor is not one of this account."),
];

/** Met by callers who send a body. */
export const OF_BODIES: readonly DomainError[] = [
  new BadRequestError("The body is no JSON."),
  new BusyError("account"),
  new BusyError("service"),
];

/** Met by callers whose operation changes something. */
export const OF_CHANGES: readonly DomainError[] = [
  new CommitOutcomeUnknownError(new Error("The connection is gone.")),
];

/**
 * Errors that only operators meet, those that admission throws by itself, what breaks off a stream that has begun, and that of
 * paths which belong to no operation.
 */
export const NOT_THROWN_AT_CALLERS: ReadonlySet<string> = new Set([
  "ActionChainBrokenError",
  "ConflictError",
  "ImportInterruptedError",
  "ImportRunningError",
  "InsufficientScopeError",
  "KeyUnusableError",
  "ProcessesWithOtherKeysError",
  "RateLimitedError",
  "UnauthorizedError",
  "UnknownPathError",
  "WrongEncryptionKeysError",
]);
