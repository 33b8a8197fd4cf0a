/** Facts about an error that a caller may show: plain JSON values, never a secret or a code. */
export type ErrorFacts = Record<string, string | number | boolean | null>;

/**
 * An error that the domain expects: something a caller asked for cannot be.
 * It carries a stable code and facts; which HTTP status or exit code that makes is decided at the edges.
 */
export abstract class DomainError extends Error {
  abstract readonly code: string;
  readonly facts: ErrorFacts;

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message);
    this.name = new.target.name;
    this.facts = facts;
  }
}

/** The named thing does not exist, or not for this caller. */
export class NotFoundError extends DomainError {
  readonly code = "not_found";

  constructor(kind: string, id: string) {
    super(`There is no ${kind} ${JSON.stringify(id)}.`, { [kind]: id });
  }
}

/** A value is not acceptable; the message says which and why. */
export class InvalidInputError extends DomainError {
  readonly code = "invalid_input";
}

/** What was given for a field is not acceptable; the message says why. */
export class InvalidFieldError extends InvalidInputError {
  readonly field: string;

  /** @param field as use cases and callers both call it, such as `timeZone`. */
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** The thing exists already, with other properties than those asked for. */
export class ConflictError extends DomainError {
  readonly code = "conflict";
}

/** The service itself cannot do at the moment what was asked for; the same may succeed later. */
export abstract class ServiceUnavailableError extends DomainError {
  abstract readonly retryAfterSeconds: number;
}
