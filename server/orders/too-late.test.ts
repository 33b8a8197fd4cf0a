import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Database } from "../database/database.ts";
import { newId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import type { SupplierAdapter } from "../suppliers/supplier.ts";
import { usd } from "../testing/test-shop.ts";
import { createBuyerOrders } from "./buyer-orders.ts";
import { createCompletePurchase } from "./complete-purchase.ts";
import { OutOfStockError } from "./errors.ts";
import type { JudgeRequestDependencies, OnDemandCandidate } from "./judge-request.ts";
import { judgeRequest } from "./judge-request.ts";
import type { PlacedOrder } from "./order.ts";

const NOW_MS = Date.parse("2026-01-31T12:00:00Z");
const LEASE_MS = 60_000;
const PURCHASE_MS = 20_000;
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const caller: Caller = {
  accountId: newId("acc"),
  keyId: newId("key"),
  kind: "product_ordering",
  orderCapMicrocents: null,
  dailyCapMicrocents: null,
  callsInFlightLimit: null,
  lowersMaxTokens: false,
  rpmLimit: 60,
};
const request = { caller, externalOrderId: "a", productId: "one", qty: 1, expectedUnitPrice: null };
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS });
  vi.clearAllMocks();
});
afterEach(() => vi.useRealTimers());

test("an order call is answered after 25 s, and how its work ends then is not lost", async () => {
  const [refused, broken] = [Promise.withResolvers<PlacedOrder>(), Promise.withResolvers<PlacedOrder>()];
  const placeOrder = vi.fn().mockReturnValueOnce(refused.promise).mockReturnValueOnce(broken.promise);
  const [database, openOrder] = [{} as Database, vi.fn()];
  const orders = createBuyerOrders({ database, clock: Date.now, log, placeOrder, openOrder });
  const place = () => orders.place(request).catch((error: unknown) => error);
  const answers = [place(), place()];
  await vi.advanceTimersByTimeAsync(24_999);
  expect(await Promise.race([...answers, "none"])).toBe("none");
  await vi.advanceTimersByTimeAsync(1);
  for (const answer of answers)
    expect(await Promise.race([answer, "none"])).toMatchObject({
      code: "order_in_progress",
      retryAfterSeconds: 5,
    });
  refused.reject(new OutOfStockError("one", 1));
  broken.reject(new Error("broken"));
  await orders.idle();
  expect(log.error.mock.calls).toEqual([[{ err: new Error("broken") }, expect.any(String)]]);
});

/** A candidate for an order whose supplier takes its time to say what it asks. */
async function judged(quoteMs: number): Promise<OnDemandCandidate> {
  const dependencies = {
    clock: Date.now,
    accounts: {
      get: async () => ({ scoreMicrocents: 0n, balanceMicrocents: usd("9"), reservedMicrocents: 0n }),
    },
    products: {
      priced: async () => ({
        product: {
          productId: "one",
          name: "One",
          redeemUrl: "https://redeem.example",
          supply: { supplierId: "acme", supplierProductId: "theirs", maxUnitCostMicrocents: usd("0.80") },
        },
        unitPriceMicrocents: usd("1"),
      }),
    },
    suppliers: {
      quote: async () => {
        vi.advanceTimersByTime(quoteMs);
        return { unitCostMicrocents: usd("0.50"), available: true };
      },
    },
    times: { leaseMs: LEASE_MS },
    processes: { id: "process" },
    knownOrders: { find: async () => null, findUnlessUnderWay: async () => null },
    selling: true,
  };
  const candidate = await judgeRequest(dependencies as unknown as JudgeRequestDependencies, request);
  if (candidate.kind !== "on-demand") throw new Error("The order is none on demand.");
  return candidate;
}

test("an order's time runs from when it begins to be judged, and its lease from when it is accepted", async () => {
  const { judgedAtMs, order, purchase } = await judged(7_000);
  expect(judgedAtMs).toBe(NOW_MS);
  expect(order.createdAtMs).toBe(NOW_MS + 7_000);
  expect(purchase.inDoubtSinceMs).toBe(NOW_MS + 7_000);
  expect(purchase.dueAtMs).toBe(NOW_MS + 7_000 + LEASE_MS);
});

test.each([
  [PURCHASE_MS, 1],
  [PURCHASE_MS - 1, 0],
])("of a lease of which %i ms are left, %i purchases are begun", async (leftMs, purchases) => {
  const { order, purchase } = await judged(0);
  const change = vi.fn(async (_sql: string, _values: readonly unknown[]) => 1);
  const buy = vi.fn(async () => ({ kind: "unknown", answered: false, message: "" }) as const);
  const lookUp = vi.fn(async () => ({ kind: "unknown", message: "" }) as const);
  const adapter = { purchase: buy, lookUp } as unknown as SupplierAdapter;
  const complete = createCompletePurchase({
    database: { change } as unknown as Database,
    clock: Date.now,
    log,
    times: { leaseMs: LEASE_MS, purchaseMs: PURCHASE_MS, retryableMs: 1 },
    suppliers: { adapterOf: async () => ({ supplier: { status: "active" }, adapter }) as never },
    cipher: {} as never,
    fingerprintKey: vi.fn(),
  });
  vi.advanceTimersByTime(LEASE_MS - leftMs);
  expect(await complete({ order, purchase, inDoubtSinceMs: null, redeemUrl: null })).toEqual({
    kind: "pending",
  });
  expect(buy).toHaveBeenCalledTimes(purchases);
  expect(change).toHaveBeenCalledOnce();
  const inDoubtSinceMs = change.mock.lastCall?.[1][1];
  expect(inDoubtSinceMs).toBe(NOW_MS + LEASE_MS - leftMs);
});
