import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId, type OrderId } from "../ids.ts";
import type { Microcents } from "../money/microcents.ts";
import { SupplierUnavailableError } from "../suppliers/errors.ts";
import type { SupplierAdapter, SupplierOrder } from "../suppliers/supplier.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";
import type { OrderStatus } from "./order-status.ts";
import { type ReconcileProgress, reconcile } from "./reconcile.ts";

const NOW_MS = Date.parse("2026-07-10T12:00:00Z");
const DAY_MS = 86_400_000;
const WINDOW = { fromMs: Date.parse("2026-07-01"), toMs: Date.parse("2026-07-02") };
const NOON_MS = WINDOW.fromMs + DAY_MS / 2;

let services: TestServices;
let theirs: SupplierOrder[];
let askedSinceMs: number;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(async () => {
  // The orders of these tests are rows without accounts, which no audit passes.
  await clear();
  await services.dispose();
});
beforeEach(async () => {
  theirs = [];
  await clear();
});

async function clear(): Promise<void> {
  for (const table of ["orders", "purchases"]) await services.database.change(`DELETE FROM ${table}`);
}

interface Ours {
  orderId?: OrderId;
  status?: OrderStatus;
  createdAtMs?: number;
  deliveredAtMs?: number | null;
  supplierId?: string;
  supplierOrderId?: string | null;
  qty?: number;
  unitCost?: string;
  maxUnitCost?: string;
}

/** An order here: delivered at noon in the window, two codes at 0.50, unless it is said otherwise. */
async function here(ours: Ours = {}): Promise<OrderId> {
  const { orderId = newId("ord"), status = "delivered", qty = 2, unitCost = "0.50" } = ours;
  const { maxUnitCost = "2" } = ours;
  const { deliveredAtMs = status === "delivered" ? NOON_MS : null } = ours;
  const { createdAtMs = deliveredAtMs ?? NOON_MS, supplierId = "acme" } = ours;
  const { supplierOrderId = deliveredAtMs === null ? null : `their-${orderId}` } = ours;
  await services.database.change(
    `INSERT INTO orders VALUES (?, 'acc_x', ?, 'key_x', 'p', 'P', ?, 1, 2, ?, NULL, NULL, '2026-07-01', ?, ?, NULL)`,
    [orderId, Buffer.from(orderId), qty, status, createdAtMs, deliveredAtMs],
  );
  await services.database.change(
    `INSERT INTO purchases VALUES (?, ?, 'sp', ?, ?, ?, 'claim', 0, 1, NULL, 0, NULL)`,
    [orderId, supplierId, usd(maxUnitCost), usd(unitCost), supplierOrderId],
  );
  return orderId;
}

/** The same order in the supplier's list: delivered at noon for 1.00, unless it is said otherwise. */
function there(requestId: string, changes: Partial<SupplierOrder> = {}): void {
  theirs.push({
    requestId,
    supplierOrderId: `their-${requestId}`,
    status: "delivered",
    amountMicrocents: usd("1"),
    createdAtMs: NOON_MS,
    ...changes,
  });
}

async function run(window = WINDOW, onProgress: (progress: ReconcileProgress) => void = () => {}) {
  const history = async function* (sinceMs: number) {
    askedSinceMs = sinceMs;
    for (const order of theirs.toSorted((a, b) => b.createdAtMs - a.createdAtMs)) {
      if (order.createdAtMs < sinceMs) return;
      yield order;
    }
  };
  return runWith(history, window, onProgress);
}

async function runWith(
  history: SupplierAdapter["history"],
  window = WINDOW,
  onProgress: (progress: ReconcileProgress) => void = () => {},
) {
  const adapterOf = async () => ({ adapter: { history } }) as never;
  const { database } = services;
  const options = { database, clock: () => NOW_MS, suppliers: { adapterOf } };
  return reconcile(options, { supplierId: "acme", window, ordersPerMinute: 1_000_000_000, onProgress });
}

