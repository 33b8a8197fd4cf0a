import type { Target } from "./actions.ts";
import { change, describeEnvironmentChange, type EnvironmentChange } from "./environment-changes.ts";
import { observeUndisturbed } from "./observation.ts";
import type { Run } from "./run.ts";
import { doStep } from "./step.ts";
import { describeFault, type SupplierFault } from "./supplier-faults.ts";

/**
 * A new order's purchase leaves its result in doubt, and takes effect perhaps when no process waits for it any more.
 * Meanwhile things change and the order is sent again: that it was bought comes to light only later.
 */
export interface InDoubtPurchase {
  readonly qty: number;
  readonly first: SupplierFault;
  readonly meanwhile: EnvironmentChange | null;
  /** What goes wrong each time the order is sent again; null for nothing. */
  readonly retries: readonly (SupplierFault | null)[];
}

/** Does it, and looks once more when everything has taken effect. */
export async function leaveInDoubt(
  run: Run,
  { qty, first, meanwhile, retries }: InDoubtPurchase,
): Promise<void> {
  await post(run, { fresh: "on-demand", qty }, first);
  if (meanwhile !== null) await change(run, meanwhile);
  for (const fault of retries) await post(run, { repeat: 0 }, fault);
  await run.effectsLanded();
  await observeUndisturbed(run);
}

function post(run: Run, target: Target, fault: SupplierFault | null): Promise<void> {
  const faults = fault === null ? [] : [fault];
  const action = { do: "post", target, expecting: "any price", times: 1 } as const;
  return doStep(run, { actions: [action], apartMs: 0, faults, processFault: "none" });
}

/** What is done, in words, for a counterexample. */
export function describeInDoubtPurchase({ qty, first, meanwhile, retries }: InDoubtPurchase): string {
  const faults = retries.map((fault) => (fault === null ? "no fault" : describeFault(fault)));
  const changed = meanwhile === null ? "" : `, then ${describeEnvironmentChange(meanwhile)}`;
  return `post new ${qty} on-demand while [${describeFault(first)}]${changed}, then again while [${faults.join("; ")}]`;
}
