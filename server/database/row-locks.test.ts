import { afterAll, beforeAll, expect, test } from "vitest";
import { lockAbandoned, lockHolds } from "../calls/call-store.ts";
import type { AccountId, CallId, OrderId, SegmentId } from "../ids.ts";
import { lockFunds } from "../ledger/funds-store.ts";
import { lockOrder } from "../orders/order-store.ts";
import { lockOpenSegments, lockSegment } from "../stock/stock-store.ts";
import { addCaller, addModel, mostOutput } from "../testing/test-calls.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { isLockTimeout } from "./faults.ts";
import { type Transaction, transaction } from "./transaction.ts";

let services: TestServices;
let rows: {
  accountId: AccountId;
  orderId: OrderId;
  productId: string;
  segmentId: SegmentId;
  callId: CallId;
};
beforeAll(async () => {
  services = await openTestServices();
  const accountId = await services.addAccount("10");
  const buyer = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (buyer === null) throw new Error("The key is not known.");
  const { productId } = await services.addProduct({ codes: 2 });
  const request = { caller: buyer, externalOrderId: "1", productId, qty: 1, expectedUnitPrice: null };
  const { order } = await services.orders.place(request);
  const [segment] = await services.stock.list(productId);
  if (segment === undefined) throw new Error("There is no segment.");
  const call = await services.calls.begin({
    caller: await addCaller(services, accountId),
    model: await addModel(services),
    requestId: "r",
    most: mostOutput(9),
  });
  rows = {
    ...{ accountId, productId },
    ...{ orderId: order.orderId, segmentId: segment.segmentId, callId: call.callId },
  };
});
// Ends with the audit.
afterAll(() => services.dispose());

/** What locks the rows of which table, and gives what it has read. */
const LOCKS: Readonly<Record<string, readonly [table: string, lock: (tx: Transaction) => Promise<unknown>]>> =
  {
    lockFunds: ["accounts", (tx) => lockFunds(tx, [rows])],
    "lockFunds with a brief wait": ["accounts", (tx) => lockFunds({ ...tx, lockWait: "brief" }, [rows])],
    lockOrder: ["orders", (tx) => lockOrder(tx, rows.orderId)],
    lockSegment: ["stock_segments", (tx) => lockSegment(tx, rows.segmentId)],
    lockOpenSegments: ["stock_segments", async (tx) => (await lockOpenSegments(tx, rows.productId, 1))[0]],
    lockHolds: ["calls", async (tx) => (await lockHolds(tx, [rows.callId])).get(rows.callId)],
    lockAbandoned: [
      "calls",
      async (tx) => (await lockAbandoned(tx, [rows.callId], Number.MAX_SAFE_INTEGER))[0],
    ],
  };

test.each(Object.entries(LOCKS))(
  "%s keeps everybody else from the rows that it reads",
  async (_, [table, lock]) => {
    const touch = () => services.database.rows(`SELECT 1 FROM ${table} FOR UPDATE NOWAIT`);
    await expect(touch()).resolves.not.toEqual([]);
    await transaction(services.database, async (tx) => {
      expect(await lock(tx)).toBeTruthy();
      await expect(touch()).rejects.toSatisfy(isLockTimeout);
    });
    await expect(touch()).resolves.not.toEqual([]);
  },
);
