/** An HTTP answer as it came, with its body read. */
export interface BuyerAnswer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Record<string, string | undefined>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on whatever came.
  readonly body: any;
}

interface BuyerCall {
  readonly key?: string | null;
  readonly method?: string;
  /** Sent as JSON; a string as it is. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly timeoutMs?: number;
}

/** A buyer of a supplier, for tests. */
export interface TestBuyer {
  /** A request; a body makes it a POST. Rejects when the connection breaks. */
  call(path: string, options?: BuyerCall): Promise<BuyerAnswer>;
  /** Posts an order of one `pen` under that id. */
  buy(externalOrderId: string, order?: object, options?: BuyerCall): Promise<BuyerAnswer>;
  /**
   * How posting an order ended: its status, or `cut` or `timeout` when there was no answer.
   * @param patienceMs long when not given; see {@link IMPATIENT_MS}
   */
  outcomeOf(
    externalOrderId: string,
    order?: object,
    patienceMs?: number,
  ): Promise<number | "cut" | "timeout">;
}

/** For requests that are never answered. */
export const IMPATIENT_MS = 300;
const PATIENCE_MS = 120_000;

/** Creates a buyer with a key. */
export function createTestBuyer(url: string, apiKey: string): TestBuyer {
  const call = async (path: string, options: BuyerCall = {}): Promise<BuyerAnswer> => {
    const { key = apiKey, body, headers, timeoutMs = PATIENCE_MS } = options;
    const response = await fetch(url + path, {
      method: options.method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      body: parse(text),
    };
  };
  const buy: TestBuyer["buy"] = (externalOrderId, order = {}, options = {}) =>
    call("/orders", { ...options, body: { externalOrderId, productId: "pen", qty: 1, ...order } });
  return {
    call,
    buy,
    async outcomeOf(externalOrderId, order, patienceMs = PATIENCE_MS) {
      try {
        return (await buy(externalOrderId, order, { timeoutMs: patienceMs })).status;
      } catch (error) {
        return (error as Error).name === "TimeoutError" ? "timeout" : "cut";
      }
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
