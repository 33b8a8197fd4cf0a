import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { Services } from "../../compose.ts";
import type { OrderStatus } from "../../orders/order-status.ts";
import {
  type Action,
  type Answer,
  describeAction,
  describePrepared,
  type PreparedAction,
  perform,
  prepare,
} from "./actions.ts";
import { type Expected, expectPrepared, expectSweep } from "./expectations.ts";
import { observe, type StepFacts } from "./observation.ts";
import { describeState, type Run } from "./run.ts";
import type { Outcome, ProductKind, RequestedOrder, SeenOrder, Sent } from "./shop-model.ts";
import { affectLaterQuotes, arm, describeFault, disarm, type SupplierFault } from "./supplier-faults.ts";
import { SUPPLIER_TIMEOUT_MS } from "./testbed.ts";

/**
 * What happens to the process that does it: nothing, or at one of its messages to database and supplier it dies, or
 * loses the message and its connection.
 */
export type ProcessFault = "none" | InjectedFault;

interface InjectedFault {
  readonly does: "crash" | "lose-connection";
  /** Which message it is, among all or among those that matter most. */
  readonly at: number;
  readonly among: "all" | "commits and purchases";
}

/** Actions at the same time, on one process, while the supplier has these faults. */
export interface Step {
  readonly actions: readonly Action[];
  /** How much later each begins than the one before. */
  readonly apartMs: number;
  readonly faults: readonly SupplierFault[];
  readonly processFault: ProcessFault;
}

// On a machine that stalls for longer than this the service may have given its supplier up.
const SLOW_MS = SUPPLIER_TIMEOUT_MS / 2;

/** Does a step and checks everything that it led to. */
export async function doStep(run: Run, step: Step): Promise<void> {
  const { model, testbed } = run;
  const actions = step.actions.map((action, index) => prepare(run, action, `${run.history.length}-${index}`));
  const expected = actions.map((action) => expectPrepared(model, actions, action, step.faults.length > 0));
  const statuses = step.faults.length === 0 && actions.length === 1 ? expectSweep(model) : null;
  const before = { orders: model.orders, requests: run.purchaseRequests(), prices: { ...model.prices } };

  arm(run, step.faults);
  const startMs = performance.now();
  const answers = await act(run, actions, step);
  const tookMs = performance.now() - startMs;
  disarm(run, step.faults);
  for (const action of actions) remember(run, action);
  const line = `${describeStep(step)}: ${actions.map((action, index) => tell(action, answers[index])).join("; ")}`;
  run.history.push(`${line} (${Math.round(tookMs)} ms)`);

  const disturbed = step.processFault !== "none";
  const { prices } = model;
  const held = (kind: ProductKind) => [before.prices[kind], prices[kind]];
  const errors = testbed.takeErrors();
  run.history.push(...errors.map((error) => `    logged: ${error}`));
  await observe(run, {
    ...explain(actions),
    prices: { "on-demand": held("on-demand"), stocked: held("stocked") },
    momentsMs: [model.nowMs()],
    together: actions.length > 1 || actions.some((action) => action.do === "post" && action.times > 1),
    disturbed,
  });
  run.history.push(`    ${describeState(run)}`);
  checkGiven(run, actions, answers);
  if (!model.supplier.enabled) {
    expect(run.purchaseRequests(), "nothing is bought from a disabled supplier").toBe(before.requests);
  }
  const slow = tookMs > SLOW_MS;
  if (!disturbed) {
    for (const [index, each] of expected.entries()) checkAnswers(each, answers[index] ?? [], slow);
    checkOnly(run, actions, answers, before.orders);
    if (statuses !== null && actions[0]?.do === "sweep" && !slow) checkSwept(run, statuses);
    expect(errors, "errors in the log").toEqual([]);
  }
  const breakers = run.services().suppliers.breakerStates();
  const remembersTrouble =
    slow || affectLaterQuotes(step.faults) || breakers.some(({ state }) => state !== "closed");
  if (remembersTrouble) await testbed.restart();
}

/** Does one thing while nothing goes wrong. */
export function doWithoutFaults(run: Run, action: Action): Promise<void> {
  return doStep(run, { actions: [action], apartMs: 0, faults: [], processFault: "none" });
}

/** Does everything, on the testbed's process or on one that meets its processFault. */
async function act(
  run: Run,
  actions: readonly PreparedAction[],
  { processFault, apartMs }: Step,
): Promise<Answer[][]> {
  const performAll = (services: Services) =>
    Promise.all(
      actions.map(async (action, index) => {
        if (apartMs > 0) await delay(index * apartMs);
        return perform(run, action, services, apartMs);
      }),
    );
  if (processFault === "none") return performAll(run.services());
  const { testbed, simulator, supplierId } = run;
  const counts = processFault.among === "all" ? undefined : isCommitOrPurchase;
  const { breakpoint, services, supplierUrl, crash, close } = await testbed.throughBreakpoint(
    simulator.url,
    counts,
  );
  await run.services().suppliers.setAccess(supplierId, { baseUrl: supplierUrl });
  breakpoint.fireAt(processFault.at, () => {
    if (processFault.does === "crash") crash();
  });
  const answers = await performAll(services);
  run.history.push(
    `    ${breakpoint.hasFired() ? breakpoint.steps()[processFault.at - 1] : "nothing happened to it"}`,
  );
  await close();
  await run.services().suppliers.setAccess(supplierId, { baseUrl: simulator.url });
  // The operator who asked for these does not know whether they were done, and asks again.
  const again = actions.filter((action) => action.do === "top-up" || action.do === "price");
  for (const action of again) await perform(run, action, run.services());
  return processFault.does === "crash" ? [] : answers;
}

