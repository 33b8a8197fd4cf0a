import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { Services } from "../../compose.ts";
import type { OrderStatus } from "../../orders/order-states.ts";
import {
  type Action,
  type Answer,
  type Deed,
  describeAction,
  describeDeed,
  perform,
  prepare,
} from "./actions.ts";
import { type Expected, expectDeed, expectSweep } from "./expectations.ts";
import { SUPPLIER_TIMEOUT_MS } from "./lane.ts";
import { describeState, type Run } from "./run.ts";
import type { Outcome, ProductKind, SeenOrder, Sent, Wish } from "./shop-model.ts";
import { type Deeds, sight } from "./sighting.ts";
import { areRemembered, arm, describeFault, disarm, type SupplierFault } from "./supplier-faults.ts";

/**
 * What happens to the process that does it: nothing, or at one of its messages to database and supplier it dies, or
 * loses the message and its connection.
 */
export type Fate = "lives" | Misfortune;

interface Misfortune {
  readonly does: "die" | "stumble";
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
  readonly fate: Fate;
}

// On a machine that stalls for longer than this the service may have given its supplier up.
const SLOW_MS = SUPPLIER_TIMEOUT_MS / 2;

/** Does a step and checks everything that it led to. */
export async function doStep(run: Run, step: Step): Promise<void> {
  const { model, lane } = run;
  const deeds = step.actions.map((action, index) => prepare(run, action, `${run.history.length}-${index}`));
  const expected = deeds.map((deed) => expectDeed(model, deeds, deed, step.faults.length > 0));
  const statuses = step.faults.length === 0 && deeds.length === 1 ? expectSweep(model) : null;
  const before = { orders: model.orders, requests: run.purchaseRequests(), prices: { ...model.prices } };

  arm(run, step.faults);
  const startMs = performance.now();
  const answers = await act(run, deeds, step);
  const tookMs = performance.now() - startMs;
  disarm(run, step.faults);
  for (const deed of deeds) remember(run, deed);
  const line = `${describeStep(step)}: ${deeds.map((deed, index) => tell(deed, answers[index])).join("; ")}`;
  run.history.push(`${line} (${Math.round(tookMs)} ms)`);

  const disturbed = step.fate !== "lives";
  const { prices } = model;
  const held = (kind: ProductKind) => [before.prices[kind], prices[kind]];
  const errors = lane.takeErrors();
  run.history.push(...errors.map((error) => `    logged: ${error}`));
  await sight(run, {
    ...explain(deeds),
    prices: { "on-demand": held("on-demand"), stocked: held("stocked") },
    momentsMs: [model.nowMs()],
    together: deeds.length > 1 || deeds.some((deed) => deed.do === "post" && deed.times > 1),
    disturbed,
  });
  run.history.push(`    ${describeState(run)}`);
  checkGiven(run, deeds, answers);
  if (!model.supplier.enabled) {
    expect(run.purchaseRequests(), "nothing is bought from a disabled supplier").toBe(before.requests);
  }
  const slow = tookMs > SLOW_MS;
  if (!disturbed) {
    for (const [index, each] of expected.entries()) checkAnswers(each, answers[index] ?? [], slow);
    checkOnly(run, deeds, answers, before.orders);
    if (statuses !== null && deeds[0]?.do === "sweep" && !slow) checkSwept(run, statuses);
    expect(errors, "errors in the log").toEqual([]);
  }
  const breakers = run.services().suppliers.breakerStates();
  const remembersTrouble =
    slow || areRemembered(step.faults) || breakers.some(({ state }) => state !== "closed");
  if (remembersTrouble) await lane.restart();
}

/** Does one thing while nothing goes wrong. */
export function doCalmly(run: Run, action: Action): Promise<void> {
  return doStep(run, { actions: [action], apartMs: 0, faults: [], fate: "lives" });
}

