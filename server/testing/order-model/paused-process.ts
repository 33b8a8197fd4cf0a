import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { SupplierUnavailableError } from "../../suppliers/errors.ts";
import { type Answer, describeTarget, perform, prepare, type Target } from "./actions.ts";
import { observe } from "./observation.ts";
import { describeState, type Run } from "./run.ts";
import { judgePost, LEASE_MS, type RequestedOrder, SUPPLIER_ERRORS } from "./shop-model.ts";

/**
 * A process that works on an order is gone for longer than its lease, while its purchase is answered late: another
 * process takes the order over, and then it comes back.
 */
export interface PausedProcess {
  readonly target: Target;
  /** Whether the supplier has nothing when it is asked first. */
  readonly soldOutAtFirst: boolean;
  /** Who takes over. */
  readonly second: "sweep" | "post";
}

// The first comes back while the second still waits for its answer.
const FIRST_LATE_MS = 120;
const SECOND_LATE_MS = 150;
const POLL_MS = 2;
// On a machine slower than this, the first may have come back before the other has taken over.
const SLOW_MS = SECOND_LATE_MS + FIRST_LATE_MS / 2;
const FIRST_MAY: readonly string[] = ["bought", "replayed", "order_commit_pending", "order_in_progress"];

/** Does it, when a new purchase would be certain to succeed, and checks that the one who took over has brought it to its end. */
export async function pauseProcess(
  run: Run,
  { target, soldOutAtFirst, second }: PausedProcess,
): Promise<void> {
  const { model, simulator, testbed } = run;
  const prepared = prepare(run, { do: "post", target, expecting: "any price", times: 1 }, "");
  if (prepared.do !== "post") return;
  const { sent } = prepared;
  const { outcomes, reached } = judgePost(model, sent);
  const { up, enabled, effectsPending } = model.supplier;
  const processing = [...model.orders.values()].filter(({ status }) => status === "processing");
  // A sweep would take up all of them.
  const others = second === "sweep" ? processing : processing.filter((order) => isSame(order, sent));
  const certain = reached && outcomes.size === 1 && outcomes.has("bought");
  if (!(certain && up && enabled) || effectsPending() || others.length > 0) return;

  const stock = model.supplier.codesLeft();
  const momentsMs = [model.nowMs(), model.nowMs() + LEASE_MS];
  // A machine that stalls for longer than the service waits for its supplier does not get further.
  if (!(await isQuoted(run, sent.qty))) return testbed.restart();
  const startMs = performance.now();
  simulator.nextPurchases(
    { kind: "late", delayMs: FIRST_LATE_MS },
    { kind: "late", delayMs: SECOND_LATE_MS },
  );
  if (soldOutAtFirst) run.setSuppliersStock(0);
  const requests = run.purchaseRequests();
  let ended = false;
  const first = perform(run, prepared, run.services()).finally(() => {
    ended = true;
  });
  while (!ended && run.purchaseRequests() === requests) await delay(POLL_MS);
  run.setSuppliersStock(stock);
  testbed.clock().advance(LEASE_MS);
  const overtaking = perform(run, second === "sweep" ? { do: "sweep" } : prepared, run.services());
  const [[firstAnswer], [secondAnswer]] = await Promise.all([first, overtaking]);
  const slow = performance.now() - startMs > SLOW_MS;
  simulator.clearFaults();
  run.history.push(
    `${describePausedProcess({ target, soldOutAtFirst, second })}: ${sent.externalOrderId} → ${firstAnswer?.outcome}, ${secondAnswer?.outcome}`,
  );

  run.history.push(...testbed.takeErrors().map((error) => `    logged: ${error}`));
  await observe(run, {
    posted: new Map([[sent.externalOrderId, [sent]]]),
    refunded: new Set(),
    swept: second === "sweep",
    prices: { "on-demand": [model.prices["on-demand"]], stocked: [model.prices.stocked] },
    momentsMs,
    together: true,
    disturbed: false,
  });
  run.history.push(`    ${describeState(run)}`);
  checkAnswer(firstAnswer, slow ? [...FIRST_MAY, ...SUPPLIER_ERRORS] : FIRST_MAY);
  if (slow) return testbed.restart();
  expect(
    model.orders.get(sent.externalOrderId)?.status,
    `${sent.externalOrderId} is delivered by the second`,
  ).toBe("delivered");
}

/** Has the service ask for the quote, so that the purchase is what the order waits for. */
async function isQuoted({ services, supplierId, supplierProductId }: Run, qty: number): Promise<boolean> {
  try {
    await services().suppliers.quote(supplierId, supplierProductId, qty, {
      fresh: true,
      purpose: "purchase",
    });
    return true;
  } catch (error) {
    if (error instanceof SupplierUnavailableError) return false;
    throw error;
  }
}

function isSame(one: RequestedOrder, other: RequestedOrder): boolean {
  return one.externalOrderId === other.externalOrderId;
}

function checkAnswer(answer: Answer | undefined, allowed: readonly string[]): void {
  expect(allowed, `the first attempt ended with ${answer?.outcome} ${answer?.error ?? ""}`).toContain(
    answer?.outcome,
  );
}

/** What is done, in words, for a counterexample. */
export function describePausedProcess({ target, soldOutAtFirst, second }: PausedProcess): string {
  const soldOut = soldOutAtFirst ? " with the supplier sold out at first" : "";
  return `post ${describeTarget(target)} stalls${soldOut} and is overtaken by a ${second}`;
}
