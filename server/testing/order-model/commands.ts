import fc from "fast-check";
import { type Action, canDo, type Target } from "./actions.ts";
import { change, describeEnvironmentChange, type EnvironmentChange } from "./environment-changes.ts";
import { describeInDoubtPurchase, type InDoubtPurchase, leaveInDoubt } from "./in-doubt-purchase.ts";
import { describePausedProcess, type PausedProcess, pauseProcess } from "./paused-process.ts";
import type { Run } from "./run.ts";
import { ACCEPTABLE_COSTS, LEASE_MS, OTHER_COSTS, PRODUCT_KINDS, type ShopModel } from "./shop-model.ts";
import { describeStep, doStep, type ProcessFault, type Step } from "./step.ts";
import { doubtfulFault, refusal, supplierFaults } from "./supplier-faults.ts";

type Command = fc.AsyncCommand<ShopModel, Run>;

const SECOND_MS = 1_000;
const HOUR_MS = 60 * 60 * SECOND_MS;
// A post on a new process takes about as many messages.
const LAST_MESSAGE = 90;
// Accepted, bought, delivered: each is asked for and answered.
const LAST_DECISIVE = 8;
const MAX_COMMANDS = 30;

const qty = fc.integer({ min: 1, max: 3 });
const which = fc.nat(7);
const latest = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: which });

const fresh = fc.record({
  fresh: fc.oneof(
    { weight: 4, arbitrary: fc.constant(PRODUCT_KINDS[0]) },
    { weight: 1, arbitrary: fc.constant(PRODUCT_KINDS[1]) },
  ),
  qty,
});
const again = fc.record({ again: latest });
const repeat = fc.record({ repeat: which });
const clash = fc.record({ clash: which, with: fc.constantFrom("other qty", "other product") });
const target: fc.Arbitrary<Target> = fc.oneof(
  { weight: 5, arbitrary: fresh },
  { weight: 5, arbitrary: again },
  { weight: 1, arbitrary: repeat },
  { weight: 1, arbitrary: clash as fc.Arbitrary<Target> },
);
const expecting = fc.oneof(
  { weight: 4, arbitrary: fc.constant("any price" as const) },
  { weight: 2, arbitrary: fc.constant("the price" as const) },
  { weight: 1, arbitrary: fc.constant("a wrong price" as const) },
);

const once = fc.constant(1);
const postOf = (times: fc.Arbitrary<number>): fc.Arbitrary<Action> =>
  fc.record({ do: fc.constant("post"), target, expecting, times });
const sweep: fc.Arbitrary<Action> = fc.constant({ do: "sweep" });
const refund: fc.Arbitrary<Action> = fc.record({ do: fc.constant("refund"), which });
const topUp: fc.Arbitrary<Action> = fc.record({
  do: fc.constant("top-up"),
  amount: fc.constantFrom("3.00", "6.50"),
  repeated: fc.boolean(),
});
const price: fc.Arbitrary<Action> = fc.record({
  do: fc.constant("price"),
  kind: fc.constantFrom(...PRODUCT_KINDS),
  price: fc.constantFrom("1.00", "0.70", "1.50"),
});

const noProcessFault = fc.constant("none" as const);
const does = fc.constantFrom("crash", "lose-connection");
const injectedFault = fc.oneof(
  fc.record({ does, at: fc.integer({ min: 1, max: LAST_MESSAGE }), among: fc.constant("all") }),
  fc.record({
    does,
    at: fc.integer({ min: 1, max: LAST_DECISIVE }),
    among: fc.constant("commits and purchases"),
  }),
) as fc.Arbitrary<Exclude<ProcessFault, "none">>;
const noFaults = fc.constant([]);
const atOnce = fc.constant(0);
const apartMs = fc.constantFrom(0, 0, 1, 2, 5);

/** One action on a process that lives. */
const alone = (action: fc.Arbitrary<Action>, faults = supplierFaults) =>
  fc.record({ actions: fc.tuple(action), apartMs: atOnce, faults, processFault: noProcessFault });
const burst = fc.record({
  actions: fc.tuple(postOf(fc.integer({ min: 2, max: 5 }))),
  apartMs,
  faults: supplierFaults,
  processFault: noProcessFault,
});
const together = fc.record({
  actions: fc
    .tuple(
      fc.array(
        fc.oneof(
          { weight: 5, arbitrary: postOf(once) },
          { weight: 1, arbitrary: fc.oneof(refund, topUp, sweep) },
        ),
        { minLength: 2, maxLength: 6 },
      ),
      // Of two new prices at once it would not be known which one holds.
      fc.option(price, { nil: undefined, freq: 5 }),
    )
    .map(([actions, newPrice]) => (newPrice === undefined ? actions : [...actions, newPrice])),
  apartMs,
  faults: supplierFaults,
  processFault: noProcessFault,
});
const withProcessFault = fc.record({
  actions: fc.oneof(
    { weight: 5, arbitrary: fc.array(postOf(once), { minLength: 1, maxLength: 3 }) },
    { weight: 2, arbitrary: fc.tuple(sweep) },
    { weight: 1, arbitrary: fc.tuple(fc.oneof(refund, topUp)) },
  ),
  apartMs: atOnce,
  faults: supplierFaults,
  processFault: injectedFault,
});

