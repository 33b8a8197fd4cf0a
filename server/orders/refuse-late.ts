import { OrderInProgressError } from "./errors.ts";

/**
 * The longest that an order may take from when it is judged until it is written. The manual for buyers builds on it: they
 * take an order that is not in their list for not bought a minute after they last sent it.
 */
const MAX_MS = 25_000;

/**
 * The last thing that the transaction of a new order does before its COMMIT: its buyer may have taken it for not bought.
 * @throws {OrderInProgressError} one of them took too long, and must not be written any more.
 */
export function refuseLate(candidates: readonly { readonly judgedAtMs: number }[], nowMs: number): void {
  if (candidates.some(({ judgedAtMs }) => nowMs - judgedAtMs > MAX_MS)) throw new OrderInProgressError();
}
