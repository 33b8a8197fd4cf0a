import fc from "fast-check";
import type { FaultRule } from "../../simulators/supplier/fault-schedule.ts";
import type { Run } from "./run.ts";
import { ACCEPTABLE_COSTS, OTHER_COSTS } from "./shop-model.ts";
import { SUPPLIER_TIMEOUT_MS } from "./testbed.ts";

/** A fault of the simulator that is to hit the next purchases, or other requests, of one step. */
export type SupplierFault = FaultRule;

const SOON_MS = 40;
const TOO_LATE_MS = SUPPLIER_TIMEOUT_MS + 100;

/** More often than one purchase is sent. */
const ALL_SENDINGS = 9;

const delayMs = fc.constantFrom(SOON_MS, TOO_LATE_MS);
const times = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constant(ALL_SENDINGS) },
);

/** Refusals that a supplier may give without having looked whether it knows the order. */
const REFUSALS = [
  "out_of_stock",
  "supplier_price_changed",
  "price_changed",
  "supplier_unavailable",
  "supplier_not_configured",
  "insufficient_balance",
  "unauthorized",
  "not_found",
  "rate_limited",
  "order_commit_pending",
  "order_in_progress",
  "server_error",
] as const;

const bought = fc.constantFrom(
  { kind: "cut_after" },
  { kind: "cut_midway" },
  { kind: "error_after", status: 500 },
  { kind: "error_after", status: 503 },
  { kind: "garbage" },
  { kind: "garbage_shape" },
  { kind: "too_few_codes" },
  { kind: "too_many_codes" },
  { kind: "repeated_code" },
  { kind: "hang_after" },
  { kind: "late", delayMs: SOON_MS },
  { kind: "late", delayMs: TOO_LATE_MS },
);
const notBought = fc.constantFrom(
  { kind: "cut_before" },
  { kind: "error_before", status: 500 },
  { kind: "error_before", status: 502 },
  { kind: "error_before", status: 503 },
  { kind: "garbage", effect: false },
  { kind: "hang_before" },
);
const refused = fc.record({ kind: fc.constant("refuse"), code: fc.constantFrom(...REFUSALS) });
const later = fc.oneof(
  fc.record({ kind: fc.constant("late_effect"), delayMs }),
  fc.record({
    kind: fc.constant("processing_then"),
    delayMs,
    end: fc.constantFrom("delivered", "retryable", "failed"),
  }),
);
const shops = fc.oneof(
  fc.record({
    kind: fc.constant("price_change"),
    unitPrice: fc.constantFrom(...ACCEPTABLE_COSTS, ...OTHER_COSTS),
  }),
  fc.constant({ kind: "closed" }),
);

const purchaseFault = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: bought },
      { weight: 2, arbitrary: notBought },
      { weight: 4, arbitrary: refused },
      { weight: 2, arbitrary: later },
      { weight: 2, arbitrary: shops },
    ),
    times,
  )
  .map(([fault, howOften]) => ({ ...fault, times: howOften }) as SupplierFault);

/** A purchase whose result is in doubt: the shop is told nothing, or only too late, or something that cannot be. */
export const doubtfulFault: fc.Arbitrary<SupplierFault> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: "late_effect", delayMs: TOO_LATE_MS } as const) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("processing_then" as const),
      delayMs: fc.constant(TOO_LATE_MS),
      end: fc.constantFrom("delivered", "retryable", "failed"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ kind: "hang_after" } as const, { kind: "hang_before" } as const),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "error_after", times: ALL_SENDINGS } as const) },
);

/** A refusal of a purchase. */
export const refusal = refused as fc.Arbitrary<SupplierFault>;

const readFault = fc
  .record({
    operation: fc.constantFrom("checkAvailability", "listOrders", "getOrder"),
    kind: fc.constantFrom("cut_before", "error_before", "garbage", "garbage_shape", "hang_before", "refuse"),
    times,
  })
  .map((fault) => fault as SupplierFault);

/** Mostly none; otherwise one or two, one after the other. */
export const supplierFaults: fc.Arbitrary<readonly SupplierFault[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.array(purchaseFault, { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(purchaseFault, readFault), { minLength: 1, maxLength: 3 }) },
);

/** Lets the next requests go wrong. */
export function arm({ simulator }: Run, faults: readonly SupplierFault[]): void {
  for (const fault of faults) simulator.fault(fault);
}

/** Ends what was armed: the supplier is again as the model has it, but for what is still to take effect. */
export function disarm(run: Run, faults: readonly SupplierFault[]): void {
  const { simulator, model, supplierProductId } = run;
  simulator.clearFaults();
  if (faults.some(({ kind }) => kind === "price_change")) {
    simulator.setPrice(supplierProductId, model.supplier.cost);
  }
  for (const fault of faults) {
    if (fault.kind === "late_effect" || fault.kind === "processing_then")
      run.expectEffect(fault.delayMs ?? 0);
  }
}

/** Whether a process that has met these faults may remember for some time that quotes cannot be had. */
export function affectLaterQuotes(faults: readonly SupplierFault[]): boolean {
  return faults.some(({ operation }) => operation === "checkAvailability");
}

/** A fault in words. */
export function describeFault({ operation, times: howOften = 1, ...fault }: SupplierFault): string {
  const settings = Object.entries(fault).flatMap(([name, value]) =>
    name === "kind" ? [] : [`${name} ${value}`],
  );
  const where = operation === undefined ? "" : ` of ${operation}`;
  return [fault.kind + where, ...settings, ...(howOften === 1 ? [] : [`${howOften} times`])].join(", ");
}
