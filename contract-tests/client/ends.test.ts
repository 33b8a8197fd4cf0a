import { expect, test } from "vitest";
import { NoAnswerError } from "../../client/no-answer-error.ts";
import { createOrderingClient } from "../../client/ordering-client.ts";
import { createProxyClient } from "../../client/proxy-client.ts";
import type { CallOptions } from "../../client/requester.ts";
import { openContract } from "../contract.ts";

// No call of the client waits for ever: each ends by its time limit and by its caller's signal, also where it has both.

const BY_THEN_MS = 20_000;
const message = { model: "any", max_tokens: 10, messages: [{ role: "user", content: "Hello!" }] };
const order = { externalOrderId: "a-1", productId: "pen", qty: 1 };

/** A service that has taken the request and says nothing. */
const fetch = ({ signal }: Request) =>
  new Promise<Response>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
const apiKey = "svc_sk_any";
const ordering = createOrderingClient({ baseUrl: "https://shop.example/shop/v1", apiKey, fetch });
const proxy = createProxyClient({ baseUrl: "https://shop.example", apiKey, fetch });

/** A call of every operation, by its interface and name. */
const CALLS: Readonly<Record<string, (options: CallOptions) => Promise<unknown>>> = {
  "ordering getPricing": (options) => ordering.getPricing(options),
  "ordering listProducts": (options) => ordering.listProducts(options),
  "ordering checkAvailability": (options) => ordering.checkAvailability("pen", 1, options),
  "ordering getBalance": (options) => ordering.getBalance(options),
  "ordering createOrder": (options) => ordering.createOrder(order, options),
  "ordering listOrders": (options) => ordering.listOrders({}, options),
  "ordering getOrder": (options) => ordering.getOrder("ord_1", options),
  "proxy createMessage": (options) => proxy.messages.create(message, options),
  "proxy createMessage as a stream": (options) => proxy.messages.stream(message, options),
  "proxy countTokens": (options) => proxy.messages.countTokens(message, options),
  "proxy listModels": (options) => proxy.listModels({}, options),
  "proxy getModel": (options) => proxy.getModel("any", options),
  "proxy getAccount": (options) => proxy.getAccount(options),
  "proxy listUsage": (options) => proxy.listUsage({}, options),
  "proxy listLedger": (options) => proxy.listLedger({}, options),
};

test("the client calls every operation of its interfaces", () => {
  const titles = ["ordering", "proxy"].flatMap((name) =>
    openContract(name).operations.map(({ operationId }) => `${name} ${operationId}`),
  );
  expect(Object.keys(CALLS)).toEqual(expect.arrayContaining(titles));
});

test.concurrent.each(Object.entries(CALLS))(
  "%s ends by its time limit and by its signal",
  async (title, call) => {
    const never = new AbortController();
    const ended = async (options: CallOptions) =>
      Promise.race([
        call(options).catch((error: unknown) => error),
        new Promise((resolve) => setTimeout(resolve, BY_THEN_MS, "it waits for ever").unref()),
      ]);
    const timeout = { reason: "timeout" };
    for (const options of [{ timeoutMs: 1 }, { timeoutMs: 1, signal: never.signal }]) {
      const error = await ended(options);
      expect(error, `${title} with ${Object.keys(options).join(" and ")}`).toBeInstanceOf(NoAnswerError);
      expect(error).toMatchObject(timeout);
    }
    const reason = new Error("Its caller does not want it any more.");
    const caller = new AbortController();
    const waiting = ended({ timeoutMs: BY_THEN_MS, signal: caller.signal });
    caller.abort(reason);
    expect(await waiting, `${title} whose signal aborts`).toBe(reason);
  },
);
