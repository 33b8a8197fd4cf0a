import { DomainError } from "../errors.ts";
import type { RateStanding } from "./rate-limit.ts";

/** The request cannot be read: no JSON, no media type, a body that is too large. */
export class BadRequestError extends DomainError {
  readonly code = "bad_request";
}

/** The key is missing, unknown or revoked, or its account suspended. */
export class UnauthorizedError extends DomainError {
  readonly code = "unauthorized";

  constructor() {
    super("Send a valid API key: Authorization: Bearer <API_KEY>.");
  }
}

/** The key is valid but not for this operation. */
export class InsufficientScopeError extends DomainError {
  readonly code = "insufficient_scope";

  constructor(needed: readonly string[]) {
    super(`This operation needs a key with the scope ${needed.join(" ")}.`, {
      requiredScope: needed.join(" "),
    });
  }
}

/** The account has used up its requests of this minute. */
export class RateLimitedError extends DomainError {
  readonly code = "rate_limited";
  readonly retryAfterSeconds: number;

  constructor({ limit, resetMs }: RateStanding) {
    super(`The account may make ${limit} requests a minute. Wait, then retry with exponential backoff.`);
    this.retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  }
}
