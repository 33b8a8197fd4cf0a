import { DomainError } from "../errors.ts";
import type { RateLimitStatus } from "../http/rate-limit.ts";

/** The caller is not known: the key is missing, wrong, revoked or expired, or its account suspended. */
export class UnauthorizedError extends DomainError {
  readonly code = "unauthorized";
}

/** The caller is known but this operation is not for them. */
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

  constructor({ limit, resetMs }: RateLimitStatus) {
    super(`The account may make ${limit} requests a minute. Wait, then retry with exponential backoff.`);
    this.retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  }
}
