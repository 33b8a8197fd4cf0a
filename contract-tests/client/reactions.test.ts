import { afterAll, beforeAll, expect, test } from "vitest";
import { createMemoryStore } from "../../client/memory-store.ts";
import { createOrderingClient, type Order } from "../../client/ordering-client.ts";
import { ERROR_STATUSES, type ErrorCode } from "../../client/ordering-errors.ts";
import { createPurchases } from "../../client/purchases.ts";
import { openContract } from "../contract.ts";
import { type RunningMock, startMock } from "../prism/start-mock.ts";

/** What the reference says to do: send the same order again, or stop; whether the id may be used again. */
const DOCUMENTED: Readonly<Record<ErrorCode, "again" | "stop, same id" | "stop, new id">> = {
  invalid_input: "stop, new id",
  bad_request: "stop, new id",
  unauthorized: "stop, same id",
  insufficient_balance: "stop, same id",
  key_daily_limit_exceeded: "stop, same id",
  insufficient_scope: "stop, same id",
  key_order_limit_exceeded: "stop, same id",
  not_found: "stop, same id",
  price_changed: "stop, new id",
  idempotency_conflict: "stop, new id",
  out_of_stock: "stop, same id",
  supplier_price_changed: "stop, same id",
  rate_limited: "again",
  server_error: "again",
  supplier_unavailable: "again",
  supplier_not_configured: "stop, same id",
  order_in_progress: "again",
  order_commit_pending: "again",
};

interface Example {
  readonly status: number;
  readonly name: string;
  readonly error: ErrorCode;
  /** What its details ask to wait; 0 when they do not. */
  readonly retryAfterMs: number;
}

const createOrder = openContract("ordering").operations.find(
  ({ operationId }) => operationId === "createOrder",
);
const examples = Object.entries(createOrder?.responses ?? {}).flatMap(([status, { content }]) =>
  Object.values(content).flatMap((media) =>
    Object.entries(media.examples)
      .filter(() => status !== "200")
      .map(([name, { value }]): Example => {
        const { error, details } = value as { error: ErrorCode; details?: { retryAfterSeconds?: number } };
        return {
          status: Number(status),
          name,
          error,
          retryAfterMs: 1000 * (details?.retryAfterSeconds ?? 0),
        };
      }),
  ),
);
const delivered = createOrder?.responses[200]?.content["application/json"]?.examples.first_delivery
  ?.value as Order;
const { externalOrderId, productId, qty, codes, redeemUrl } = delivered;
const ORDER = { externalOrderId, productId, qty };

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

/** Buys from the mock, which answers the first two orders with an example and the next one with codes. */
async function buy({ status, name }: Pick<Example, "status" | "name">) {
  const sent: { method: string; url: string; body: unknown }[] = [];
  const waitsMs: number[] = [];
  const baseUrl = mock.baseUrl("ordering");
  const client = createOrderingClient({
    baseUrl,
    apiKey: "svc_sk_any",
    async fetch(request) {
      const { method, url } = request;
      sent.push({ method, url: url.slice(baseUrl.length), body: await request.clone().json() });
      const prefer =
        sent.length <= 2 ? `code=${status}, example=${name}` : "code=200, example=first_delivery";
      request.headers.set("Prefer", prefer);
      return fetch(request);
    },
  });
  const wait = async (ms: number) => void waitsMs.push(ms);
  const { purchase } = createPurchases({ client, store: createMemoryStore(), wait });
  return { outcome: await purchase(ORDER), sent, waitsMs };
}

const POST = { method: "POST", url: "/orders", body: ORDER };

test("the contract has an example of every code", () => {
  expect(new Set(examples.map(({ error }) => error))).toEqual(new Set(Object.keys(ERROR_STATUSES)));
});

const reactionTo = ({ error }: Example) => DOCUMENTED[error];

test.each(examples.filter((example) => reactionTo(example) !== "again"))(
  "$status $name of the mock is not sent again",
  async (example) => {
    const { outcome, sent } = await buy(example);
    expect(sent).toEqual([POST]);
    const { error } = example;
    if (error === "price_changed") {
      const prices = { expectedUnitPrice: "11.90", actualUnitPrice: "12.50" };
      expect(outcome).toEqual({ ...ORDER, kind: "price_changed", ...prices });
    } else {
      const mayRepeat = reactionTo(example) === "stop, same id";
      expect(outcome).toMatchObject({ ...ORDER, kind: "refused", error, mayRepeat });
    }
  },
);

test.each(examples.filter((example) => reactionTo(example) === "again"))(
  "$status $name of the mock is sent again unchanged until it is delivered",
  async (example) => {
    const { outcome, sent, waitsMs } = await buy(example);
    expect(sent).toEqual([POST, POST, POST]);
    expect(outcome).toMatchObject({ ...ORDER, kind: "delivered", orderId: delivered.orderId });
    expect(outcome).toMatchObject({ codes: codes.map((code) => ({ code, redeemUrl })) });
    for (const waitMs of waitsMs) expect(waitMs).toBeGreaterThanOrEqual(example.retryAfterMs);
  },
);

test("a purchase waits as long as the header of the mock says", async () => {
  const { waitsMs } = await buy({ status: 429, name: "rate_limited" });
  for (const waitMs of waitsMs) expect(waitMs).toBeGreaterThanOrEqual(1000);
});
