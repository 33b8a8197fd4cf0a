import { expect, test } from "vitest";
import { ERROR_CODES } from "../simulators/supplier/answer.ts";
import type { FaultRule } from "../simulators/supplier/fault-schedule.ts";
import { FAULT_KINDS } from "../simulators/supplier/faults.ts";
import { expectEnds, type FaultyOrder } from "../testing/faults/faulty-order.ts";
import { CIRCUMSTANCES, PURCHASE_FAULTS } from "../testing/faults/purchase-faults.ts";

test("every fault of the supplier is among those that are tried", () => {
  expect(new Set(PURCHASE_FAULTS.map(({ fault }) => fault.kind))).toEqual(new Set(FAULT_KINDS));
});

test("whatever goes wrong with a purchase, once, its order comes to the end that it should come to", async () => {
  const orders = PURCHASE_FAULTS.flatMap(({ fault, enough, short, once }) =>
    CIRCUMSTANCES.map((circumstances) => {
      const usual = circumstances.enough ? enough : short;
      const end = circumstances.persistent ? usual : (once ?? usual);
      const faulty = (times: number) => ({ faults: [inTimes(fault, times)], ...circumstances });
      return { faulty, end };
    }),
  );
  await expectEnds(orders);
});

/** The same fault of a supplier that asks to wait for so many times as long, as a shop with so many times the time does. */
function inTimes(fault: FaultRule, times: number): FaultRule {
  if (fault.kind !== "refuse" || fault.retryAfterSeconds === undefined) return fault;
  return { ...fault, retryAfterSeconds: fault.retryAfterSeconds * times };
}

test("no refusal is believed while a request that was sent before may still arrive", async () => {
  const codes = ERROR_CODES.filter((code) => code !== "idempotency_conflict");
  const orders = codes.flatMap((code) =>
    [true, false].map((persistent) => {
      const faulty = (times: number): FaultyOrder => {
        // It arrives after the second request was refused, and before the purchase counts as settled.
        const late = { kind: "late_effect", delayMs: 3_000 * times } as const;
        return { faults: [late, { kind: "refuse", code }], persistent, enough: true };
      };
      return { faulty, end: "delivered" };
    }),
  );
  await expectEnds(orders);
});
