import { expect, test } from "vitest";
import { isAcceptableCost } from "../catalog/acceptable-cost.ts";
import { usd } from "../testing/test-shop.ts";
import { hasTimeToSend, isAbandoned, type Purchase, pauseMs } from "./purchase.ts";

test.each([
  ["0.80", true],
  ["0.81", false],
  ["0.01", true],
  ["0.00", false],
  ["0.5050", false],
])("with a maximum of 0.80, a cost of %s is acceptable: %s", (cost, acceptable) => {
  expect(isAcceptableCost(usd(cost), usd("0.80"))).toBe(acceptable);
});

test("a cost below a hundredth of the maximum is a mistake of somebody", () => {
  expect(isAcceptableCost(usd("0.10"), usd("10"))).toBe(true);
  expect(isAcceptableCost(usd("0.09"), usd("10"))).toBe(false);
});

test("the pauses between attempts grow to five minutes and no further", () => {
  const pauses = [1, 2, 3, 9, 10, 60].map((attempts) => pauseMs(attempts, () => 0.5));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
  expect(pauseMs(1, () => 0)).toBe(750);
  expect(pauseMs(1, () => 1)).toBe(1_250);
});

const PURCHASE: Purchase = {
  orderId: "ord_00000000000000000000000000000000",
  supplierId: "s",
  supplierProductId: "p",
  maxUnitCostMicrocents: usd("1"),
  unitCostMicrocents: usd("1"),
  supplierOrderId: null,
  claim: "c",
  leased: true,
  attempts: 1,
  inDoubtSinceMs: null,
  processingSinceMs: 0,
  dueAtMs: 1_000,
};

test("a purchase is abandoned when nobody works on it, or its lease has run out", () => {
  expect(isAbandoned(PURCHASE, 999)).toBe(false);
  expect(isAbandoned(PURCHASE, 1_000)).toBe(true);
  expect(isAbandoned({ ...PURCHASE, leased: false }, 1)).toBe(true);
});

test("a request is sent only when it must end before the lease does", () => {
  const times = { leaseMs: 1_000, purchaseMs: 300, retryableMs: 1 };
  expect(hasTimeToSend(PURCHASE, times, 700)).toBe(true);
  expect(hasTimeToSend(PURCHASE, times, 701)).toBe(false);
  expect(hasTimeToSend({ ...PURCHASE, dueAtMs: null }, times, 0)).toBe(false);
});
