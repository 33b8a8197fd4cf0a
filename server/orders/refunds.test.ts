import { afterEach, beforeEach, expect, test } from "vitest";
import type { AccountId, OrderId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { dailySpend } from "../keys/key-store.ts";
import { type FixedClock, fixedClock } from "../testing/fixed-clock.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";

let time: FixedClock;
let services: TestServices;
let accountId: AccountId;
let caller: Caller;
let orderId: OrderId;
beforeEach(async () => {
  time = fixedClock("2026-03-01T12:00:00Z");
  services = await openTestServices(time.clock);
  accountId = await services.addAccount("10");
  const { key } = await services.addKey(accountId);
  const known = await services.keys.authenticate(key);
  if (known === null) throw new Error("the key is not known");
  caller = known;
  const { productId } = await services.addProduct({ price: "3.00" });
  const request = { caller, externalOrderId: "x", productId, qty: 2, expectedUnitPrice: null };
  orderId = (await services.orders.place(request)).order.orderId;
});
// Ends with the audit.
afterEach(() => services.dispose());

const spent = (day: string) => dailySpend(services.database, caller.keyId, day);
const balance = async () => (await services.accounts.get(accountId)).balanceMicrocents;

test("a refund credits the amount once, however often it is asked for, and shows no codes any more", async () => {
  const first = await services.orderAdministration.refund(orderId, "wrong product");
  expect(first).toMatchObject({ repeated: false, order: { status: "refunded", refundedAtMs: time.clock() } });
  expect(await services.orderAdministration.refund(orderId, "again")).toEqual({ ...first, repeated: true });
  expect(await balance()).toBe(usd("10"));
  expect((await services.orders.get(accountId, orderId)).codes).toEqual([]);
  expect((await services.ledger.list(accountId, 1))[0]).toMatchObject({
    type: "refund",
    reference: orderId,
    note: "wrong product",
  });
});

test("the daily spend is given back on the same UTC day", async () => {
  expect(await spent("2026-03-01")).toBe(usd("6"));
  time.set("2026-03-01T23:59:59.999Z");
  await services.orderAdministration.refund(orderId, "same day");
  expect(await spent("2026-03-01")).toBe(0n);
});

test("the daily spend stays as it was when the refund comes on a later day", async () => {
  time.set("2026-03-02T00:00:00Z");
  await services.orderAdministration.refund(orderId, "a day later");
  expect(await spent("2026-03-01")).toBe(usd("6"));
  expect(await spent("2026-03-02")).toBe(0n);
});

test("30 refunds at once credit once", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, () => services.orderAdministration.refund(orderId, "race")),
  );
  expect(outcomes.filter(({ repeated }) => !repeated)).toHaveLength(1);
  expect(await balance()).toBe(usd("10"));
});

test("a refund's reason has up to 1,000 characters", async () => {
  const refund = (length: number) => services.orderAdministration.refund(orderId, "x".repeat(length));
  await expect(refund(1_001)).rejects.toMatchObject({ code: "invalid_input" });
  expect(await refund(1_000)).toMatchObject({ repeated: false });
});

test("a refund needs a reason and an order", async () => {
  await expect(services.orderAdministration.refund(orderId, " ")).rejects.toMatchObject({
    code: "invalid_input",
  });
  await expect(services.orderAdministration.refund("ord_0", "reason")).rejects.toMatchObject({
    code: "not_found",
  });
});
