import type { Period } from "../../statistics/buckets.ts";
import { toTimeMs } from "../convert-time.ts";

/** The period that a file is asked of. @throws {InvalidFieldError} */
export function exportedPeriod({ from, to }: { readonly from: string; readonly to: string }): Period {
  return { fromMs: toTimeMs("from", from), toMs: toTimeMs("to", to) };
}

/** Has a browser save the answer instead of showing it. */
export function savedAs(name: string): { "Content-Disposition": string } {
  return { "Content-Disposition": `attachment; filename="${name}.csv"` };
}
