import { DomainError, InvalidInputError } from "../errors.ts";

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

/** The key was revoked, or its account suspended, while a stream was being sent to it. */
export class KeyUnusableError extends DomainError {
  readonly code = "unauthorized";

  constructor() {
    super("The key was revoked, or its account suspended, while the answer was being sent.");
  }
}

/** Why the upstream does not take a request, where that is the caller's business. */
export type RefusalCode = "upstream_refused" | "upstream_rate_limited" | "upstream_overloaded";

/** The statuses with which the upstream speaks of a request. */
export const REFUSAL_STATUSES = [400, 403, 404, 408, 409, 413, 429, 529] as const;
export type RefusalStatus = (typeof REFUSAL_STATUSES)[number];

/** The upstream's `error` object, whole: programs branch on its `details`, and it may have fields that are new. */
export interface UpstreamWords {
  readonly type: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** What is known of a refusal beside its code. */
export interface RefusalFacts {
  /** How the upstream answered. */
  readonly upstreamStatus: RefusalStatus;
  readonly words: UpstreamWords;
  /** When the request may be repeated; null when the upstream does not say. */
  readonly retryAfterSeconds?: number | null;
  /** What the upstream itself says of a repetition; null when it says nothing. */
  readonly shouldRetry?: boolean | null;
  /** The upstream's name for the request. */
  readonly upstreamRequestId?: string | null;
}

/**
 * The upstream does not take the request; the caller was not charged, and is told what the upstream says.
 * `upstream_refused`: something about the request. The others may be repeated after `retryAfterSeconds`.
 */
export class UpstreamRefusedError extends DomainError {
  readonly code: RefusalCode;
  readonly upstreamStatus: RefusalStatus;
  readonly words: UpstreamWords;
  readonly retryAfterSeconds: number | null;
  readonly shouldRetry: boolean | null;
  readonly upstreamRequestId: string | null;

  constructor(code: RefusalCode, facts: RefusalFacts) {
    super(facts.words.message);
    this.code = code;
    this.upstreamStatus = facts.upstreamStatus;
    this.words = facts.words;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
    this.shouldRetry = facts.shouldRetry ?? null;
    this.upstreamRequestId = facts.upstreamRequestId ?? null;
  }
}

/** What the upstream has against this shop, as far as its words tell. */
export const SHOP_REFUSALS = ["credit", "spend_limit", "organization", "key", "other"] as const;
export type ShopRefusal = (typeof SHOP_REFUSALS)[number];

/** The upstream refuses us, not the caller: our key, our account. Callers learn no more than that (500). */
export class UpstreamMisconfiguredError extends DomainError {
  readonly code = "upstream_misconfigured";
  readonly reason: ShopRefusal;
  readonly upstreamStatus: number;

  constructor(reason: ShopRefusal, upstreamStatus: number) {
    super("The service cannot use its upstream at the moment. The operator has to look into it.");
    this.reason = reason;
    this.upstreamStatus = upstreamStatus;
  }
}

/** The account has as many calls under way as it may have at once (429). */
export class TooManyCallsError extends DomainError {
  readonly code = "too_many_calls";
  readonly retryAfterSeconds = 1;

  constructor(limit: number) {
    super(`The account may have ${limit} calls under way at once. Wait until one has ended, then retry.`, {
      limit,
    });
  }
}

/**
 * The request wants the upstream to keep the conversation. Programs that ask for it by themselves, such as the tool runner of
 * the vendor's SDK, know by the code that they have to send the whole conversation without.
 */
export class ThreadNotOfferedError extends InvalidInputError {
  constructor(message: string) {
    super(message, { error_code: "thread_unsupported_request" });
  }
}
