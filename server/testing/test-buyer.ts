import { type Answer, type CallOptions, callShop } from "./call-shop.ts";

/** A buyer of a supplier, for tests. */
export interface TestBuyer {
  /** A request; a body makes it a POST. Rejects when the connection breaks. */
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Posts an order of one `pen` under that id. */
  buy(externalOrderId: string, order?: object, options?: CallOptions): Promise<Answer>;
  /** How posting an order ended: its status, or `cut` or `timeout` when there was no answer. */
  outcomeOf(externalOrderId: string, order?: object): Promise<number | "cut" | "timeout">;
}

const LONGEST_MS = 20_000;
const PATIENCE_MS = 300;

/** Creates a buyer with a key. */
export function createTestBuyer(url: string, apiKey: string): TestBuyer {
  const call = (path: string, options: CallOptions = {}) =>
    callShop(url, path, { key: apiKey, timeoutMs: LONGEST_MS, ...options });
  const buy: TestBuyer["buy"] = (externalOrderId, order = {}, options = {}) =>
    call("/orders", { ...options, body: { externalOrderId, productId: "pen", qty: 1, ...order } });
  return {
    call,
    buy,
    async outcomeOf(externalOrderId, order) {
      try {
        return (await buy(externalOrderId, order, { timeoutMs: PATIENCE_MS })).status;
      } catch (error) {
        return (error as Error).name === "TimeoutError" ? "timeout" : "cut";
      }
    },
  };
}
