import { expect, test } from "vitest";
import { FAULT_KINDS } from "../../scripts/supplier-simulator/faults.ts";
import { describeFaulty, placeFaultyOrders } from "../testing/faulty-order.ts";
import { CIRCUMSTANCES, PURCHASE_FAULTS } from "../testing/purchase-faults.ts";

test("every fault of the supplier is among those that are tried", () => {
  expect(new Set(PURCHASE_FAULTS.map(({ fault }) => fault.kind))).toEqual(new Set(FAULT_KINDS));
});

test("whatever goes wrong with a purchase, once, its order comes to the end that it should come to", async () => {
  const expected = PURCHASE_FAULTS.flatMap(({ fault, enough, short, once }) =>
    CIRCUMSTANCES.map((circumstances) => {
      const usual = circumstances.enough ? enough : short;
      const order = circumstances.persistent ? usual : (once ?? usual);
      return { faulty: { faults: [fault], ...circumstances }, order };
    }),
  );
  const ends = await placeFaultyOrders(expected.map(({ faulty }) => faulty));
  expect(ends).toEqual(expected.map(({ faulty, order }) => describeFaulty(faulty, order)));
}, 60_000);