const NO_DIFFERENCE = { missing_here: 0, missing_there: 0, amount_differs: 0, above_maximum: 0 };

function total(orders: number, cost: string): { orders: number; costMicrocents: Microcents } {
  return { orders, costMicrocents: usd(cost) };
}

describe("lists that agree", () => {
  test("give the totals of both sides and nothing else", async () => {
    there(await here());
    there(await here({ qty: 3, unitCost: "1.10" }), { amountMicrocents: usd("3.30") });
    expect(await run()).toEqual({
      window: WINDOW,
      here: total(2, "4.30"),
      there: total(2, "4.30"),
      counts: NO_DIFFERENCE,
      differences: [],
    });
  });

  test("may both be empty", async () => {
    expect(await run()).toMatchObject({ here: total(0, "0"), there: total(0, "0"), counts: NO_DIFFERENCE });
  });

  test("agree about orders that never bought anything", async () => {
    await here({ status: "failed" });
    there(await here({ status: "retryable" }), { status: "retryable" });
    there(await here({ status: "failed" }), { status: "refunded" });
    there("somebody-else", { status: "failed" });
    expect(await run()).toMatchObject({ there: total(0, "0"), counts: NO_DIFFERENCE });
  });

  test("agree about an order that we have refunded to its buyer", async () => {
    there(await here({ status: "refunded", deliveredAtMs: NOON_MS }));
    expect(await run()).toMatchObject({ here: total(1, "1"), there: total(1, "1"), counts: NO_DIFFERENCE });
  });
});

describe("missing here", () => {
  test.each(["processing", "retryable", "failed"] as const)(
    "is what was delivered there and is %s here",
    async (status) => {
      const orderId = await here({ status });
      there(orderId);
      expect(await run()).toMatchObject({
        here: total(0, "0"),
        there: total(1, "1"),
        counts: { ...NO_DIFFERENCE, missing_here: 1 },
        differences: [
          {
            kind: "missing_here",
            requestId: orderId,
            here: { status, costMicrocents: null },
            there: { supplierOrderId: `their-${orderId}`, status: "delivered", amountMicrocents: usd("1") },
          },
        ],
      });
    },
  );

  test("is what we do not know, whatever it is called there", async () => {
    there(newId("ord"));
    there("bought by hand");
    const { differences } = await run();
    expect(differences).toMatchObject([{ here: null }, { requestId: "bought by hand", here: null }]);
  });

  test("is what we have bought from another supplier instead", async () => {
    there(await here({ supplierId: "other" }));
    expect(await run()).toMatchObject({ here: total(0, "0"), counts: { ...NO_DIFFERENCE, missing_here: 1 } });
  });

  test("is a second order there under one of our ids; the first is missing there", async () => {
    there(await here(), { supplierOrderId: "another" });
    expect((await run()).counts).toEqual({ ...NO_DIFFERENCE, missing_here: 1, missing_there: 1 });
  });
});

describe("missing there", () => {
  test("is what we delivered and the supplier does not know", async () => {
    const orderId = await here();
    expect(await run()).toMatchObject({
      here: total(1, "1"),
      there: total(0, "0"),
      counts: { ...NO_DIFFERENCE, missing_there: 1 },
      differences: [
        {
          kind: "missing_there",
          requestId: orderId,
          here: { status: "delivered", costMicrocents: usd("1") },
          there: null,
        },
      ],
    });
  });

  test.each(["processing", "retryable", "failed"] as const)(
    "is what we delivered and is %s there",
    async (status) => {
      there(await here(), { status });
      const { counts, differences } = await run();
      expect(counts).toEqual({ ...NO_DIFFERENCE, missing_there: 1 });
      expect(differences).toMatchObject([{ kind: "missing_there", there: { status } }]);
    },
  );
});

