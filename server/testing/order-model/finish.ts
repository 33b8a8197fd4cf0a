import { expect } from "vitest";
import { change } from "./circumstances.ts";
import { type Run, suppliersOrders } from "./run.ts";
import { LONGEST_PAUSE_MS, RETRYABLE_MS } from "./shop-model.ts";
import { doCalmly } from "./step.ts";

const MOST_SWEEPS = 4;
const ENDED = ["delivered", "failed", "refunded"];

/** Lets a run come to rest: with everything well again, every order ends, and what can be sent again is bought. */
export async function finish(run: Run): Promise<void> {
  const { model } = run;
  const named = (...statuses: readonly string[]) =>
    [...model.orders.values()].filter(({ status }) => statuses.includes(status));
  await change(run, { of: "everything", is: "well" });
  // One is enough, unless the machine is very slow.
  for (
    let sweeps = 0;
    sweeps < MOST_SWEEPS && (sweeps === 0 || named("processing").length > 0);
    sweeps += 1
  ) {
    await change(run, { of: "clock", ms: LONGEST_PAUSE_MS });
    await doCalmly(run, { do: "sweep" });
  }
  expect(named("processing"), "orders that do not end").toEqual([]);

  await doCalmly(run, { do: "top-up", amount: "100.00", repeated: false });
  const [, ...sentAgain] = named("retryable");
  for (const { externalOrderId } of sentAgain) {
    const repeat = model.wishes.toReversed().findIndex((wish) => wish.externalOrderId === externalOrderId);
    await doCalmly(run, { do: "post", target: { repeat }, expecting: "any price", times: 1 });
  }
  await change(run, { of: "clock", ms: RETRYABLE_MS + LONGEST_PAUSE_MS });
  await doCalmly(run, { do: "sweep" });
  for (const order of model.orders.values()) {
    expect(ENDED, `${order.externalOrderId} at the end`).toContain(order.status);
    if (order.kind === "stocked" || order.status === "failed") continue;
    expect(suppliersOrders(run).get(order.orderId)?.status).toBe("delivered");
  }
}
