import { expect, test } from "vitest";
import { ERROR_CODES } from "../simulators/supplier/answer.ts";
import { FAULT_KINDS } from "../simulators/supplier/faults.ts";
import { describeFaulty, isGoodEnd, placeFaultyOrders } from "../testing/faults/faulty-order.ts";
import { CIRCUMSTANCES, PURCHASE_FAULTS } from "../testing/faults/purchase-faults.ts";

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
  const described = expected.map(({ faulty, order }) => describeFaulty(faulty, order));
  const ends = await placeFaultyOrders(expected.map(({ faulty }) => faulty));
  expect(ends.filter((end) => !isGoodEnd(end))).toEqual([]);
  // On a busy machine the supplier is slow as well, which is a fault of its own: what differs is tried again almost alone.
  const differing = expected.filter((_, index) => ends[index] !== described[index]);
  const again = await placeFaultyOrders(
    differing.map(({ faulty }) => faulty),
    2,
  );
  expect(again).toEqual(differing.map(({ faulty, order }) => describeFaulty(faulty, order)));
}, 180_000);

test("no refusal is believed while a request that was sent before may still arrive", async () => {
  // It arrives after the second request was refused, and before the purchase counts as settled.
  const late = { kind: "late_effect", delayMs: 3_000 } as const;
  const codes = ERROR_CODES.filter((code) => code !== "idempotency_conflict");
  const orders = codes.flatMap((code) =>
    [true, false].map((persistent) => ({
      faults: [late, { kind: "refuse", code } as const],
      persistent,
      enough: true,
    })),
  );
  expect(await placeFaultyOrders(orders)).toEqual(orders.map((order) => describeFaulty(order, "delivered")));
}, 180_000);