const pause = fc
  .constantFrom(SECOND_MS, LEASE_MS, HOUR_MS, 25 * HOUR_MS)
  .map((ms) => ({ of: "clock", ms }) as const);
const environmentChange: fc.Arbitrary<EnvironmentChange> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...ACCEPTABLE_COSTS, ...OTHER_COSTS)
      .map((cost) => ({ of: "cost", cost }) as const),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, 1, 3, null).map((codes) => ({ of: "supplier's stock", codes }) as const),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom("down", "up", "disabled", "enabled")
      .map((is) => ({ of: "supplier", is }) as const),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      of: fc.constant("caps"),
      order: fc.constantFrom(null, "2.00"),
      daily: fc.constantFrom(null, "4.00", "8.00"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ of: "process", is: "restarted" }) },
  { weight: 3, arbitrary: fc.constant({ of: "everything", is: "well" }) },
) as fc.Arbitrary<EnvironmentChange>;

const pausedProcessOf: fc.Arbitrary<PausedProcess> = fc.record({
  target: fc.oneof(fc.record({ fresh: fc.constant(PRODUCT_KINDS[0]), qty }), again),
  soldOutAtFirst: fc.boolean(),
  second: fc.constantFrom("sweep", "post"),
});

const inDoubtPurchaseOf: fc.Arbitrary<InDoubtPurchase> = fc.record({
  qty,
  first: doubtfulFault,
  meanwhile: fc.constantFrom<EnvironmentChange | null>(
    null,
    { of: "supplier", is: "disabled" },
    { of: "supplier's stock", codes: 0 },
    { of: "cost", cost: OTHER_COSTS[0] },
    { of: "clock", ms: LEASE_MS / 2 },
  ),
  retries: fc.array(fc.option(refusal), { minLength: 1, maxLength: 4 }),
});

const steps = (step: fc.Arbitrary<Step>): fc.Arbitrary<Command> =>
  step.map((plan) =>
    command(
      describeStep(plan),
      (model) => plan.actions.every((action) => canDo(action, model)),
      (run) => doStep(run, plan),
    ),
  );

const changes = (arbitrary: fc.Arbitrary<EnvironmentChange>): fc.Arbitrary<Command> =>
  arbitrary.map((plan) =>
    command(
      describeEnvironmentChange(plan),
      () => true,
      (run) => change(run, plan),
    ),
  );

/** Everything that may happen to a shop, one thing after the other. */
export const commands = fc.commands(
  [
    fc.oneof(
      { weight: 24, arbitrary: steps(alone(postOf(once))) },
      { weight: 5, arbitrary: steps(burst) },
      { weight: 6, arbitrary: steps(alone(sweep)) },
      { weight: 3, arbitrary: steps(alone(refund, noFaults)) },
      { weight: 2, arbitrary: steps(alone(topUp, noFaults)) },
      { weight: 2, arbitrary: steps(alone(price, noFaults)) },
      { weight: 7, arbitrary: steps(together) },
      { weight: 7, arbitrary: steps(withProcessFault) },
      {
        weight: 2,
        arbitrary: pausedProcessOf.map((plan) =>
          command(
            describePausedProcess(plan),
            ({ requestedOrders }) => "fresh" in plan.target || requestedOrders.length > 0,
            (run) => pauseProcess(run, plan),
          ),
        ),
      },
      {
        weight: 3,
        arbitrary: inDoubtPurchaseOf.map((plan) =>
          command(
            describeInDoubtPurchase(plan),
            () => true,
            (run) => leaveInDoubt(run, plan),
          ),
        ),
      },
      { weight: 12, arbitrary: changes(environmentChange) },
      { weight: 8, arbitrary: changes(pause) },
    ),
  ],
  { maxCommands: MAX_COMMANDS, size: "max", disableReplayLog: true },
);

function command(
  text: string,
  check: (model: ShopModel) => boolean,
  run: (run: Run) => Promise<void>,
): Command {
  return { check, run: (_model, real) => run(real), toString: () => `\n  ${text}` };
}
