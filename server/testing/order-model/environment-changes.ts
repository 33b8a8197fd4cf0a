import type { KeyCaps } from "../../keys/api-key.ts";
import { usd } from "../test-shop.ts";
import type { Run } from "./run.ts";

/** Something that changes around the shop without a request to it. */
export type EnvironmentChange =
  | { readonly of: "cost"; readonly cost: string }
  | { readonly of: "supplier's stock"; readonly codes: number | null }
  | { readonly of: "supplier"; readonly is: "down" | "up" | "disabled" | "enabled" }
  | { readonly of: "caps"; readonly order: string | null; readonly daily: string | null }
  | { readonly of: "clock"; readonly ms: number }
  | { readonly of: "process"; readonly is: "restarted" }
  | { readonly of: "everything"; readonly is: "well" };

const GOOD_COST = "0.50";

/** Changes it, in reality and in the model. */
export async function change(run: Run, environmentChange: EnvironmentChange): Promise<void> {
  run.history.push(describeEnvironmentChange(environmentChange));
  switch (environmentChange.of) {
    case "cost":
      return setCost(run, environmentChange.cost);
    case "supplier's stock":
      return run.setSuppliersStock(environmentChange.codes);
    case "supplier":
      return setSupplier(run, environmentChange.is);
    case "caps":
      run.model.caps = toCaps(environmentChange);
      return;
    case "clock":
      return passTime(run, environmentChange.ms);
    case "process":
      return run.testbed.restart();
    case "everything":
      return makeWell(run);
  }
}

function setCost({ simulator, model, supplierProductId }: Run, cost: string): void {
  simulator.setPrice(supplierProductId, cost);
  model.supplier.cost = cost;
}

/** A process may remember for a second what it was told of a supplier in trouble; another one does not. */
async function setSupplier(run: Run, is: "down" | "up" | "disabled" | "enabled"): Promise<void> {
  const { simulator, supplierId, testbed } = run;
  const { supplier } = run.model;
  const wasWell = supplier.up && supplier.enabled;
  if (is === "down") await simulator.down();
  if (is === "up") await simulator.up();
  if (is === "disabled") await run.services().suppliers.setStatus(supplierId, "disabled");
  if (is === "enabled") await run.services().suppliers.setStatus(supplierId, "active");
  if (is === "up" || is === "down") supplier.up = is === "up";
  else supplier.enabled = is === "enabled";
  if (!wasWell) await testbed.restart();
}

function toCaps({ order, daily }: { order: string | null; daily: string | null }): KeyCaps {
  return {
    orderCapMicrocents: order === null ? null : usd(order),
    dailyCapMicrocents: daily === null ? null : usd(daily),
  };
}

/** Nothing of what was asked of the supplier takes effect later than the service reckons with. */
async function passTime(run: Run, ms: number): Promise<void> {
  await run.effectsLanded();
  run.testbed.clock().advance(ms);
}

async function makeWell(run: Run): Promise<void> {
  const { supplier } = run.model;
  if (!supplier.up) await setSupplier(run, "up");
  if (!supplier.enabled) await setSupplier(run, "enabled");
  setCost(run, GOOD_COST);
  run.setSuppliersStock(null);
  run.model.caps = { orderCapMicrocents: null, dailyCapMicrocents: null };
}

/** A circumstance in words, for a counterexample. */
export function describeEnvironmentChange(environmentChange: EnvironmentChange): string {
  switch (environmentChange.of) {
    case "cost":
      return `the supplier asks ${environmentChange.cost}`;
    case "supplier's stock":
      return `the supplier has ${environmentChange.codes ?? "endless"} codes`;
    case "caps":
      return `caps: ${environmentChange.order ?? "none"} per order, ${environmentChange.daily ?? "none"} per day`;
    case "clock":
      return `${environmentChange.ms / 1000} s pass`;
    default:
      return `${environmentChange.of} is ${environmentChange.is}`;
  }
}
