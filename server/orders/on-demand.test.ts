import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { compose } from "../compose.ts";
import { ORDER_DEFAULTS } from "../config.ts";
import { closeDatabase } from "../database/database.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import type { Log } from "../log.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { WrongEncryptionKeysError } from "../stock/errors.ts";
import { startInterceptor } from "../testing/faults/interceptor.ts";
import { openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";
import {
  ClaimLostError,
  markNotPurchased,
  markPurchased,
  postponePurchase,
  updateAgreedCost,
} from "./purchase-store.ts";
import { type RecoveryDependencies, recoverOrder } from "./recovery.ts";

let services: TestServices;
let simulator: SupplierSimulator;
let accountId: AccountId;
let caller: Caller;
let nowMs: number;
const LEASE_MS = ORDER_DEFAULTS.orderLeaseMs;
beforeEach(async () => {
  nowMs = Date.now();
  services = await openTestServices(() => nowMs);
  simulator = await startSupplierSimulator({
    products: [{ productId: "theirs", unitPrice: "0.50", stock: 10 }],
  });
  await services.suppliers.add({
    supplierId: "acme",
    baseUrl: simulator.url,
    apiKey: simulator.apiKey,
  });
  await services.products.create({
    productId: "ours",
    name: "Ours",
    supply: { supplierId: "acme", supplierProductId: "theirs", maxUnitCostMicrocents: usd("0.80") },
  });
  const price = usd("1");
  await services.products.setPrices("ours", { 1: price, 2: price, 3: price, 4: price, 5: price });
  accountId = await services.addAccount("10");
  const known = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (known === null) throw new Error("the key is not known");
  caller = known;
});
afterEach(async () => {
  await simulator.close();
  await services.dispose();
});

const request = (externalOrderId: string, qty = 1) => ({
  caller,
  externalOrderId,
  productId: "ours",
  qty,
  expectedUnitPrice: null,
});

test("an order is bought from the supplier, charged once and given again", async () => {
  const { order, reused } = await services.orders.place(request("a", 3));
  expect(reused).toBe(false);
  expect(order).toMatchObject({ status: "delivered", qty: 3, amountMicrocents: usd("3") });
  expect(order.codes).toEqual(simulator.purchases().get(order.orderId)?.deliveredCodes);
  expect(order.redeemUrl).toMatch(/^http/);
  const again = await services.orders.place(request("a", 3));
  expect(again).toEqual({ order, reused: true });
  expect(await services.accounts.get(accountId)).toMatchObject({
    balanceMicrocents: usd("7"),
    reservedMicrocents: 0n,
  });
});

test("a process without the key that bought codes are encrypted with does not start", async () => {
  await services.orders.place(request("a"));
  const otherKeys = [{ id: "other", key: Buffer.alloc(32, 9) }];
  const other = compose({ ...testConfig(services.databaseUrl), codeEncryptionKeys: otherKeys });
  await services.database.change("DELETE FROM service_secrets WHERE name = 'code-fingerprint-key'");
  await expect(other.stock.checkEncryptionKeys()).rejects.toThrow(WrongEncryptionKeysError);
  await closeDatabase(other.database);
  await services.stock.checkEncryptionKeys();
});

test.each([
  ["0.50", "0.80", []],
  ["0.60", "0.80", ["warn: supplier took another cost than was agreed"]],
  ["0.40", "0.80", ["warn: supplier took another cost than was agreed"]],
  ["0.40", "0.45", ["error: supplier took more than the maximum"]],
])(
  "a cost of 0.50 where %s is agreed and %s the maximum is told to the operator",
  async (agreed, maximum, told) => {
    simulator.fault({ kind: "cut_after", times: null });
    await services.orders.place(request("a")).catch(() => {});
    simulator.clearFaults();
    await services.database.change(
      "UPDATE purchases SET unit_cost_microcents = ?, max_unit_cost_microcents = ?",
      [usd(agreed), usd(maximum)],
    );
    const logged: string[] = [];
    nowMs += LEASE_MS;
    const { order } = await placeElsewhere(logged, request("a"));
    expect(logged).toEqual(told);
    expect(order).toMatchObject({ status: "delivered" });
    expect(await services.orderAdministration.purchaseOf(order.orderId)).toMatchObject({
      unitCostMicrocents: usd("0.50"),
      supplierOrderId: expect.any(String),
    });
  },
);

test("a cost that was agreed to only when the order was sent is nothing to tell", async () => {
  simulator.fault({ kind: "price_change", unitPrice: "0.60" });
  const logged: string[] = [];
  await placeElsewhere(logged, request("a"));
  expect(logged).toEqual(["info: supplier's cost has changed; agreed to the new one"]);
});

/** Places an order in another process. @param logged what that process says is added to it. */
async function placeElsewhere(logged: string[], order: ReturnType<typeof request>) {
  const entry = (level: string) => (_facts: object, message: string) =>
    void logged.push(`${level}: ${message}`);
  const log = { info: entry("info"), warn: entry("warn"), error: entry("error") } as Log;
  const other = compose(testConfig(services.databaseUrl), () => nowMs, log);
  try {
    return await other.orders.place(order);
  } finally {
    await closeDatabase(other.database);
  }
}

test("a supplier that leaves every request in doubt does not keep the money for ever", async () => {
  simulator.fault({ kind: "refuse", code: "order_commit_pending", times: null });
  await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code: "supplier_unavailable" });
  for (let attempt = 2; attempt <= 4; attempt += 1) {
    nowMs += LEASE_MS;
    await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code: "supplier_unavailable" });
  }
  expect(await services.orderAdministration.search({ status: "retryable" }, 2)).toHaveLength(1);
  expect(await services.accounts.get(accountId)).toMatchObject({ reservedMicrocents: 0n });
  simulator.clearFaults();
  await services.orders.place(request("a"));
  expect(simulator.purchases().size).toBe(1);
});

