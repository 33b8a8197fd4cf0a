import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { compose, type Services } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { untilInLine } from "../testing/database/until-in-line.ts";
import { addCaller } from "../testing/test-calls.ts";
import { openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";
import type { OrderRequest } from "./rules.ts";

let services: TestServices;
let elsewhere: Services;
let accountId: AccountId;
let secret: string;
let nowMs: number;
beforeEach(async () => {
  nowMs = Date.now();
  services = await openTestServices(() => nowMs);
  elsewhere = compose(testConfig(services.databaseUrl));
  accountId = await services.addAccount("10");
  secret = (await services.addKey(accountId)).key;
});
afterEach(async () => {
  await closeDatabase(elsewhere.database);
  // Ends with the audit.
  await services.dispose();
});

async function callerAt({ keys }: Services): Promise<Caller> {
  const caller = await keys.authenticate(secret);
  if (caller === null) throw new Error("The key is not known.");
  return caller;
}

/** Keeps every order from being paid, until it is let go. */
async function lockAccount(): Promise<() => Promise<void>> {
  const holder = await services.database.pool.getConnection();
  await holder.query("START TRANSACTION");
  await holder.query("SELECT 1 FROM accounts FOR UPDATE");
  return async () => {
    await holder.query("ROLLBACK");
    holder.release();
  };
}

/** What the shop's operators do while an order is under way, and how another order of the same is refused then. */
const CHANGES: Record<string, { refusal: string; change: (productId: string) => Promise<unknown> }> = {
  "the price changes": {
    refusal: "price_changed",
    change: (productId) => services.products.setPrices(productId, { 1: usd("2"), 2: usd("2") }),
  },
  "the product is taken out of sale": {
    refusal: "not_found",
    change: (productId) => services.products.setEnabled(productId, false),
  },
  "the key's cap is lowered": {
    refusal: "key_order_limit_exceeded",
    change: async () => {
      const caller = await callerAt(services);
      await services.keys.change(caller.keyId, { orderCapMicrocents: usd("0.50") });
    },
  },
};

test.each(Object.entries(CHANGES))(
  "a retry that comes when %s is not refused while the first attempt may still deliver",
  async (_, { refusal, change }) => {
    const { productId } = await services.addProduct({ price: "1.00" });
    const request: Omit<OrderRequest, "caller"> = {
      externalOrderId: "a",
      productId,
      qty: 1,
      expectedUnitPrice: "1.00",
    };
    const letGo = await lockAccount();
    const first = services.orders.place({ ...request, caller: await callerAt(services) });
    await untilInLine(services.database);
    await change(productId);
    const retry = async () => elsewhere.orders.place({ ...request, caller: await callerAt(elsewhere) });
    await expect(retry()).rejects.toMatchObject({ code: "order_in_progress" });
    await letGo();
    const { order } = await first;
    expect(await retry()).toMatchObject({ reused: true, order: { codes: order.codes } });
    const other = { ...request, externalOrderId: "b", caller: await callerAt(elsewhere) };
    await expect(elsewhere.orders.place(other)).rejects.toMatchObject({ code: refusal });
  },
);

test.each([
  ["costs too much", "supplier_price_changed"],
  ["has none left", "out_of_stock"],
  ["is disabled", "supplier_not_configured"],
  ["does not answer", "supplier_unavailable"],
])(
  "a retry that comes when the supplier %s is not refused while the first attempt may still deliver",
  async (_, refusal) => {
    const { productId, simulator, supplierId, supplierProductId } = await addOnDemandProduct(services);
    const request = { externalOrderId: "a", productId, qty: 1, expectedUnitPrice: null };
    const letGo = await lockAccount();
    const first = services.orders.place({ ...request, caller: await callerAt(services) });
    await untilInLine(services.database);
    if (refusal === "supplier_price_changed") simulator.setPrice(supplierProductId, "0.90");
    if (refusal === "out_of_stock") simulator.setStock(supplierProductId, 0);
    if (refusal === "supplier_not_configured") await services.suppliers.setStatus(supplierId, "disabled");
    if (refusal === "supplier_unavailable") await simulator.close();
    const caller = await callerAt(elsewhere);
    await expect(elsewhere.orders.place({ ...request, caller })).rejects.toMatchObject({
      code: "order_in_progress",
    });
    const other = { ...request, externalOrderId: "b", caller };
    await expect(elsewhere.orders.place(other)).rejects.toMatchObject({ code: refusal });
    await letGo();
    await first.catch(() => {});
    if (refusal !== "supplier_unavailable") await simulator.close();
    await services.orders.idle();
  },
);

test("a retry at the same process is not refused while an attempt has not come to its transaction", async () => {
  const supplier = createServer();
  const asked = once(supplier, "request");
  supplier.listen(0, "127.0.0.1");
  await once(supplier, "listening");
  const supplierUrl = `http://127.0.0.1:${(supplier.address() as AddressInfo).port}/shop/v1`;
  const { productId, simulator } = await addOnDemandProduct(services, { supplierUrl });
  const request = {
    externalOrderId: "a",
    productId,
    qty: 1,
    expectedUnitPrice: "1.00",
    caller: await callerAt(services),
  };
  const first = services.orders.place(request);
  const refused = expect(first).rejects.toMatchObject({ code: "supplier_unavailable" });
  await asked;
  await services.products.setPrices(productId, { 1: usd("2") });
  // Nor when another retry has ended since.
  for (let retry = 1; retry <= 2; retry += 1)
    await expect(services.orders.place(request)).rejects.toMatchObject({ code: "order_in_progress" });
  supplier.closeAllConnections();
  supplier.close();
  await refused;
  // From then on, each is judged for itself.
  for (let retry = 1; retry <= 2; retry += 1)
    await expect(services.orders.place(request)).rejects.toMatchObject({ code: "price_changed" });
  await simulator.close();
});

test("an attempt of another account under the same id keeps no order from being refused", async () => {
  const { productId } = await services.addProduct({ price: "1.00" });
  const other = await addCaller(services, await services.addAccount("10"));
  const request = { externalOrderId: "a", productId, qty: 1 };
  const letGo = await lockAccount();
  const caller = await callerAt(services);
  const first = services.orders.place({ ...request, expectedUnitPrice: "1.00", caller });
  await untilInLine(services.database);
  const refused = services.orders.place({ ...request, expectedUnitPrice: "2.00", caller: other });
  await expect(refused).rejects.toMatchObject({ code: "price_changed" });
  await letGo();
  await first;
});

test.each(["stock", "on demand"])(
  "an attempt (%s) that comes to its end too late for the buyer to know is not written",
  async (kind) => {
    const onDemand = kind === "stock" ? null : await addOnDemandProduct(services);
    const productId = onDemand?.productId ?? (await services.addProduct()).productId;
    const request = { externalOrderId: "a", productId, qty: 1, expectedUnitPrice: null };
    const letGo = await lockAccount();
    const first = services.orders.place({ ...request, caller: await callerAt(services) });
    await untilInLine(services.database);
    nowMs += 25_001;
    await letGo();
    await expect(first).rejects.toMatchObject({ code: "order_in_progress" });
    expect((await services.orders.page(accountId, { limit: 1 })).orders).toEqual([]);
    await onDemand?.simulator.close();
  },
);

test("an order that is sent again too late for the buyer to know waits to be sent once more", async () => {
  const { productId, simulator } = await addOnDemandProduct(services);
  const request = { externalOrderId: "a", productId, qty: 1, expectedUnitPrice: null };
  const place = async () => services.orders.place({ ...request, caller: await callerAt(services) });
  simulator.nextPurchases({ kind: "refuse", code: "out_of_stock" });
  await expect(place()).rejects.toMatchObject({ code: "out_of_stock" });
  const letGo = await lockAccount();
  const again = place();
  await untilInLine(services.database);
  nowMs += 25_001;
  await letGo();
  await expect(again).rejects.toMatchObject({ code: "order_in_progress" });
  const { orders } = await services.orders.page(accountId, { limit: 1 });
  expect(orders).toMatchObject([{ status: "retryable", errorCode: "out_of_stock" }]);
  expect((await place()).order.status).toBe("delivered");
  await simulator.close();
});

test("an order that another process has sent again since it was looked up is given with what that bought", async () => {
  const { productId, simulator } = await addOnDemandProduct(services);
  const request = { externalOrderId: "a", productId, qty: 1, expectedUnitPrice: null };
  const place = async (at: Services) => at.orders.place({ ...request, caller: await callerAt(at) });
  simulator.nextPurchases({ kind: "refuse", code: "out_of_stock" });
  await expect(place(services)).rejects.toMatchObject({ code: "out_of_stock" });
  const { quote } = elsewhere.suppliers;
  vi.spyOn(elsewhere.suppliers, "quote").mockImplementationOnce(async (...asked) => {
    await place(services);
    return quote(...asked);
  });
  const again = place(elsewhere);
  await expect(again).resolves.toMatchObject({ reused: true });
  const { order } = await again;
  expect([...simulator.purchases()]).toMatchObject([[order.orderId, { deliveredCodes: order.codes }]]);
  await simulator.close();
});
