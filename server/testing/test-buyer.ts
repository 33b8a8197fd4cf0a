import { type Answer, type RequestOptions, requestShop } from "./request-shop.ts";

/** A buyer of a supplier, for tests. */
export interface TestBuyer {
  /** A request; a body makes it a POST. Rejects when the connection breaks. */
  call(path: string, options?: RequestOptions): Promise<Answer>;
  /** Posts an order of one `pen` under that id. */
  buy(externalOrderId: string, order?: object, options?: RequestOptions): Promise<Answer>;
  /**
   * How posting an order ended: its status, or `cut` or `timeout` when there was no answer.
   * @param maxWaitMs long when not given; see {@link IMPATIENT_MS}
   */
  outcomeOf(externalOrderId: string, order?: object, maxWaitMs?: number): Promise<number | "cut" | "timeout">;
}

/** For requests that are never answered. */
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
    async outcomeOf(externalOrderId, order, maxWaitMs = MAX_WAIT_MS) {
      try {
        return (await buy(externalOrderId, order, { timeoutMs: maxWaitMs })).status;
      } catch (error) {
        return (error as Error).name === "TimeoutError" ? "timeout" : "cut";
      }
    },
  };
}
