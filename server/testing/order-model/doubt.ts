import type { Target } from "./actions.ts";
import { type Circumstance, change, describeCircumstance } from "./circumstances.ts";
import type { Run } from "./run.ts";
import { sightUndisturbed } from "./sighting.ts";
import { doStep } from "./step.ts";
import { describeFault, type SupplierFault } from "./supplier-faults.ts";

/**
 * A new order's purchase leaves its result in doubt, and takes effect perhaps when no process waits for it any more.
 * Meanwhile things change and the order is sent again: that it was bought comes to light only later.
 */
export interface Doubt {
  readonly qty: number;
  readonly first: SupplierFault;
  readonly meanwhile: Circumstance | null;
  /** What goes wrong each time the order is sent again; null for nothing. */
  readonly retries: readonly (SupplierFault | null)[];
}

/** Does it, and looks once more when everything has taken effect. */
export async function doubt(run: Run, { qty, first, meanwhile, retries }: Doubt): Promise<void> {
  await post(run, { fresh: "on-demand", qty }, first);
  if (meanwhile !== null) await change(run, meanwhile);
  for (const fault of retries) await post(run, { repeat: 0 }, fault);
  await run.effectsLanded();
  await sightUndisturbed(run);
}

function post(run: Run, target: Target, fault: SupplierFault | null): Promise<void> {
  const faults = fault === null ? [] : [fault];
  const action = { do: "post", target, expecting: "any price", times: 1 } as const;
  return doStep(run, { actions: [action], apartMs: 0, faults, fate: "lives" });
}

/** What is done, in words, for a counterexample. */
export function describeDoubt({ qty, first, meanwhile, retries }: Doubt): string {
  const faults = retries.map((fault) => (fault === null ? "no fault" : describeFault(fault)));
  const changed = meanwhile === null ? "" : `, then ${describeCircumstance(meanwhile)}`;
  return `post new ${qty} on-demand while [${describeFault(first)}]${changed}, then again while [${faults.join("; ")}]`;
}
