import { afterEach, beforeEach, expect, test } from "vitest";
import { ORDER_DEFAULTS } from "../config.ts";
import type { AccountId, OrderId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { dailySpend } from "../keys/key-store.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { type FixedClock, fixedClock } from "../testing/fixed-clock.ts";
import { addCaller } from "../testing/test-calls.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";
import { STUCK_AFTER_MS } from "./order-administration.ts";

// An order that was refused by the supplier and is sent again is a new one in all but its id.

let time: FixedClock;
let services: TestServices;
let simulator: SupplierSimulator;
let productId: string;
let accountId: AccountId;
let caller: Caller;
beforeEach(async () => {
  time = fixedClock("2026-03-01T23:59:00Z");
  services = await openTestServices(time.clock);
  simulator = await startSupplierSimulator();
  ({ productId } = await addOnDemandProduct(services, { simulator, price: "1.00" }));
  accountId = await services.addAccount("10");
  caller = await addCaller(services, accountId);
});
afterEach(async () => {
  await simulator.close();
  // Ends with the audit.
  await services.dispose();
});

const place = (by = caller) =>
  services.orders.place({ caller: by, externalOrderId: "x", productId, qty: 2, expectedUnitPrice: null });

async function refuse(by = caller): Promise<void> {
  simulator.nextPurchases({ kind: "refuse", code: "out_of_stock" });
  await expect(place(by)).rejects.toMatchObject({ code: "out_of_stock" });
}

async function setPrice(text: string): Promise<void> {
  const price = usd(text);
  await services.products.setPrices(productId, { 1: price, 2: price, 3: price, 4: price, 5: price });
}

async function stored() {
  const { orders } = await services.orders.page(accountId, { limit: 2 });
  expect(orders).toHaveLength(1);
  return orders[0];
}

async function expectFunds(balance: string, reserved = "0"): Promise<void> {
  expect(await services.accounts.get(accountId)).toMatchObject({
    balanceMicrocents: usd(balance),
    reservedMicrocents: usd(reserved),
  });
}

const spent = (by: Caller, day: string) => dailySpend(services.database, by.keyId, day);

test.each([
  ["higher", "1.50", "3.00", "7"],
  ["lower", "0.70", "1.40", "8.60"],
])(
  "an order that is sent again at a %s price is held, stored and charged at it",
  async (_name, unitPrice, amount, left) => {
    await refuse();
    await setPrice(unitPrice);
    const { order } = await place();
    const priced = { unitPriceMicrocents: usd(unitPrice), amountMicrocents: usd(amount) };
    expect(order).toMatchObject({ status: "delivered", ...priced });
    expect(await stored()).toMatchObject({ orderId: order.orderId, status: "delivered", ...priced });
    const [charge] = await services.ledger.list(accountId, 1);
    expect(charge).toMatchObject({ reference: order.orderId, amountMicrocents: -usd(amount) });
    await expectFunds(left);
    expect(await spent(caller, "2026-03-01")).toBe(usd(amount));
  },
);

test.each([
  ["higher", "1.50"],
  ["lower", "0.70"],
])("an order that is refused again at a %s price gives back what it held at it", async (_name, unitPrice) => {
  await refuse();
  await setPrice(unitPrice);
  await refuse();
  expect(await stored()).toMatchObject({ status: "retryable", unitPriceMicrocents: usd(unitPrice) });
  await expectFunds("10");
  expect(await spent(caller, "2026-03-01")).toBe(0n);
});

test("an order that is sent again is bought where and at what cost its product is bought now", async () => {
  await refuse();
  const other = await addOnDemandProduct(services, { cost: "0.90" });
  await services.products.setSupply(productId, {
    supplierId: other.supplierId,
    supplierProductId: other.supplierProductId,
    maxUnitCostMicrocents: usd("1"),
  });
  const { order } = await place();
  expect([...other.simulator.purchases()]).toMatchObject([[order.orderId, { deliveredCodes: order.codes }]]);
  expect([...simulator.purchases().values()]).toMatchObject([{ requests: 1 }]);
  expect(await services.orderAdministration.purchaseOf(order.orderId)).toMatchObject({
    ...{ supplierId: other.supplierId, supplierProductId: other.supplierProductId },
    ...{ unitCostMicrocents: usd("0.90"), maxUnitCostMicrocents: usd("1") },
  });
  await other.simulator.close();
});

test("an order that is sent again and left in doubt counts its attempts and its age from then on", async () => {
  await refuse();
  time.set("2026-03-02T12:00:00Z");
  simulator.fault({ kind: "error_before", times: null });
  await expect(place()).rejects.toMatchObject({ code: "supplier_unavailable" });
  const order = await stored();
  expect(order).toMatchObject({ status: "processing", errorCode: null });
  const atNoon = Date.parse("2026-03-02T12:00:00Z");
  expect(await services.orderAdministration.purchaseOf(order?.orderId as OrderId)).toMatchObject({
    ...{ attempts: 1, processingSinceMs: atNoon, inDoubtSinceMs: atNoon, leased: false },
  });
  expect(await services.orderAdministration.processingFor(1, 10)).toEqual([]);
  await expectFunds("10", "2");
});

test("an order that waits to be sent again is not counted among those that are processing", async () => {
  await refuse();
  const supplierId =
    (await services.orderAdministration.purchaseOf((await stored())?.orderId as OrderId))?.supplierId ?? "";
  time.advance(STUCK_AFTER_MS);
  expect(await services.orderAdministration.countUnfinished()).toEqual({
    processing: 0,
    stuck: 0,
    retryable: 1,
  });
  expect(await services.orderAdministration.processingFor(0, 10)).toEqual([]);
  expect(await services.orderAdministration.countProcessingFrom(supplierId)).toBe(0);
  simulator.fault({ kind: "error_before", times: null });
  await expect(place()).rejects.toMatchObject({ code: "supplier_unavailable" });
  expect(await services.orderAdministration.countUnfinished()).toEqual({
    processing: 1,
    stuck: 0,
    retryable: 0,
  });
  expect(await services.orderAdministration.processingFor(0, 10)).toMatchObject([
    { amountMicrocents: usd("2"), supplierId },
  ]);
  expect(await services.orderAdministration.countProcessingFrom(supplierId)).toBe(1);
  expect(await services.orderAdministration.countProcessingFrom("other")).toBe(0);
  time.advance(STUCK_AFTER_MS);
  expect(await services.orderAdministration.countUnfinished()).toEqual({
    processing: 1,
    stuck: 1,
    retryable: 0,
  });
});

test("an order that is sent again after midnight counts towards the new day", async () => {
  const createdAtMs = time.clock();
  await refuse();
  time.set("2026-03-02T00:01:00Z");
  const { order } = await place();
  expect(order).toMatchObject({ createdAtMs, spendDay: "2026-03-02" });
  expect(await stored()).toMatchObject({ createdAtMs, spendDay: "2026-03-02" });
  expect(await spent(caller, "2026-03-01")).toBe(0n);
  expect(await spent(caller, "2026-03-02")).toBe(usd("2"));
});

test("an order that is refused again after midnight is taken back from the new day", async () => {
  await refuse();
  time.set("2026-03-02T00:01:00Z");
  await refuse();
  expect(await stored()).toMatchObject({ spendDay: "2026-03-02" });
  expect(await spent(caller, "2026-03-01")).toBe(0n);
  expect(await spent(caller, "2026-03-02")).toBe(0n);
  await services.expectCleanAudit();
});

test("a refund of an order that was sent again after midnight gives back what it counted for, of the new day", async () => {
  await refuse();
  time.set("2026-03-02T00:01:00Z");
  const { order } = await place();
  await services.orderAdministration.refund(order.orderId, "test");
  expect(await spent(caller, "2026-03-01")).toBe(0n);
  expect(await spent(caller, "2026-03-02")).toBe(0n);
});

test("an order that is refused again has its whole time anew to be sent once more", async () => {
  await refuse();
  time.advance(ORDER_DEFAULTS.retryableOrderMs - 1);
  await refuse();
  const order = await stored();
  expect(await services.orderAdministration.purchaseOf(order?.orderId as OrderId)).toMatchObject({
    dueAtMs: time.clock() + ORDER_DEFAULTS.retryableOrderMs,
  });
});

test("an order that is sent again with another key is that key's, also when it is given up", async () => {
  const other = await addCaller(services, accountId);
  await refuse();
  simulator.nextPurchases("hang_before");
  const hanging = place(other).catch(() => {});
  await expect.poll(async () => (await services.orderAdministration.countUnfinished()).processing).toBe(1);
  expect(await stored()).toMatchObject({ status: "processing", keyId: other.keyId });
  await expectFunds("10", "2");
  expect(await spent(other, "2026-03-01")).toBe(usd("2"));
  // Its process is gone: the operator that gives it up knows only what is stored.
  time.advance(10 * 60_000);
  const orderId = (await stored())?.orderId as OrderId;
  await services.orderAdministration.giveUp(orderId);
  expect(await stored()).toMatchObject({ status: "failed", keyId: other.keyId });
  await expectFunds("10");
  expect(await spent(other, "2026-03-01")).toBe(0n);
  expect(await spent(caller, "2026-03-01")).toBe(0n);
  await simulator.down();
  await hanging;
});
