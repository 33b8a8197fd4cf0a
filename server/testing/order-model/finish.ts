import { expect } from "vitest";
import { change } from "./environment-changes.ts";
import { type Run, suppliersOrders } from "./run.ts";
import { MAX_PAUSE_MS, RETRYABLE_MS } from "./shop-model.ts";
import { doWithoutFaults } from "./step.ts";

const MAX_SWEEPS = 4;
const ENDED = ["delivered", "failed", "refunded"];

/** Lets a run come to rest: with everything well again, every order ends, and what can be sent again is bought. */
export async function finish(run: Run): Promise<void> {
  const { model } = run;
  const named = (...statuses: readonly string[]) =>
    [...model.orders.values()].filter(({ status }) => statuses.includes(status));
  await change(run, { of: "everything", is: "well" });
  // One is enough, unless the machine is very slow.
  for (let sweeps = 0; sweeps < MAX_SWEEPS && (sweeps === 0 || named("processing").length > 0); sweeps += 1) {
    await change(run, { of: "clock", ms: MAX_PAUSE_MS });
    await doWithoutFaults(run, { do: "sweep" });
  }
  expect(named("processing"), "orders that do not end").toEqual([]);

  await doWithoutFaults(run, { do: "top-up", amount: "100.00", repeated: false });
  const [, ...sentAgain] = named("retryable");
  for (const { externalOrderId } of sentAgain) {
    const repeat = model.requestedOrders
      .toReversed()
      .findIndex((requested) => requested.externalOrderId === externalOrderId);
    await doWithoutFaults(run, { do: "post", target: { repeat }, expecting: "any price", times: 1 });
  }
  await change(run, { of: "clock", ms: RETRYABLE_MS + MAX_PAUSE_MS });
  await doWithoutFaults(run, { do: "sweep" });
  for (const order of model.orders.values()) {
    expect(ENDED, `${order.externalOrderId} at the end`).toContain(order.status);
    if (order.kind === "stocked" || order.status === "failed") continue;
    expect(suppliersOrders(run).get(order.orderId)?.status).toBe("delivered");
  }
}
