import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { compose, type Services } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import type { Caller } from "../keys/api-key.ts";
import type { Log } from "../log.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { type KillableDatabase, startKillableDatabase } from "../testing/database/killable-database.ts";
import { startInterceptor } from "../testing/faults/interceptor.ts";
import { openTestServicesOn, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

/** Longer than any test: what happens within it is no other attempt's doing. */
const FOR_LONG_MS = 600_000;

let server: KillableDatabase;
let services: TestServices;
let simulator: SupplierSimulator;
let caller: Caller;
let productId: string;
/** What the shop that works on orders has warned of. */
let warnings: string[];
let shop: Services;
beforeAll(async () => {
  server = await startKillableDatabase();
  services = openTestServicesOn({ url: server.url, tcpUrl: server.url, drop: async () => {} });
});
afterAll(async () => {
  // Ends with the audit.
  await services.dispose();
  await server.dispose();
});
beforeEach(async () => {
  simulator = await startSupplierSimulator();
  ({ productId } = await addOnDemandProduct(services, { simulator }));
  const accountId = await services.addAccount("100");
  const known = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (known === null) throw new Error("The key is not known.");
  caller = known;
  warnings = [];
  shop = composeShop(server.url);
});
afterEach(async () => {
  await closeDatabase(shop.database);
  await simulator.close();
});

function composeShop(url: string): Services {
  const warn = (...said: unknown[]) => void warnings.push(String(said.at(-1)));
  const log: Log = { info() {}, warn, error() {} };
  return compose(testConfig(url, { orderLeaseMs: FOR_LONG_MS, orderDeadlineMs: FOR_LONG_MS }), Date.now, log);
}

const order = (externalOrderId: string) => ({
  ...{ caller, externalOrderId, productId, qty: 1 },
  expectedUnitPrice: null,
});
const requests = () => [...simulator.purchases().values()].map((purchase) => purchase.requests);
const funds = async () => {
  const { balanceMicrocents, reservedMicrocents } = await services.accounts.get(caller.accountId);
  return [balanceMicrocents, reservedMicrocents];
};

/** Places an order, and has the database die before the supplier's answer and live again after. */
async function placeWhileDatabaseDies(): ReturnType<Services["orders"]["place"]> {
  simulator.setLatency(FOR_LONG_MS);
  const placing = shop.orders.place(order("away"));
  placing.catch(() => {});
  await expect.poll(requests).toEqual([1]);
  await server.kill();
  simulator.endDelays();
  await expect.poll(() => warnings).toContainEqual(expect.stringContaining("the database does not take"));
  await server.restart();
  return placing;
}

test("an order whose codes came while the database was away is delivered as soon as it is back", async () => {
  const { order: delivered, reused } = await placeWhileDatabaseDies();
  expect(reused).toBe(false);
  expect(delivered.codes).toEqual(simulator.purchases().get(delivered.orderId)?.deliveredCodes);
  expect(requests()).toEqual([1]);
  expect(await funds()).toEqual([usd("99"), 0n]);
});

test("an order that was refused while the database was away is given back as soon as it is back", async () => {
  simulator.nextPurchases({ kind: "refuse", code: "out_of_stock" });
  await expect(placeWhileDatabaseDies()).rejects.toMatchObject({ code: "out_of_stock" });
  expect(await funds()).toEqual([usd("100"), 0n]);
});

test("an abandoned order whose claim got no answer is carried on by who claimed it", async () => {
  simulator.fault({ kind: "cut_before", times: null });
  await expect(services.orders.place(order("claimed"))).rejects.toMatchObject({
    code: "supplier_unavailable",
  });
  simulator.clearFaults();
  await services.database.change(
    "UPDATE purchases SET due_at_ms = 1 WHERE leased = 0 AND due_at_ms IS NOT NULL",
  );
  let cuts = 0;
  const interceptor = await startInterceptor(server.url, ({ from, request }) => {
    if (from === "client" || cuts > 0 || !/^execute UPDATE purchases SET claim/.test(request)) return "pass";
    cuts += 1;
    return "cut";
  });
  const behind = composeShop(interceptor.url);
  const { order: delivered } = await behind.orders.place(order("claimed"));
  expect([cuts, delivered.status]).toEqual([1, "delivered"]);
  await closeDatabase(behind.database);
  interceptor.close();
  expect(await funds()).toEqual([usd("99"), 0n]);
});