function isCommitOrPurchase(request: string): boolean {
  return request === "query COMMIT" || request.startsWith("POST ");
}

function remember({ model }: Run, action: PreparedAction): void {
  if (action.do === "top-up") model.topUps.set(action.reference, action.amount);
  if (action.do === "price") model.prices[action.kind] = action.price;
}

function explain(actions: readonly PreparedAction[]): Pick<StepFacts, "posted" | "refunded" | "swept"> {
  const posted = new Map<string, RequestedOrder[]>();
  for (const action of actions) {
    if (action.do !== "post") continue;
    const { externalOrderId } = action.sent;
    posted.set(externalOrderId, [...(posted.get(externalOrderId) ?? []), action.sent]);
  }
  const refunds = actions.flatMap((action) => (action.do === "refund" ? [action.order.externalOrderId] : []));
  return { posted, refunded: new Set(refunds), swept: actions.some((action) => action.do === "sweep") };
}

function checkAnswers(
  { action, outcomes, whenSlow, certain }: Expected,
  answers: readonly Answer[],
  slow: boolean,
) {
  const allowed = [...(slow ? whenSlow : outcomes)];
  for (const { outcome, error } of answers) {
    expect(allowed, `${describePrepared(action)} ended with ${outcome} ${error ?? ""}`).toContain(outcome);
  }
  if (action.do !== "post") return;
  const bought = answers.filter(({ outcome }) => outcome === "bought");
  expect(bought.length, `${describePrepared(action)} was bought`).toBeLessThanOrEqual(1);
  if (certain && !slow) expect(bought, `${describePrepared(action)} is bought`).toHaveLength(1);
}

/** Codes that were given are those of the order, which is delivered. */
function checkGiven(
  { model }: Run,
  actions: readonly PreparedAction[],
  answers: readonly (readonly Answer[])[],
): void {
  const refunds = new Set(
    actions.flatMap((action) => (action.do === "refund" ? [action.order.externalOrderId] : [])),
  );
  for (const { order } of answers.flat()) {
    if (order === undefined) continue;
    const { externalOrderId: name, orderId, qty, codes } = order;
    const seen = model.orders.get(name);
    expect(order.status, `${name} was given as delivered`).toBe("delivered");
    expect(codes, `${name} was given with its codes`).toHaveLength(qty);
    expect(seen, `${name} was given`).toMatchObject({
      orderId,
      qty,
      amountMicrocents: order.amountMicrocents,
    });
    if (refunds.has(name) && seen?.status === "refunded") continue;
    expect(seen?.codes, `${name} was given with its codes`).toEqual(codes);
  }
}

/** What one post with one answer says about its order is so. */
function checkOnly(
  { model }: Run,
  actions: readonly PreparedAction[],
  answers: readonly (readonly Answer[])[],
  ordersBefore: ReadonlyMap<string, SeenOrder>,
): void {
  const [action] = actions;
  const [answer] = answers.flat();
  if (action?.do !== "post" || action.times > 1 || actions.length > 1 || answer === undefined) return;
  const { externalOrderId: name } = action.sent;
  checkAfter(action.sent, answer.outcome, ordersBefore.get(name), model.orders.get(name));
}

function checkAfter(sent: Sent, outcome: Outcome, before?: SeenOrder, after?: SeenOrder): void {
  const message = `${sent.externalOrderId} after ${outcome}`;
  const released = after?.status === "retryable" && after.errorCode === outcome;
  const statuses = statusesAfter(sent, outcome, before);
  if (statuses !== null) expect(statuses, message).toContain(after?.status);
  else if (!released || sent.kind === "stocked") expect(after, message).toEqual(before);
}

/** Which states an order may be in after a post that ended so; null when it is as before or released for that reason. */
function statusesAfter(
  sent: Sent,
  outcome: Outcome,
  before?: SeenOrder,
): readonly (OrderStatus | undefined)[] | null {
  switch (outcome) {
    case "bought":
      return ["delivered"];
    case "supplier_unavailable":
      return [before?.status, "processing", "retryable"];
    case "idempotency_conflict": {
      const isOther = before !== undefined && (before.kind !== sent.kind || before.qty !== sent.qty);
      return isOther ? null : ["failed", "refunded"];
    }
    default:
      return null;
  }
}

function checkSwept({ model }: Run, expected: ReadonlyMap<string, ReadonlySet<OrderStatus>>): void {
  for (const [name, statuses] of expected) {
    expect([...statuses], `${name} after the sweep`).toContain(model.orders.get(name)?.status);
  }
}

function tell(action: PreparedAction, answers: readonly Answer[] = []): string {
  return `${describePrepared(action)} → ${answers.map(({ outcome }) => outcome).join(", ") || "never answered"}`;
}

/** A step in words, for a counterexample. */
export function describeStep({ actions, apartMs, faults, processFault }: Step): string {
  const what = actions.map(describeAction).join(" + ");
  const where = faults.length === 0 ? "" : ` while [${faults.map(describeFault).join("; ")}]`;
  const apart = apartMs === 0 ? "" : ` ${apartMs} ms apart`;
  const how =
    processFault === "none"
      ? ""
      : `, to ${processFault.does} at ${processFault.at} among ${processFault.among}`;
  return what + apart + where + how;
}
