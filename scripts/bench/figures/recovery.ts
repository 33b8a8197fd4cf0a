import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { utcDay } from "../../../server/clock.ts";
import { transaction } from "../../../server/database/transaction.ts";
import { newId } from "../../../server/ids.ts";
import { addDailySpends } from "../../../server/keys/key-store.ts";
import { lockFunds } from "../../../server/ledger/funds-store.ts";
import { openHolds } from "../../../server/ledger/hold-store.ts";
import type { Order } from "../../../server/orders/order.ts";
import { insertOrders } from "../../../server/orders/order-store.ts";
import { insertPurchases } from "../../../server/orders/purchase-store.ts";
import type { BenchContext, Figure } from "../bench-context.ts";
import { startBenchProcess } from "../child-process.ts";
import type { SupplierReady, SupplierSetting } from "../processes/supplier.ts";
import { absolute } from "../result.ts";
import { type BenchShop, type Buyer, PRICE_MICROCENTS, SUPPLIER_ID } from "../shop.ts";

const SUPPLIER = new URL("../processes/supplier.ts", import.meta.url);
const PRODUCT_ID = "abandoned";
const ORDERS = 10_000;
const ORDERS_AT_ONCE = 32;
const TARGET = { atMost: 60 };
const POLL_MS = 100;

/** How long a service takes to bring 10,000 abandoned orders to their end, with a supplier that answers at once. */
export const recovery: Figure = async (context) => {
  const { shop, progress } = context;
  const setting: SupplierSetting = { productId: PRODUCT_ID };
  const supplier = await startBenchProcess<SupplierReady>(SUPPLIER, setting);
  await shop.addOnDemandProduct(PRODUCT_ID, supplier.ready);
  progress(`abandoning ${ORDERS} orders`);
  // Their leases run out together, when all are there.
  const dueAtMs = Date.now() + 3_600_000;
  let made = 0;
  const abandon = async () => {
    while (made < ORDERS)
      await abandonOrder(shop, shop.buyers[made++ % shop.buyers.length] as Buyer, dueAtMs);
  };
  await Promise.all(Array.from({ length: ORDERS_AT_ONCE }, abandon));
  progress("recovering them");
  const seconds = await recover(context);
  await supplier.stop();
  return [
    absolute({
      name: `recovery of ${ORDERS.toLocaleString("en")} abandoned orders`,
      unit: "s",
      measured: seconds,
      target: TARGET,
    }),
  ];
};

/** Leaves an order as a process does that is killed before it has asked the supplier. */
async function abandonOrder(
  { services }: BenchShop,
  { accountId, keyId }: Buyer,
  dueAtMs: number,
): Promise<void> {
  const nowMs = Date.now();
  const order: Order = {
    orderId: newId("ord"),
    accountId,
    externalOrderId: randomUUID(),
    keyId,
    productId: PRODUCT_ID,
    productName: PRODUCT_ID,
    qty: 1,
    unitPriceMicrocents: PRICE_MICROCENTS,
    amountMicrocents: PRICE_MICROCENTS,
    status: "processing",
    redeemUrl: null,
    errorCode: null,
    spendDay: utcDay(nowMs),
    createdAtMs: nowMs,
    deliveredAtMs: null,
    refundedAtMs: null,
  };
  const { orderId, amountMicrocents, spendDay } = order;
  await transaction(services.database, async (tx) => {
    await insertOrders(tx, [order]);
    await insertPurchases(tx, [
      {
        orderId,
        supplierId: SUPPLIER_ID,
        supplierProductId: PRODUCT_ID,
        maxUnitCostMicrocents: PRICE_MICROCENTS,
        unitCostMicrocents: PRICE_MICROCENTS,
        supplierOrderId: null,
        claim: randomUUID(),
        leased: true,
        attempts: 1,
        inDoubtSinceMs: nowMs,
        processingSinceMs: nowMs,
        dueAtMs,
      },
    ]);
    const hold = { accountId, reference: orderId, amountMicrocents, openedAtMs: nowMs };
    const funds = await lockFunds(tx, [hold]);
    await addDailySpends(tx, [{ keyId, day: spendDay, amountMicrocents }]);
    if (!(await openHolds(tx, funds, [hold])))
      throw new Error("The buyers of the bench have too little money.");
  });
}

async function recover({ shop: { services } }: BenchContext): Promise<number> {
  await services.database.change("UPDATE purchases SET due_at_ms = ? WHERE due_at_ms > ?", [
    Date.now(),
    Date.now(),
  ]);
  const begin = performance.now();
  while (
    (await services.orderAdministration.search({ productId: PRODUCT_ID, status: "processing" }, 1)).length > 0
  )
    await delay(POLL_MS);
  const delivered = await services.orderAdministration.search(
    { productId: PRODUCT_ID, status: "delivered" },
    ORDERS,
  );
  if (delivered.length !== ORDERS) throw new Error(`${delivered.length} of ${ORDERS} orders were delivered.`);
  return (performance.now() - begin) / 1000;
}
