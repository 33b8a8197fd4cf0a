import { afterEach, beforeEach, expect, test } from "vitest";
import { compose, type Services } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import { startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { fixedClock } from "../testing/fixed-clock.ts";
import { addCaller, addModel, completedWith, mostOutput } from "../testing/test-calls.ts";
import { linesOf, openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

let services: TestServices;
beforeEach(async () => {
  services = await openTestServices();
});
afterEach(() => services.dispose());

const request = { sinceMs: null, atMostPerSegment: null, dryRun: false };

async function withOrder(productId: string, { orders }: Pick<Services, "orders"> = services) {
  const accountId = await services.addAccount();
  const caller = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (caller === null) throw new Error("The key is not known.");
  const order = { caller, externalOrderId: "1", productId, qty: 2, expectedUnitPrice: null };
  return { accountId, order: (await orders.place(order)).order };
}

test("a loss whose time nobody knows begins a while before the newest row", async () => {
  expect(await services.losses.afterLoss(request)).toMatchObject({
    newestMs: null,
    segments: [],
    orders: [],
  });
  const { productId } = await services.addProduct({ codes: 5 });
  const { accountId, order } = await withOrder(productId);
  const loss = await services.losses.afterLoss(request);
  expect(loss.newestMs).toBeGreaterThanOrEqual(order.createdAtMs);
  expect(loss.sinceMs).toBe((loss.newestMs ?? 0) - 5 * 60_000);
  expect(loss).toMatchObject({
    segments: [{ productId, maybeSold: 3 }],
    orderCount: 1,
    orders: [{ orderId: order.orderId, accountId, productId, qty: 2, status: "delivered" }],
    lasting: { accounts: 1, activeKeys: 1, runningCalls: 0 },
  });
  await expect(services.losses.afterLoss({ ...request, sinceMs: Date.now() + 60_000 })).rejects.toThrow(
    "future",
  );
});

test("the newest row is told, whatever it is of", async () => {
  const time = fixedClock("2026-03-01T12:00:00Z");
  const timed = compose(testConfig(services.databaseUrl), time.clock);
  const { accountId } = await timed.accounts.create({ name: "An account" });
  const { keyId, key } = await timed.keys.create({ accountId, kind: "product_ordering" });
  const caller = await timed.keys.authenticate(key);
  if (caller === null) throw new Error("The key is not known.");
  const { productId } = await services.addProduct({ codes: 0, price: "1.00" });
  const model = await addModel(services);
  const order = { caller, externalOrderId: "1", productId, qty: 1, expectedUnitPrice: null };
  const topUp = { accountId, amountMicrocents: usd("10"), reference: "r" };
  const rows: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["a top-up", () => timed.ledger.topUp(topUp)],
    ["an account", () => timed.accounts.create({ name: "Another" })],
    ["an import", () => timed.stock.import(productId, linesOf(["A", "B"]))],
    ["an order", () => timed.orders.place(order)],
    ["a call", () => timed.calls.begin({ caller, model, requestId: "r", most: mostOutput(9) })],
    ["a key", () => timed.keys.create({ accountId, kind: "general" })],
    ["a revoked key", () => timed.keys.revoke(keyId)],
  ];
  for (const [what, add] of rows) {
    time.advance(60_000);
    await add();
    const { newestMs } = await timed.losses.afterLoss({ ...request, dryRun: true });
    expect([what, newestMs]).toEqual([what, time.clock()]);
  }
  await closeDatabase(timed.database);
});

test("what may have changed without a trace is counted: accounts, keys that are good, calls that run", async () => {
  const accountId = await services.addAccount();
  const [caller, revoked] = [await addCaller(services, accountId), await addCaller(services, accountId)];
  await services.keys.revoke(revoked.keyId);
  const model = await addModel(services);
  const begin = () => services.calls.begin({ caller, model, requestId: "r", most: mostOutput(9) });
  await services.calls.end(await begin(), completedWith(7));
  await begin();
  const { lasting } = await services.losses.afterLoss({ ...request, dryRun: true });
  expect(lasting).toEqual({ accounts: 1, activeKeys: 1, runningCalls: 1 });
});

test("orders of a shop whose clock is ahead of the machine's are listed all the same", async () => {
  const ahead = compose(testConfig(services.databaseUrl), () => Date.now() + 30_000);
  const { productId } = await services.addProduct();
  const { order } = await withOrder(productId, ahead);
  const loss = await ahead.losses.afterLoss({ ...request, sinceMs: order.createdAtMs, dryRun: true });
  expect(loss).toMatchObject({ orderCount: 1, orders: [{ orderId: order.orderId }] });
  await closeDatabase(ahead.database);
});

test("a dry run changes nothing, and orders from before are not listed", async () => {
  const { productId } = await services.addProduct({ codes: 5 });
  await withOrder(productId);
  const sinceMs = Date.now() + 1;
  await expect.poll(() => Date.now()).toBeGreaterThan(sinceMs);
  const loss = await services.losses.afterLoss({ ...request, sinceMs, dryRun: true });
  expect(loss).toMatchObject({ sinceMs, orderCount: 0, orders: [], segments: [{ maybeSold: 3 }] });
  expect(await services.stock.list(productId)).toMatchObject([{ state: "open" }]);
});

test("what suppliers delivered in the lost time is found in their own lists, and what runs is counted", async () => {
  const simulator = await startSupplierSimulator();
  const { productId, supplierId } = await addOnDemandProduct(services, { simulator });
  const { accountId, order } = await withOrder(productId);
  const caller = await addCaller(services, accountId);
  await services.calls.begin({
    caller,
    model: await addModel(services),
    requestId: "r",
    most: mostOutput(9),
  });
  // It took nothing from stock, where operators look for what may be sold again.
  const sinceOrder = { ...request, sinceMs: order.createdAtMs - 1_000, dryRun: true };
  expect(await services.losses.afterLoss(sinceOrder)).toMatchObject({ orderCount: 0, orders: [] });
  // As if the backup were from before the order.
  for (const table of ["orders", "purchases", "purchased_codes", "holds"])
    await services.database.change(`DELETE FROM ${table}`);
  await services.database.change("DELETE FROM ledger_entries WHERE type = 'order'");
  await services.database.change("DELETE FROM key_daily_spend");
  await services.database.change(
    "UPDATE accounts SET balance_microcents = balance_microcents + ?, ledger_sequence = ledger_sequence - 1",
    [order.amountMicrocents],
  );
  // What differs only in its cost was not lost.
  await withOrder(productId);
  await services.database.change("UPDATE purchases SET unit_cost_microcents = unit_cost_microcents + 1");
  const later = compose(testConfig(services.databaseUrl), () => Date.now() + 120_000);
  const sinceMs = order.createdAtMs - 1_000;
  for (const status of ["active", "disabled"] as const) {
    await services.suppliers.setStatus(supplierId, status);
    expect(await later.losses.afterLoss({ ...request, sinceMs })).toMatchObject({
      suppliers: [
        {
          supplierId,
          fault: null,
          missingHere: [{ kind: "missing_here", requestId: order.orderId, here: null }],
        },
      ],
      lasting: { runningCalls: 1 },
    });
  }
  await simulator.close();
  expect(await later.losses.afterLoss({ ...request, sinceMs })).toMatchObject({
    suppliers: [{ supplierId, missingHere: [], fault: expect.stringMatching(/\w/) }],
  });
  await closeDatabase(later.database);
});