describe("amount differs", () => {
  test("when the supplier took another amount", async () => {
    there(await here(), { amountMicrocents: usd("1.0001") });
    expect(await run()).toMatchObject({
      there: total(1, "1.0001"),
      counts: { ...NO_DIFFERENCE, amount_differs: 1 },
      differences: [{ here: { costMicrocents: usd("1") }, there: { amountMicrocents: usd("1.0001") } }],
    });
  });

  test("when the supplier has given the money back", async () => {
    there(await here(), { status: "refunded" });
    expect(await run()).toMatchObject({
      here: total(1, "1"),
      there: total(0, "0"),
      counts: { ...NO_DIFFERENCE, amount_differs: 1 },
    });
  });
});

describe("above maximum", () => {
  test("is what cost more than was agreed to at the most, though both lists agree", async () => {
    const orderId = await here({ maxUnitCost: "0.49" });
    there(orderId);
    there(await here({ maxUnitCost: "0.50" }));
    expect(await run()).toMatchObject({
      counts: { ...NO_DIFFERENCE, above_maximum: 1 },
      differences: [
        {
          kind: "above_maximum",
          requestId: orderId,
          here: { status: "delivered", costMicrocents: usd("1"), maxCostMicrocents: usd("0.98") },
          there: { supplierOrderId: `their-${orderId}`, amountMicrocents: usd("1") },
        },
      ],
    });
  });

  test("is told besides what else is wrong, and only of the window", async () => {
    await here({ maxUnitCost: "0.49" });
    there(await here({ maxUnitCost: "0.49" }), { amountMicrocents: usd("1.1") });
    there(await here({ maxUnitCost: "0.49", deliveredAtMs: WINDOW.toMs }), { createdAtMs: NOON_MS });
    await here({ maxUnitCost: "0.49", status: "failed" });
    expect((await run()).counts).toEqual({
      missing_here: 0,
      missing_there: 1,
      amount_differs: 1,
      above_maximum: 2,
    });
  });
});

describe("the window", () => {
  test("holds what was delivered here from its first moment to before its last", async () => {
    await here({ deliveredAtMs: WINDOW.fromMs - 1 });
    await here({ deliveredAtMs: WINDOW.fromMs });
    await here({ deliveredAtMs: WINDOW.toMs - 1 });
    await here({ deliveredAtMs: WINDOW.toMs });
    expect((await run()).here.orders).toBe(2);
  });

  test("goes by our time of delivery, whatever the supplier's clock says", async () => {
    const early = await here({ deliveredAtMs: WINDOW.fromMs });
    there(early, { createdAtMs: WINDOW.fromMs - DAY_MS / 2 });
    there(await here({ deliveredAtMs: WINDOW.toMs - 1 }), { createdAtMs: WINDOW.toMs + DAY_MS / 2 });
    there(await here({ deliveredAtMs: WINDOW.fromMs - 1 }), { createdAtMs: NOON_MS });
    there(await here({ deliveredAtMs: WINDOW.toMs }), { createdAtMs: NOON_MS });
    expect(await run()).toMatchObject({ here: total(2, "2"), there: total(2, "2"), counts: NO_DIFFERENCE });
    expect(askedSinceMs).toBe(WINDOW.fromMs - DAY_MS);
  });

  test("finds an order that took weeks to be delivered", async () => {
    const createdAtMs = WINDOW.fromMs - 20 * DAY_MS;
    there(await here({ createdAtMs, deliveredAtMs: NOON_MS }), { createdAtMs });
    expect((await run()).counts).toEqual(NO_DIFFERENCE);
    expect(askedSinceMs).toBe(createdAtMs - DAY_MS);
  });

  test("takes what was not delivered here by our time of creation", async () => {
    there(await here({ status: "failed", createdAtMs: WINDOW.fromMs - 1 }), { createdAtMs: NOON_MS });
    there(await here({ status: "failed", createdAtMs: WINDOW.fromMs }), { createdAtMs: NOON_MS });
    there(await here({ status: "failed", createdAtMs: WINDOW.toMs }), { createdAtMs: NOON_MS });
    expect((await run()).counts).toEqual({ ...NO_DIFFERENCE, missing_here: 1 });
  });

  test("takes what we do not know by the supplier's time", async () => {
    for (const createdAtMs of [WINDOW.fromMs - 1, WINDOW.fromMs, WINDOW.toMs - 1, WINDOW.toMs])
      there(`at ${createdAtMs}`, { createdAtMs });
    expect((await run()).counts.missing_here).toBe(2);
  });

  test("ends a minute ago at the latest, so that nothing is compared that is still on its way", async () => {
    await here({ deliveredAtMs: NOW_MS - 59_999 });
    const { window, here: ours } = await run({ fromMs: WINDOW.fromMs, toMs: NOW_MS + DAY_MS });
    expect(window.toMs).toBe(NOW_MS - 60_000);
    expect(ours.orders).toBe(0);
  });

  test("must not be empty", async () => {
    await expect(run({ fromMs: WINDOW.toMs, toMs: WINDOW.fromMs })).rejects.toThrow(/ends before it begins/);
    await expect(run({ fromMs: NOW_MS, toMs: NOW_MS + 1 })).rejects.toThrow(/no past yet/);
  });
});

