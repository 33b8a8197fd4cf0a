import { DomainError, ServiceUnavailableError } from "../errors.ts";

/** The request cannot be read: no JSON, no media type, a body that is too large. */
export class BadRequestError extends DomainError {
  readonly code = "bad_request";
}

/** The process is being stopped: it takes no more requests, and another may, or the same in a moment. */
export class StoppingError extends ServiceUnavailableError {
  readonly code = "stopping";
  readonly retryAfterSeconds = 1;

  constructor() {
    super("The service is being restarted. Retry.");
  }
}
