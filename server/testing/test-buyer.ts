import { expect } from "vitest";
import { type Answer, type RequestOptions, requestShop } from "./request-shop.ts";

/** A buyer of a supplier, for tests. */
export interface TestBuyer {
  /** A request; a body makes it a POST. Rejects when the connection breaks. */
  call(path: string, options?: RequestOptions): Promise<Answer>;
  /** Posts an order of one `pen` under that id. */
  buy(externalOrderId: string, order?: object, options?: RequestOptions): Promise<Answer>;
  /**
   * How posting an order ended: its status, or `cut` or `timeout` when there was no answer.
   * @param patience after how long the buyer gives up, or when; late when not given
   */
  outcomeOf(
    externalOrderId: string,
    order?: object,
    patience?: Patience,
  ): Promise<number | "cut" | "timeout">;
}

/** Milliseconds, see {@link IMPATIENT_MS}, or what has happened when the buyer gives up. */
type Patience = number | (() => boolean);

/** For requests that are never answered, and need not have come to the supplier. */
export const IMPATIENT_MS = 300;
const MAX_WAIT_MS = 120_000;

/** Creates a buyer with a key. */
export function createTestBuyer(url: string, apiKey: string): TestBuyer {
  const call = (path: string, options: RequestOptions = {}) =>
    requestShop(url, path, { key: apiKey, timeoutMs: MAX_WAIT_MS, ...options });
  const buy: TestBuyer["buy"] = (externalOrderId, order = {}, options = {}) =>
    call("/orders", { ...options, body: { externalOrderId, productId: "pen", qty: 1, ...order } });
  return {
    call,
    buy,
    async outcomeOf(externalOrderId, order, patience = MAX_WAIT_MS) {
      try {
        const givingUp = typeof patience === "number" ? AbortSignal.timeout(patience) : abortedWhen(patience);
        return (await buy(externalOrderId, order, { signal: givingUp })).status;
      } catch (error) {
        return ["TimeoutError", "AbortError"].includes((error as Error).name) ? "timeout" : "cut";
      }
    },
  };
}

function abortedWhen(hasHappened: () => boolean): AbortSignal {
  const giving = new AbortController();
  const giveUp = () => giving.abort();
  void expect.poll(hasHappened, { interval: 5 }).toBe(true).then(giveUp, giveUp);
  return giving.signal;
}