describe("a long history", () => {
  test("is read to its end on both sides, and only what differs is kept", async () => {
    const ids = Array.from({ length: 2_300 }, () => newId("ord"));
    for (const [index, orderId] of ids.entries()) {
      const deliveredAtMs = WINDOW.fromMs + index * 1_000;
      await here({ orderId, deliveredAtMs });
      if (index % 1_000 !== 7) there(orderId, { createdAtMs: deliveredAtMs });
    }
    there("unknown");
    const shares: number[] = [];
    const found = await run(WINDOW, ({ share }) => shares.push(share));
    expect(found.counts).toEqual({ missing_here: 1, missing_there: 3, amount_differs: 0, above_maximum: 0 });
    expect(found.here).toEqual(total(2_300, "2300"));
    expect(found.there).toEqual(total(2_298, "2298"));
    const missing = found.differences.filter(({ kind }) => kind === "missing_there");
    expect(missing.map(({ requestId }) => requestId)).toEqual([ids[2_007], ids[1_007], ids[7]]);
    expect(shares.length).toBeGreaterThan(4);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  test("may come in another order than ours", async () => {
    const ids: OrderId[] = [];
    for (let index = 0; index < 1_200; index += 1) ids.push(await here({ deliveredAtMs: NOON_MS + index }));
    for (const [index, orderId] of ids.entries()) there(orderId, { createdAtMs: NOON_MS - index });
    expect(await run()).toMatchObject({ there: total(1_200, "1200"), counts: NO_DIFFERENCE });
  });

  test("is not read faster than the supplier may be asked", async () => {
    const createdAtMs = NOON_MS;
    for (let index = 0; index < 1_200; index += 1) there(`order ${index}`, { createdAtMs });
    const history = async function* () {
      yield* theirs;
    };
    const adapterOf = async () => ({ adapter: { history } }) as never;
    const options = { database: services.database, clock: () => NOW_MS, suppliers: { adapterOf } };
    const begunMs = performance.now();
    await reconcile(options, { supplierId: "acme", window: WINDOW, ordersPerMinute: 60_000 });
    expect(performance.now() - begunMs).toBeGreaterThan(990);
  });

  test("is counted to its end, and of its differences the first 10,000 are kept", async () => {
    for (let index = 0; index < 10_001; index += 1) there(`unknown-${index}`);
    const { counts, differences } = await run();
    expect(counts).toEqual({ ...NO_DIFFERENCE, missing_here: 10_001 });
    expect(differences).toHaveLength(10_000);
  });

  test("that breaks off gives no result", async () => {
    there(await here());
    const breaking = async function* () {
      yield* theirs;
      throw new SupplierUnavailableError();
    };
    await expect(runWith(breaking)).rejects.toThrow(SupplierUnavailableError);
  });
});