test.each([
  ["costs more than the shop takes", { unitPrice: "0.81", stock: 10 }, "supplier_price_changed"],
  ["costs more and is not there either", { unitPrice: "0.81", stock: 0 }, "supplier_price_changed"],
  ["is not there", { unitPrice: "0.50", stock: 0 }, "out_of_stock"],
])("what %s is not ordered, and leaves no trace", async (_name, theirs, code) => {
  simulator.setProduct({ productId: "theirs", ...theirs });
  await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code });
  expect(simulator.purchases().size).toBe(0);
  expect(await services.orderAdministration.search({}, 2)).toEqual([]);
  expect(await services.accounts.get(accountId)).toMatchObject({ reservedMicrocents: 0n });
  simulator.setProduct({ productId: "theirs", unitPrice: "0.80", stock: 1 });
  expect(await services.orders.place(request("a"))).toMatchObject({ reused: false });
});

test("an order in doubt is not given up when its supplier cannot be asked any more", async () => {
  simulator.fault({ kind: "cut_after", times: null });
  await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code: "supplier_unavailable" });
  simulator.clearFaults();
  const sentAtMs = nowMs;
  const [stored] = await services.database.rows<{ api_key_ciphertext: Buffer }>("SELECT * FROM suppliers");
  const setKey = (key?: Buffer) =>
    services.database.change("UPDATE suppliers SET api_key_ciphertext = ?", [
      key ?? Buffer.from("unreadable"),
    ]);
  await setKey();
  nowMs += LEASE_MS;
  await expect(placeElsewhere([], request("a"))).rejects.toMatchObject({ code: "supplier_unavailable" });
  const [order] = await services.orderAdministration.search({ status: "processing" }, 2);
  if (order === undefined) throw new Error("The order is not there.");
  expect(await services.orderAdministration.purchaseOf(order.orderId)).toMatchObject({
    inDoubtSinceMs: sentAtMs,
  });
  expect(await services.accounts.get(accountId)).toMatchObject({ reservedMicrocents: usd("1") });
  await setKey(stored?.api_key_ciphertext);
  nowMs += LEASE_MS;
  expect((await placeElsewhere([], request("a"))).order.codes).toEqual(
    simulator.purchases().get(order.orderId)?.deliveredCodes,
  );
});

test("an order in doubt waits twice as long after each attempt", async () => {
  simulator.fault({ kind: "error_before", times: null });
  for (const leastMs of [750, 1_500, 3_000]) {
    await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code: "supplier_unavailable" });
    const [order] = await services.orderAdministration.search({ status: "processing" }, 2);
    const purchase = order && (await services.orderAdministration.purchaseOf(order.orderId));
    const pauseMs = (purchase?.dueAtMs ?? 0) - nowMs;
    expect(pauseMs).toBeGreaterThanOrEqual(leastMs);
    expect(pauseMs).toBeLessThanOrEqual((leastMs / 0.75) * 1.25);
    nowMs += LEASE_MS;
  }
});

