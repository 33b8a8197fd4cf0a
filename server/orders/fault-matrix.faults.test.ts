import { expect, test } from "vitest";
import { ERROR_CODES } from "../simulators/supplier/answer.ts";
import type { FaultRule } from "../simulators/supplier/fault-schedule.ts";
import { FAULT_KINDS, SHOP_FAULTS } from "../simulators/supplier/faults.ts";
import { scaledSelection } from "../testing/faults/fault-runs.ts";
import { type FaultyOrder, isAllowedOutcome, placeFaultyOrders } from "../testing/faults/faulty-order.ts";
import { CIRCUMSTANCES, PURCHASE_FAULTS } from "../testing/faults/purchase-faults.ts";

/** Places the orders, or some of them when the run is scaled down. */
async function expectGoodEnds(orders: readonly FaultyOrder[]): Promise<void> {
  const ends = await placeFaultyOrders(scaledSelection(orders));
  expect(ends.filter((end) => !isAllowedOutcome(end))).toEqual([]);
}

const inAllCircumstances = (faults: readonly FaultRule[]): FaultyOrder[] =>
  CIRCUMSTANCES.map((circumstances) => ({ faults, ...circumstances }));

test("orders whose purchases go wrong two and three times in the same way come to an end", async () => {
  const repeated = PURCHASE_FAULTS.flatMap(({ fault }) => [2, 3].map((times) => ({ ...fault, times })));
  await expectGoodEnds(repeated.flatMap((fault) => inAllCircumstances([fault])));
});

test("orders whose purchases go wrong in any two ways, one after the other, come to an end", async () => {
  const pairs = PURCHASE_FAULTS.flatMap((first) =>
    PURCHASE_FAULTS.map((second) => [first.fault, second.fault]),
  );
  const orders = pairs.map((faults, index) => ({
    faults,
    persistent: index % 2 === 0,
    enough: Math.floor(index / 2) % 3 > 0,
  }));
  await expectGoodEnds(orders.filter(({ faults }) => !contradicts(faults[1])));
});

/** It calls an id closed under which it may have sold: a supplier that keeps to the contract never does. */
function contradicts(second: FaultRule | undefined): boolean {
  return second?.kind === "refuse" && second.code === "idempotency_conflict";
}

test("orders whose supplier goes wrong when it is asked for a quote come to an end", async () => {
  const rules = readFaults("checkAvailability").flatMap((fault) =>
    [1, 7].map((times) => ({ ...fault, times })),
  );
  await expectGoodEnds(rules.flatMap((fault) => inAllCircumstances([fault])));
});

test("orders whose supplier also goes wrong when it is asked what became of a purchase come to an end", async () => {
  // All that an attempt sends is answered with an error that leaves the purchase in doubt.
  const before: FaultRule = { kind: "error_before", status: 503, times: 5 };
  const after: FaultRule = { kind: "error_after", status: 503, times: 5 };
  const combinations = [
    ...readFaults("listOrders").flatMap((fault) => [
      [before, fault],
      [after, fault],
    ]),
    ...readFaults("getOrder").map((fault) => [after, fault]),
  ];
  await expectGoodEnds(combinations.flatMap(inAllCircumstances));
});

/** Every fault that a supplier may have with a question. */
function readFaults(operation: "checkAvailability" | "listOrders" | "getOrder"): FaultRule[] {
  const kinds = FAULT_KINDS.filter((kind) => kind !== "refuse" && !SHOP_FAULTS.has(kind));
  return [
    ...ERROR_CODES.map((code) => ({ kind: "refuse" as const, code, operation })),
    ...kinds.map((kind) => ({ kind, operation }) as FaultRule),
  ];
}