/** Does everything, on the lane's process or on one that meets its fate. */
async function act(run: Run, deeds: readonly Deed[], { fate, apartMs }: Step): Promise<Answer[][]> {
  const performAll = (services: Services) =>
    Promise.all(
      deeds.map(async (deed, index) => {
        if (apartMs > 0) await delay(index * apartMs);
        return perform(run, deed, services, apartMs);
      }),
    );
  if (fate === "lives") return performAll(run.services());
  const { lane, simulator, supplierId } = run;
  const counts = fate.among === "all" ? undefined : isCommitOrPurchase;
  const { wire, services, supplierUrl, close } = await lane.behindWire(simulator.url, counts);
  await run.services().suppliers.setAccess(supplierId, { baseUrl: supplierUrl });
  wire.fireAt(fate.at, () => {
    if (fate.does === "die") wire.shut();
  });
  const answers = await performAll(services);
  run.history.push(`    ${wire.hasFired() ? wire.steps()[fate.at - 1] : "nothing happened to it"}`);
  await close();
  await run.services().suppliers.setAccess(supplierId, { baseUrl: simulator.url });
  // The operator who asked for these does not know whether they were done, and asks again.
  const again = deeds.filter((deed) => deed.do === "top-up" || deed.do === "price");
  for (const deed of again) await perform(run, deed, run.services());
  return fate.does === "die" ? [] : answers;
}

function isCommitOrPurchase(request: string): boolean {
  return request === "query COMMIT" || request.startsWith("POST ");
}

function remember({ model }: Run, deed: Deed): void {
  if (deed.do === "top-up") model.topUps.set(deed.reference, deed.amount);
  if (deed.do === "price") model.prices[deed.kind] = deed.price;
}

function explain(deeds: readonly Deed[]): Pick<Deeds, "posted" | "refunded" | "swept"> {
  const posted = new Map<string, Wish[]>();
  for (const deed of deeds) {
    if (deed.do !== "post") continue;
    const { externalOrderId } = deed.sent;
    posted.set(externalOrderId, [...(posted.get(externalOrderId) ?? []), deed.sent]);
  }
  const refunds = deeds.flatMap((deed) => (deed.do === "refund" ? [deed.order.externalOrderId] : []));
  return { posted, refunded: new Set(refunds), swept: deeds.some((deed) => deed.do === "sweep") };
}

function checkAnswers(
  { deed, outcomes, whenSlow, certain }: Expected,
  answers: readonly Answer[],
  slow: boolean,
) {
  const allowed = [...(slow ? whenSlow : outcomes)];
  for (const { outcome, error } of answers) {
    expect(allowed, `${describeDeed(deed)} ended with ${outcome} ${error ?? ""}`).toContain(outcome);
  }
  if (deed.do !== "post") return;
  const bought = answers.filter(({ outcome }) => outcome === "bought");
  expect(bought.length, `${describeDeed(deed)} was bought`).toBeLessThanOrEqual(1);
  if (certain && !slow) expect(bought, `${describeDeed(deed)} is bought`).toHaveLength(1);
}

/** Codes that were given are those of the order, which is delivered. */
function checkGiven({ model }: Run, deeds: readonly Deed[], answers: readonly (readonly Answer[])[]): void {
  const refunds = new Set(
    deeds.flatMap((deed) => (deed.do === "refund" ? [deed.order.externalOrderId] : [])),
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
  deeds: readonly Deed[],
  answers: readonly (readonly Answer[])[],
  ordersBefore: ReadonlyMap<string, SeenOrder>,
): void {
  const [deed] = deeds;
  const [answer] = answers.flat();
  if (deed?.do !== "post" || deed.times > 1 || deeds.length > 1 || answer === undefined) return;
  const { externalOrderId: name } = deed.sent;
  checkAfter(deed.sent, answer.outcome, ordersBefore.get(name), model.orders.get(name));
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

function tell(deed: Deed, answers: readonly Answer[] = []): string {
  return `${describeDeed(deed)} → ${answers.map(({ outcome }) => outcome).join(", ") || "never answered"}`;
}

/** A step in words, for a counterexample. */
export function describeStep({ actions, apartMs, faults, fate }: Step): string {
  const what = actions.map(describeAction).join(" + ");
  const where = faults.length === 0 ? "" : ` while [${faults.map(describeFault).join("; ")}]`;
  const apart = apartMs === 0 ? "" : ` ${apartMs} ms apart`;
  const how = fate === "lives" ? "" : `, to ${fate.does} at ${fate.at} among ${fate.among}`;
  return what + apart + where + how;
}