test("a cost that has changed to more than the shop takes is not bought at", async () => {
  simulator.fault({ kind: "price_change", unitPrice: "0.81" });
  await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code: "supplier_price_changed" });
  expect([...simulator.purchases().values()]).toMatchObject([{ requests: 1, status: "none" }]);
});

test("an order carries the product's own redeem URL before the supplier's", async () => {
  const redeemUrl = "https://redeem.example/own";
  await services.products.setRedeemUrl("ours", redeemUrl);
  const { order } = await services.orders.place(request("a"));
  expect(order).toMatchObject({ status: "delivered", redeemUrl });
  expect(await services.orderAdministration.find(order.orderId)).toMatchObject({ redeemUrl });
});

test("a code that was sold before is not sold again: its order is neither delivered nor paid", async () => {
  const products = [{ productId: "theirs", unitPrice: "0.50", stock: 10 }];
  for (const [supplierId, externalOrderId] of [
    ["first", "a"],
    ["second", "b"],
  ] as const) {
    // What has the same seed delivers the same codes.
    const { url, apiKey, close } = await startSupplierSimulator({ seed: 7, products });
    onTestFinished(close);
    await services.suppliers.add({ supplierId, baseUrl: url, apiKey });
    await services.products.setSupply("ours", { supplierId });
    const placing = services.orders.place(request(externalOrderId));
    if (supplierId === "first") expect((await placing).order.status).toBe("delivered");
    else await expect(placing).rejects.toMatchObject({ code: "supplier_unavailable" });
  }
  expect(await services.orderAdministration.search({ status: "processing" }, 2)).toMatchObject([
    { externalOrderId: "b" },
  ]);
  expect(await services.accounts.get(accountId)).toMatchObject({
    balanceMicrocents: usd("9"),
    reservedMicrocents: usd("1"),
  });
});

test("a cost that was quoted too late in the lease is not bought at", async () => {
  let ordered = false;
  const interceptor = await startInterceptor(simulator.url, ({ from, request }) => {
    ordered ||= request.startsWith("POST");
    // The answer to the quote after the refusal takes almost the rest of the lease.
    if (ordered && from === "server" && request.startsWith("GET")) nowMs += LEASE_MS - 1;
    return "pass";
  });
  onTestFinished(() => interceptor.close());
  const { productId } = await addOnDemandProduct(services, { simulator, supplierUrl: interceptor.url });
  simulator.fault({ kind: "price_change", unitPrice: "0.60" });
  const placing = services.orders.place({ ...request("a"), productId });
  await expect(placing).rejects.toMatchObject({ code: "supplier_price_changed" });
  expect([...simulator.purchases().values()]).toMatchObject([{ requests: 1, status: "none" }]);
  expect(await services.accounts.get(accountId)).toMatchObject({ reservedMicrocents: 0n });
});

test.each([
  ["has it processing", null],
  ["says nothing that can be read", { kind: "error_before", operation: "listOrders", times: null } as const],
])(
  "an order that is still in doubt is sent again when its supplier %s, which may need that to go on",
  async (_name, fault) => {
    simulator.nextPurchases({ kind: "processing_then", delayMs: 86_400_000 });
    simulator.fault({ kind: "refuse", code: "order_commit_pending", times: null });
    const requests = () => [...simulator.purchases().values()].map((purchase) => purchase.requests)[0] ?? 0;
    await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code: "supplier_unavailable" });
    const first = requests();
    // As if it had been so three times.
    await services.database.change("UPDATE purchases SET attempts = 3");
    if (fault !== null) simulator.fault(fault);
    nowMs += LEASE_MS;
    await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code: "supplier_unavailable" });
    expect(requests()).toBeGreaterThan(first);
    expect(await services.orderAdministration.search({ status: "processing" }, 2)).toHaveLength(1);
  },
);

test("an order that may be sent again is closed when it is due, and not before", async () => {
  simulator.nextPurchases({ kind: "refuse", code: "out_of_stock" });
  await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code: "out_of_stock" });
  const [order] = await services.orderAdministration.search({ status: "retryable" }, 2);
  if (order === undefined) throw new Error("The order is not there.");
  // Recovery has seen that it was due, and then its buyer sent it again and it was refused once more.
  const recover = () =>
    recoverOrder({ database: services.database, clock: () => nowMs } as RecoveryDependencies, order.orderId);
  nowMs += ORDER_DEFAULTS.retryableOrderMs - 1;
  await recover();
  expect(await services.orderAdministration.find(order.orderId)).toMatchObject({ status: "retryable" });
  nowMs += 1;
  await recover();
  expect(await services.orderAdministration.find(order.orderId)).toMatchObject({
    status: "failed",
    errorCode: "out_of_stock",
  });
});

