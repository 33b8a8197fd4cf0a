import { expect, test } from "vitest";
import type { LookUpOutcome, PurchaseOutcome, RefusalReason } from "../suppliers/supplier.ts";
import { usd } from "../testing/test-shop.ts";
import { afterLookUp, afterPurchase, mustLookUpFirst, type Sent } from "./next-step.ts";

const NOW_MS = 1_000_000;
const GRACE_PERIOD_MS = 60_000;
const supplied = {
  supplierOrderId: "s-1",
  unitCostMicrocents: usd("1"),
  codes: ["A"],
  redeemUrl: null,
};

const nothingSent = sent(null);
const sentJustNow = sent(NOW_MS - 1);
const sentLongAgo = sent(NOW_MS - GRACE_PERIOD_MS);

function sent(sinceMs: number | null): Sent {
  return {
    inDoubtSinceMs: sinceMs,
    unansweredSinceMs: sinceMs,
    gracePeriodMs: GRACE_PERIOD_MS,
    nowMs: NOW_MS,
  };
}

const refused = (reason: RefusalReason): PurchaseOutcome => ({ kind: "refused", reason, message: "" });
const unknown = (answered: boolean): PurchaseOutcome => ({ kind: "unknown", answered, message: "" });
const REASONS = ["unreachable", "out_of_stock", "cost_changed", "not_accepted", "closed"] as const;

test("codes are taken whatever was sent before", () => {
  for (const before of [nothingSent, sentJustNow, sentLongAgo]) {
    expect(afterPurchase({ kind: "delivered", supplied }, before)).toEqual({ kind: "deliver", supplied });
    expect(afterLookUp({ kind: "delivered", supplied }, "unreachable", before)).toEqual({
      kind: "deliver",
      supplied,
    });
  }
});

test.each(REASONS)("a first request that is refused (%s) has bought nothing", (reason) => {
  expect(afterPurchase(refused(reason), nothingSent)).toEqual({ kind: "release", reason });
});

test.each(REASONS.filter((reason) => reason !== "closed"))(
  "a refusal (%s) proves nothing while an earlier request may still arrive",
  (reason) => {
    expect(afterPurchase(refused(reason), sentJustNow)).toEqual({
      kind: "postpone",
      dueAtMs: NOW_MS - 1 + GRACE_PERIOD_MS,
      inDoubtSinceMs: NOW_MS - 1,
    });
    expect(afterPurchase(refused(reason), sentLongAgo)).toEqual({ kind: "look-up", reason });
  },
);

test("an id that is closed at the supplier is closed at once", () => {
  expect(afterPurchase(refused("closed"), sentJustNow)).toEqual({ kind: "release", reason: "closed" });
  expect(afterLookUp({ kind: "closed" }, "out_of_stock", sentJustNow)).toEqual({
    kind: "release",
    reason: "closed",
  });
});

test("without an answer it is tried again; what is answered in words of the contract is looked up", () => {
  const later = { kind: "postpone", dueAtMs: null, inDoubtSinceMs: NOW_MS };
  expect(afterPurchase(unknown(false), nothingSent)).toEqual(later);
  expect(afterPurchase(unknown(true), sentLongAgo)).toEqual(later);
  expect(afterPurchase(unknown(true), nothingSent)).toEqual({ kind: "look-up", reason: "unreachable" });
});

test("what may still be sent by who held a lease is not forgotten when another request gets no answer", () => {
  const mayBeSent = sent(NOW_MS + 5_000);
  const later = { kind: "postpone", dueAtMs: null, inDoubtSinceMs: NOW_MS + 5_000 };
  for (const answered of [false, true]) expect(afterPurchase(unknown(answered), mayBeSent)).toEqual(later);
  expect(afterPurchase(refused("out_of_stock"), mayBeSent)).toEqual({
    ...later,
    dueAtMs: NOW_MS + 5_000 + GRACE_PERIOD_MS,
  });
});

test.each(["retryable", "none"] as const)(
  "an order that is %s there is released once all is settled",
  (kind) => {
    const found: LookUpOutcome = { kind };
    const release = { kind: "release", reason: "out_of_stock" };
    expect(afterLookUp(found, "out_of_stock", nothingSent)).toEqual(release);
    expect(afterLookUp(found, "out_of_stock", sentLongAgo)).toEqual(release);
    expect(afterLookUp(found, "out_of_stock", sentJustNow)).toEqual({
      kind: "postpone",
      dueAtMs: NOW_MS - 1 + GRACE_PERIOD_MS,
      inDoubtSinceMs: NOW_MS - 1,
    });
  },
);

test("after an answer in doubt, only what the supplier has written down itself is believed", () => {
  const answered = { ...nothingSent, inDoubtSinceMs: NOW_MS };
  expect(afterLookUp({ kind: "retryable" }, "unreachable", answered)).toMatchObject({ kind: "release" });
  expect(afterLookUp({ kind: "none" }, "unreachable", answered)).toMatchObject({ kind: "postpone" });
});

test.each([{ kind: "processing" }, { kind: "unknown", message: "" }] as const)(
  "what the supplier does not know yet is asked again later ($kind)",
  (found) => {
    expect(afterLookUp(found, "out_of_stock", sentLongAgo)).toMatchObject({
      kind: "postpone",
      dueAtMs: null,
    });
  },
);

test("what was in doubt stays so when a look-up tells nothing", () => {
  expect(afterLookUp({ kind: "processing" }, "unreachable", sentLongAgo)).toMatchObject({
    inDoubtSinceMs: NOW_MS - GRACE_PERIOD_MS,
  });
});

test("after three attempts in doubt the supplier is asked before another is sent", () => {
  expect(mustLookUpFirst(3, sentLongAgo)).toBe(false);
  expect(mustLookUpFirst(4, sentLongAgo)).toBe(true);
  expect(mustLookUpFirst(4, sentJustNow)).toBe(true);
  expect(mustLookUpFirst(4, nothingSent)).toBe(false);
});
