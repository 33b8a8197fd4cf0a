import { DomainError } from "../errors.ts";

const MAX_SHOWN_ID_LENGTH = 128;

/** The model is not sold: it has no prices, or is disabled. */
export class UnknownModelError extends DomainError {
  readonly code = "unknown_model";

  constructor(modelId: string) {
    const shown = JSON.stringify(modelId.slice(0, MAX_SHOWN_ID_LENGTH));
    super(`The model ${shown} is not available. GET /v1/models lists those that are.`);
  }
}

/**
 * The upstream gave no answer that can be passed on; the caller was not charged.
 * `retryAfterSeconds` is set when nothing was sent at all (503): it was not reached, or there is none. Otherwise it is
 * null (502): the upstream was asked, and failed.
 */
export class UpstreamUnavailableError extends DomainError {
  readonly code = "upstream_unavailable";
  readonly retryAfterSeconds: number | null;
  /** Whether the upstream is likely to have done, and to bill, the work of this request. */
  readonly workDone: boolean;

  constructor(
    message: string,
    { retryAfterSeconds, workDone = false }: { retryAfterSeconds?: number; workDone?: boolean } = {},
  ) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds ?? null;
    this.workDone = workDone;
  }
}

/** Why the upstream does not take a request, where that is the caller's business. */
export type RefusalCode = "upstream_refused" | "upstream_rate_limited" | "upstream_overloaded";

/**
 * The upstream does not take the request; the caller was not charged. `upstream_refused`: the request is faulty, as the message
 * says in the upstream's words. The others may be repeated after `retryAfterSeconds`.
 */
export class UpstreamRefusedError extends DomainError {
  readonly code: RefusalCode;
  readonly retryAfterSeconds: number | null;
  /** The upstream's name for the request. */
  readonly upstreamRequestId: string | null;

  constructor(
    code: RefusalCode,
    message: string,
    {
      retryAfterSeconds = null,
      upstreamRequestId = null,
    }: { retryAfterSeconds?: number | null; upstreamRequestId?: string | null } = {},
  ) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.upstreamRequestId = upstreamRequestId;
  }
}

/** The upstream refuses us, not the caller: our key, our account. Callers learn no more than that (500). */
export class UpstreamMisconfiguredError extends DomainError {
  readonly code = "upstream_misconfigured";

  constructor() {
    super("The service cannot use its upstream at the moment. The operator has to look into it.");
  }
}
