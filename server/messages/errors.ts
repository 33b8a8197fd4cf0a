import { DomainError } from "../errors.ts";

const LONGEST_SHOWN_ID = 128;

/** The model is not sold: it has no prices, or is disabled. */
export class UnknownModelError extends DomainError {
  readonly code = "unknown_model";

  constructor(modelId: string) {
    const shown = JSON.stringify(modelId.slice(0, LONGEST_SHOWN_ID));
    super(`The model ${shown} is not available. GET /v1/models lists those that are.`);
  }
}

/**
 * The upstream gave no answer that can be passed on; nobody was charged.
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

/** The upstream refuses us, not the caller: our key, our account. Callers learn no more than that (500). */
export class UpstreamMisconfiguredError extends DomainError {
  readonly code = "upstream_misconfigured";

  constructor() {
    super("The service cannot use its upstream at the moment. The operator has to look into it.");
  }
}