test("an order whose only request came to nothing, as the supplier says, waits until it can no longer arrive", async () => {
  simulator.fault({ kind: "refuse", code: "order_commit_pending", times: null });
  await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code: "supplier_unavailable" });
  const [order] = await services.orderAdministration.search({ status: "processing" }, 2);
  if (order === undefined) throw new Error("The order is not there.");
  expect(simulator.purchases().get(order.orderId)).toMatchObject({ status: "none" });
  // A lease after the request was sent nothing can arrive any more.
  expect(await services.orderAdministration.purchaseOf(order.orderId)).toMatchObject({
    leased: false,
    inDoubtSinceMs: nowMs,
    dueAtMs: nowMs + LEASE_MS,
  });
  expect(await services.accounts.get(accountId)).toMatchObject({ reservedMicrocents: usd("1") });
});

test("an order in doubt whose supplier was disabled since is only looked up, and released for that reason", async () => {
  simulator.fault({ kind: "refuse", code: "order_commit_pending", times: null });
  await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code: "supplier_unavailable" });
  const [before] = simulator.purchases().values();
  simulator.clearFaults();
  await services.suppliers.setStatus("acme", "disabled");
  nowMs += LEASE_MS;
  await expect(services.orders.place(request("a"))).rejects.toMatchObject({
    code: "supplier_not_configured",
  });
  expect([...simulator.purchases().values()]).toEqual([before]);
  expect(await services.orderAdministration.search({ status: "retryable" }, 2)).toMatchObject([
    { errorCode: "supplier_not_configured" },
  ]);
  expect(await services.accounts.get(accountId)).toMatchObject({ reservedMicrocents: 0n });
});

test("an order whose process is gone is delivered by another's recovery alone", async () => {
  simulator.fault({ kind: "hang_after" });
  const hanging = services.orders.place(request("a")).catch(() => {});
  await expect.poll(() => simulator.purchases().size).toBe(1);
  const [order] = await services.orderAdministration.search({ status: "processing" }, 2);
  if (order === undefined) throw new Error("The order is not there.");
  const other = compose(testConfig(services.databaseUrl), () => nowMs + LEASE_MS);
  const recovery = other.orders.startRecovery({ intervalMs: 1, concurrency: 1 });
  const status = async () => (await services.orderAdministration.find(order.orderId)).status;
  await expect.poll(status).toBe("delivered");
  await recovery.stop();
  await closeDatabase(other.database);
  expect(await services.accounts.get(accountId)).toMatchObject({
    balanceMicrocents: usd("9"),
    reservedMicrocents: 0n,
  });
  await simulator.down();
  await hanging;
});

test("only who holds the claim of a purchase changes anything about it", async () => {
  simulator.fault({ kind: "hang_before" });
  const hanging = services.orders.place(request("a")).catch(() => {});
  await expect.poll(() => simulator.purchases().size).toBe(1);
  const [order] = await services.orderAdministration.search({ status: "processing" }, 2);
  const purchase = order && (await services.orderAdministration.purchaseOf(order.orderId));
  if (!purchase) throw new Error("The purchase is not there.");
  const lost = { ...purchase, claim: "lost" };
  const supplied = { supplierOrderId: "theirs", unitCostMicrocents: usd("0.50") };
  const postponement = { dueAtMs: nowMs, inDoubtSinceMs: nowMs };
  for (const change of [
    (tx: Transaction) => updateAgreedCost(tx, lost, usd("0.60")),
    (tx: Transaction) => postponePurchase(tx, lost, postponement),
    (tx: Transaction) => markNotPurchased(tx, lost, null),
    (tx: Transaction) => markPurchased(tx, [{ purchase: lost, supplied }]),
  ]) {
    await expect(transaction(services.database, change)).rejects.toThrow(ClaimLostError);
  }
  expect(await services.orderAdministration.purchaseOf(purchase.orderId)).toEqual(purchase);
  await simulator.down();
  await hanging;
});
