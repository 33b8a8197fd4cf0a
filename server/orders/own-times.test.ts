import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { utcDay } from "../clock.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { newId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { microcents } from "../money/microcents.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";
import { writeDeliveries } from "./end-order.ts";
import type { Order } from "./order.ts";
import { writeAcceptances } from "./place-on-demand.ts";
import type { Purchase } from "./purchase.ts";

let services: TestServices;
let caller: Caller;
beforeEach(async () => {
  services = await openTestServices();
  const known = await services.keys.authenticate((await services.addKey(await services.addAccount())).key);
  if (known === null) throw new Error("the key is not known");
  caller = known;
});
// Ends with the audit.
afterEach(() => services.dispose());

const write = (work: (tx: Transaction) => Promise<void>) => transaction(services.database, work);

/** An order that is accepted at a moment, its codes being bought. */
function acceptedAt(createdAtMs: number): { order: Order; purchase: Purchase } {
  const orderId = newId("ord");
  const order: Order = {
    orderId,
    accountId: caller.accountId,
    externalOrderId: orderId,
    keyId: caller.keyId,
    productId: "product",
    productName: "Product",
    qty: 1,
    unitPriceMicrocents: usd("1"),
    amountMicrocents: usd("1"),
    status: "processing",
    redeemUrl: null,
    errorCode: null,
    spendDay: utcDay(createdAtMs),
    createdAtMs,
    deliveredAtMs: null,
    refundedAtMs: null,
  };
  const purchase: Purchase = {
    orderId,
    supplierId: "acme",
    supplierProductId: "theirs",
    maxUnitCostMicrocents: usd("0.80"),
    unitCostMicrocents: usd("0.50"),
    supplierOrderId: null,
    claim: randomUUID(),
    leased: true,
    attempts: 1,
    inDoubtSinceMs: createdAtMs,
    processingSinceMs: createdAtMs,
    dueAtMs: createdAtMs + 1_000,
  };
  return { order, purchase };
}

function candidateOf({ order, purchase }: { order: Order; purchase: Purchase }) {
  const { externalOrderId, productId, qty } = order;
  const request = { caller, externalOrderId, productId, qty, expectedUnitPrice: null };
  return {
    kind: "on-demand",
    request,
    order,
    judgedAtMs: order.createdAtMs,
    purchase,
    redeemUrl: null,
    again: false,
  } as const;
}

function deliveryOf({ order, purchase }: { order: Order; purchase: Purchase }, deliveredAtMs: number) {
  const { orderId } = order;
  const redeemUrl = `https://redeem.example/${orderId}`;
  return {
    order: { ...order, status: "delivered", redeemUrl, deliveredAtMs } as const,
    purchase,
    supplied: {
      supplierOrderId: `theirs of ${orderId}`,
      unitCostMicrocents: microcents(BigInt(deliveredAtMs)),
      codes: [orderId],
      redeemUrl: null,
    },
    codes: [
      {
        orderId,
        position: 0,
        ciphertext: Buffer.from(orderId),
        fingerprint: Buffer.from(orderId.slice(-16)),
      },
    ],
  };
}

test("orders that share transactions have holds, ledger entries and deliveries of their own", async () => {
  const [one, two] = [acceptedAt(1_000), acceptedAt(2_000)];
  await write((tx) => writeAcceptances(tx, [one, two].map(candidateOf)));
  await write((tx) => writeDeliveries(tx, [deliveryOf(one, 5_000), deliveryOf(two, 7_000)]));

  const holds = await services.database.rows(
    "SELECT reference, state, created_at_ms, closed_at_ms FROM holds ORDER BY created_at_ms",
  );
  expect(holds).toEqual([
    { reference: one.order.orderId, state: "settled", created_at_ms: 1_000n, closed_at_ms: 5_000n },
    { reference: two.order.orderId, state: "settled", created_at_ms: 2_000n, closed_at_ms: 7_000n },
  ]);
  const entries = (await services.ledger.list(caller.accountId, 10)).filter(({ type }) => type === "order");
  expect(new Map(entries.map(({ reference, createdAtMs }) => [reference, createdAtMs]))).toEqual(
    new Map([
      [one.order.orderId, 5_000],
      [two.order.orderId, 7_000],
    ]),
  );
  for (const [{ order }, deliveredAtMs] of [
    [one, 5_000],
    [two, 7_000],
  ] as const) {
    const { orderId } = order;
    const redeemUrl = `https://redeem.example/${orderId}`;
    expect(await services.orderAdministration.find(orderId)).toMatchObject({ deliveredAtMs, redeemUrl });
    expect(await services.orderAdministration.purchaseOf(orderId)).toMatchObject({
      supplierOrderId: `theirs of ${orderId}`,
      unitCostMicrocents: BigInt(deliveredAtMs),
    });
  }
});
