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

const BUSY = {
  account: {
    code: "too_many_bodies",
    message: "The account has as many large requests under way as it may. Retry with exponential backoff.",
  },
  service: {
    code: "service_busy",
    message: "The service has as many large requests under way as it can. Retry with exponential backoff.",
  },
} as const;

/** There is no room for the body of a request; nothing was done. The same request may be sent again. */
export class BusyError extends DomainError {
  readonly code: (typeof BUSY)[keyof typeof BUSY]["code"];
  readonly retryAfterSeconds = 2;

  /** @param who whose bodies are too many */
  constructor(who: keyof typeof BUSY) {
    super(BUSY[who].message);
    this.code = BUSY[who].code;
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

/** The work that the caller waits for takes too long. */
export class DeadlinePassedError extends ServiceUnavailableError {
  readonly code = "deadline_passed";
  readonly retryAfterSeconds = 2;

  constructor() {
    super("The service takes too long at the moment. Wait, then retry.");
  }
}
