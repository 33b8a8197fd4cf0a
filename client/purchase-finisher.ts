import type { OrderingClient } from "./ordering-client.ts";
import type { OrderingError } from "./ordering-errors.ts";
import { backoffMs } from "./pause.ts";
import type { Conclusion, PurchaseOutcome, PurchaseStore, StoredPurchase, Unresolved } from "./purchase.ts";
import { lookUp, MAX_ORDER_MS, refusalOf, sendOnce } from "./purchase-attempt.ts";

interface FinisherDependencies {
  readonly client: OrderingClient;
  readonly store: PurchaseStore;
  readonly giveUpAfterMs: number;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** What an earlier attempt at a purchase may still come to, and how long that may be waited for. */
interface Doubt {
  /** Until when it may be bought; null when it cannot have been sent before. */
  readonly endsAtMs: number | null;
  readonly giveUpAtMs: number;
  readonly signal: AbortSignal | undefined;
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
    // Until then what was sent may still be bought; null when no attempt has left a doubt.
    let doubtEndsAtMs = mayHaveBeenSent ? Date.now() + MAX_ORDER_MS : null;
    for (let attempts = 1; ; attempts++) {
      if (signal?.aborted) return unresolved(stored, "aborted", null);
      const attempt = await sendOnce(client, stored, signal);
      if (attempt.kind === "delivered") return conclude(stored, attempt.delivered);
      if (attempt.kind === "stop")
        return stop(stored, attempt.error, { endsAtMs: doubtEndsAtMs, giveUpAtMs, signal });
      if (attempt.mayHaveTakenEffect) doubtEndsAtMs = Date.now() + MAX_ORDER_MS;
      const waitMs = Math.max(backoffMs(attempts), attempt.error?.retryAfterMs ?? 0);
      if (Date.now() + waitMs > giveUpAtMs) return unresolved(stored, "given_up", attempt.error);
      await wait(waitMs, signal);
    }
  }

  /**
   * A refusal says that nothing was bought only when no earlier attempt can have been; and that the service knows of no
   * order says so only when all that was sent has had its time.
   */
  async function stop(
    stored: StoredPurchase,
    error: OrderingError,
    { endsAtMs, giveUpAtMs, signal }: Doubt,
  ): Promise<PurchaseOutcome> {
    const refusal = refusalOf(error);
    if (refusal !== null && endsAtMs === null) return conclude(stored, refusal);
    let found = await lookUp(client, stored, signal);
    const restMs = (endsAtMs ?? 0) - Date.now();
    if (refusal !== null && found.kind === "not-bought" && restMs > 0) {
      if (Date.now() + restMs > giveUpAtMs) return unresolved(stored, "given_up", error);
      await wait(restMs, signal);
      if (signal?.aborted) return unresolved(stored, "aborted", error);
      found = await lookUp(client, stored, signal);
    }
    if (found.kind === "delivered") return conclude(stored, found.delivered);
    const isNotBought = found.kind === "not-bought" || found.kind === "closed";
    return isNotBought && refusal !== null ? conclude(stored, refusal) : unresolved(stored, "stopped", error);
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
