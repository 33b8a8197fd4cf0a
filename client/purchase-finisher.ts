import type { OrderingClient } from "./ordering-client.ts";
import type { OrderingError } from "./ordering-errors.ts";
import { backoffMs } from "./pause.ts";
import type { Conclusion, PurchaseOutcome, PurchaseStore, StoredPurchase, Unresolved } from "./purchase.ts";
import { type Attempt, lookUp, refusalOf, sendOnce } from "./purchase-attempt.ts";

interface FinisherDependencies {
  readonly client: OrderingClient;
  readonly store: PurchaseStore;
  readonly giveUpAfterMs: number;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Brings stored purchases to their ends, and stores those. */
export interface Finisher {
  /**
   * Sends a purchase until its outcome is certain or the time is up.
   * @param mayHaveBeenSent whether it may have been sent before, so that a refusal proves nothing by itself.
   */
  finish(
    stored: StoredPurchase,
    mayHaveBeenSent: boolean,
    signal: AbortSignal | undefined,
  ): Promise<PurchaseOutcome>;
  /** Looks up a purchase that may have been sent, and goes on with it. */
  resume(stored: StoredPurchase, signal: AbortSignal | undefined): Promise<PurchaseOutcome>;
}

/** A finisher for the purchases of one store. */
export function createFinisher({ client, store, giveUpAfterMs, wait }: FinisherDependencies): Finisher {
  async function finish(
    stored: StoredPurchase,
    mayHaveBeenSent: boolean,
    signal: AbortSignal | undefined,
  ): Promise<PurchaseOutcome> {
    const giveUpAtMs = Date.now() + giveUpAfterMs;
    let isInDoubt = mayHaveBeenSent;
    for (let attempts = 1; ; attempts++) {
      if (signal?.aborted) return unresolved(stored, "aborted", null);
      const attempt = await sendOnce(client, stored, signal);
      if (attempt.kind === "delivered") return conclude(stored, attempt.delivered);
      if (attempt.kind === "stop") return stop(stored, attempt, isInDoubt, signal);
      isInDoubt ||= attempt.mayHaveTakenEffect;
      const waitMs = Math.max(backoffMs(attempts), attempt.error?.retryAfterMs ?? 0);
      if (Date.now() + waitMs > giveUpAtMs) return unresolved(stored, "given_up", attempt.error);
      await wait(waitMs, signal);
    }
  }

  /** A refusal says that nothing was bought only when no earlier attempt can have been. */
  async function stop(
    stored: StoredPurchase,
    { error }: Extract<Attempt, { kind: "stop" }>,
    isInDoubt: boolean,
    signal: AbortSignal | undefined,
  ): Promise<PurchaseOutcome> {
    const refusal = refusalOf(error);
    if (refusal !== null && !isInDoubt) return conclude(stored, refusal);
    const found = await lookUp(client, stored, signal);
    if (found.kind === "delivered") return conclude(stored, found.delivered);
    if (found.kind === "not-bought" && refusal !== null) return conclude(stored, refusal);
    return unresolved(stored, "stopped", error);
  }

  async function resume(stored: StoredPurchase, signal: AbortSignal | undefined): Promise<PurchaseOutcome> {
    const found = await lookUp(client, stored, signal);
    return found.kind === "delivered" ? conclude(stored, found.delivered) : finish(stored, true, signal);
  }

  async function conclude(stored: StoredPurchase, conclusion: Conclusion): Promise<PurchaseOutcome> {
    await store.conclude(stored, conclusion);
    return outcomeOf(stored, conclusion);
  }

  return { finish, resume };
}

/** What became of a purchase that is concluded. */
export function outcomeOf(
  { externalOrderId, productId, qty }: StoredPurchase,
  conclusion: Conclusion,
): PurchaseOutcome {
  return { externalOrderId, productId, qty, ...conclusion };
}

function unresolved(
  { externalOrderId, productId, qty }: StoredPurchase,
  reason: Unresolved["reason"],
  error: OrderingError | null,
): PurchaseOutcome {
  return { externalOrderId, productId, qty, kind: "unresolved", reason, error };
}
