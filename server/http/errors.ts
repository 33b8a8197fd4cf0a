import { DomainError, ServiceUnavailableError } from "../errors.ts";

/** The request cannot be read: no JSON, no media type, a body that is too large. */
export class BadRequestError extends DomainError {
  readonly code = "bad_request";
}

/** No interface documents the path. */
export class UnknownPathError extends DomainError {
  readonly code = "not_found";

  /** @param basePaths what documented paths begin with, such as `/shop/v1` */
  constructor(path: string, basePaths: readonly string[]) {
    const known =
      basePaths.length === 0 ? "" : ` Paths begin with ${basePaths.join(" or ")}; /docs shows them.`;
    super(`There is no path ${JSON.stringify(path)}.${known}`, { path });
  }
}

/** The process is being stopped: it takes no more requests, and another may, or the same in a moment. */
export class StoppingError extends ServiceUnavailableError {
  readonly code = "stopping";
  readonly retryAfterSeconds = 1;

  constructor() {
    super("The service is being restarted. Retry.");
  }
}
