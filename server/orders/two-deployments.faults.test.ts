import { expect, onTestFinished, test } from "vitest";
import type { AccountId, OrderId } from "../ids.ts";
import { createRandom } from "../simulators/shared/random.ts";
import { startFaultInjector } from "../simulators/supplier/fault-injector.ts";
import type { FaultInput } from "../simulators/supplier/faults.ts";
import { startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { faultSeed, scaled } from "../testing/faults/fault-runs.ts";
import { type Answer, requestShop } from "../testing/request-shop.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { expectSalesToAgree, orderUntilDelivered, waitUntilAllEnded } from "../testing/supplied-orders.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

const ORDERS = scaled(1_000);
const FAULT_RATE = 0.1;
const MAX_WAIT_MS = 5 * 60_000;
const BALANCE = "100000";
const MAX_CODES_PER_ORDER = 3;
/** The seller's own purchases are to end within the time that its buyer gives it. */
const SELLER_TIMES = { SUPPLIER_TIMEOUT_MS: "800", ORDER_LEASE_MS: "1700", RECOVERY_INTERVAL_MS: "50" };
const RESELLER_TIMES = { SUPPLIER_TIMEOUT_MS: "2000", ORDER_LEASE_MS: "4100", RECOVERY_INTERVAL_MS: "50" };

/** All that happens between two deployments that keep to the contract. */
const FAULTS: FaultInput[] = [
  "late",
  "late_effect",
  "cut_before",
  "cut_after",
  "cut_midway",
  "hang_before",
  "hang_after",
  "too_few_codes",
  "too_many_codes",
  "repeated_code",
  ...[true, false].flatMap((effect) => [
    { kind: "garbage", effect } as const,
    { kind: "garbage_shape", effect } as const,
  ]),
  ...([500, 502, 503] as const).flatMap((status) => [
    { kind: "error_before", status } as const,
    { kind: "error_after", status } as const,
  ]),
  ...(
    [
      "supplier_unavailable",
      "order_in_progress",
      "order_commit_pending",
      "rate_limited",
      "out_of_stock",
      "unauthorized",
    ] as const
  ).map((code) => ({ kind: "refuse", code }) as const),
];

test("1,000 orders through two deployments and faults between them: books, costs and codes agree, order by order", async () => {
  const seed = faultSeed();
  const random = createRandom(seed);
  let aheadMs = 0;
  const seller = await openTestServices();
  const reseller = await openTestServices(() => Date.now() + aheadMs);
  const simulator = await startSupplierSimulator();

  const sellersServer = await startServer(seller, SELLER_TIMES);
  const injector = await startFaultInjector({ target: sellersServer.baseUrl });
  const resellersAccount = await seller.addAccount(BALANCE);
  const { key } = await seller.addKey(resellersAccount);
  await reseller.suppliers.add({ supplierId: "seller", baseUrl: injector.url, apiKey: key });
  const sold = [
    await seller.addProduct({ price: "0.50", codes: ORDERS * MAX_CODES_PER_ORDER }),
    await addOnDemandProduct(seller, { simulator, price: "0.50", cost: "0.25", maxCost: "0.40" }),
  ];
  const productIds = await Promise.all(sold.map(({ productId }) => resell(reseller, productId)));
  const buyers = await Promise.all(
    Array.from({ length: 5 }, async () => reseller.addKey(await reseller.addAccount(BALANCE))),
  );
  const resellersServer = await startServer(reseller, RESELLER_TIMES);
  const anyOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

  const operations = ["createOrder", "checkAvailability", "listOrders", "getOrder"] as const;
  injector.randomFaults({ rate: FAULT_RATE, kinds: FAULTS, operations, seed });
  simulator.randomFaults({ rate: FAULT_RATE, kinds: FAULTS, operations, seed });
  const answers = await Promise.all(
    Array.from({ length: ORDERS }, (_, index) => {
      const qty = 1 + Math.floor(random() * MAX_CODES_PER_ORDER);
      const body = { externalOrderId: `order-${index}`, productId: anyOf(productIds), qty };
      const options = { key: anyOf(buyers).key, body };
      const post = () => requestShop(resellersServer.baseUrl, "/orders", options);
      // One in ten asks once and never comes back.
      if (random() < 0.1) return post();
      return orderUntilDelivered(post, { isFinal: ({ status }) => status === 200, maxWaitMs: MAX_WAIT_MS });
    }),
  );
  await waitUntilAllEnded(reseller, MAX_WAIT_MS);
  await waitUntilAllEnded(seller, MAX_WAIT_MS);
  await resellersServer.kill("SIGTERM");

  // With few orders there may have been no fault.
  if (ORDERS >= 100) expect([...injector.posts().values()].some((posts) => posts > 1)).toBe(true);
  await expectDelivered(reseller, answers);
  await expectLedgersToAgree(reseller, seller, resellersAccount);
  await expectSalesToAgree(seller, simulator);

  await reseller.suppliers.setAccess("seller", { baseUrl: sellersServer.baseUrl });
  // What is younger than a minute is not compared.
  aheadMs = 10 * 60_000;
  await expectReconciled(reseller);
  await sellersServer.kill("SIGTERM");
  await injector.close();
  await simulator.close();
  // Both end with the audit.
  await reseller.dispose();
  await seller.dispose();
});

/** A server that does not outlive a test that fails. */
async function startServer(
  { databaseUrl }: TestServices,
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const server = await startServerProcess(databaseUrl, environment);
  onTestFinished(() => void server.kill("SIGKILL"));
  return server;
}

/** Offers what the seller sells, at twice the price. */
async function resell({ products }: TestServices, supplierProductId: string): Promise<string> {
  const productId = `resold-${supplierProductId}`;
  const supply = { supplierId: "seller", supplierProductId, maxUnitCostMicrocents: usd("0.80") };
  await products.create({ productId, name: productId, supply });
  const price = usd("1.00");
  await products.setPrices(productId, { 1: price, 2: price, 3: price, 4: price, 5: price });
  return productId;
}

/** What buyers were given is what their orders show. */
async function expectDelivered(
  { orders, orderAdministration }: TestServices,
  answers: readonly Answer[],
): Promise<void> {
  const bought = answers.filter(({ status }) => status === 200).map(({ body }) => body);
  expect(bought.length).toBeGreaterThan(0.8 * answers.length);
  const codes = bought.flatMap((order) => order.codes);
  expect(new Set(codes).size).toBe(codes.length);
  for (const { orderId, codes, qty } of bought) {
    const { accountId } = await orderAdministration.find(orderId);
    expect(codes).toHaveLength(qty);
    expect(await orders.get(accountId, orderId)).toMatchObject({ status: "delivered", codes });
  }
}

interface Bought {
  order_id: OrderId;
  account_id: AccountId;
  supplier_order_id: OrderId;
  cost_microcents: bigint;
}

interface Sold {
  order_id: OrderId;
  external_order_id: Buffer;
  charged_microcents: bigint;
}

/** Every order that the reseller has delivered is one that the seller has charged it for, at this cost, and no other is. */
async function expectLedgersToAgree(
  reseller: TestServices,
  seller: TestServices,
  resellersAccount: AccountId,
): Promise<void> {
  const bought = await reseller.database.rows<Bought>(
    `SELECT o.order_id, o.account_id, p.supplier_order_id, p.unit_cost_microcents * o.qty AS cost_microcents
     FROM orders o JOIN purchases p ON p.order_id = o.order_id WHERE o.status = 'delivered' ORDER BY o.order_id`,
  );
  const sold = await seller.database.rows<Sold>(
    `SELECT o.order_id, o.external_order_id, -e.amount_microcents AS charged_microcents
     FROM ledger_entries e JOIN orders o ON o.order_id = CONVERT(e.reference USING ascii) COLLATE ascii_bin
     WHERE e.account_id = ? AND e.type = 'order' ORDER BY o.external_order_id`,
    [resellersAccount],
  );
  expect(
    bought.map((order) => [order.order_id, order.supplier_order_id, BigInt(order.cost_microcents)]),
  ).toEqual(
    sold.map((order) => [
      order.external_order_id.toString(),
      order.order_id,
      BigInt(order.charged_microcents),
    ]),
  );
  const total = bought.reduce((sum, order) => sum + BigInt(order.cost_microcents), 0n);
  expect(await seller.accounts.get(resellersAccount)).toMatchObject({
    balanceMicrocents: usd(BALANCE) - total,
    reservedMicrocents: 0n,
  });
  for (const order of bought) {
    const { codes } = await reseller.orders.get(order.account_id, order.order_id);
    expect((await seller.orders.get(resellersAccount, order.supplier_order_id)).codes).toEqual(codes);
  }
}

/** The operator's own comparison finds the same. */
async function expectReconciled({ orderAdministration }: TestServices): Promise<void> {
  const window = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  const found = await orderAdministration.reconcile({
    supplierId: "seller",
    window,
    ordersPerMinute: 1_000_000,
  });
  expect(found.differences).toEqual([]);
  expect(found.here).toEqual(found.there);
}
