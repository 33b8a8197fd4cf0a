// What can go wrong, by name. Every fault is a constant of its own; README.md has the same list as a table.
import { z } from "zod";
import { ERROR_CODES } from "./answer.ts";

const delayMs = z.int().min(0).max(86_400_000).default(100);
const effect = z.boolean().default(true);
const status = z.union([z.literal(500), z.literal(502), z.literal(503)]).default(500);
const unitPrice = z.string().regex(/^\d+(\.\d{1,4})?$/);

/** Answers with an error of the contract, without any effect. `details` replaces those that the code brings. */
const REFUSE = z.strictObject({
  kind: z.literal("refuse"),
  code: z.enum(ERROR_CODES).default("supplier_unavailable"),
  retryAfterSeconds: z.int().min(1).default(1),
  details: z.json().optional(),
});

/** Does what was asked at once and answers `delayMs` later. */
const LATE = z.strictObject({ kind: z.literal("late"), delayMs });

/** Does what was asked only after `delayMs`, also when the client has hung up meanwhile, and answers then. */
const LATE_EFFECT = z.strictObject({ kind: z.literal("late_effect"), delayMs });

/** Cuts the connection; nothing was done. */
const CUT_BEFORE = z.strictObject({ kind: z.literal("cut_before") });

/** Does what was asked, then cuts the connection without a word. */
const CUT_AFTER = z.strictObject({ kind: z.literal("cut_after") });

/** Does what was asked, sends the head and half of the body, and cuts the connection. */
const CUT_MIDWAY = z.strictObject({ kind: z.literal("cut_midway") });

/** Never answers; nothing was done. */
const HANG_BEFORE = z.strictObject({ kind: z.literal("hang_before") });

/** Does what was asked and never answers. */
const HANG_AFTER = z.strictObject({ kind: z.literal("hang_after") });

/** Answers 200 with a body that is no JSON; with `effect`, after doing what was asked. */
const GARBAGE = z.strictObject({ kind: z.literal("garbage"), effect });

/** Answers 200 with JSON of another shape; with `effect`, after doing what was asked. */
const GARBAGE_SHAPE = z.strictObject({ kind: z.literal("garbage_shape"), effect });

/** Answers with the order less its last code. The order itself is right. */
const TOO_FEW_CODES = z.strictObject({ kind: z.literal("too_few_codes") });

/** Answers with the order and one code too many. The order itself is right. */
const TOO_MANY_CODES = z.strictObject({ kind: z.literal("too_many_codes") });

/** Answers with the order, its last code replaced by its first (so it shows from two codes on). The order itself is right. */
const REPEATED_CODE = z.strictObject({ kind: z.literal("repeated_code") });

/** Answers 500 `server_error`, a gateway's 502 in HTML or 503 `supplier_unavailable`; nothing was done. */
const ERROR_BEFORE = z.strictObject({ kind: z.literal("error_before"), status });

/** Does what was asked and answers as `error_before` does. */
const ERROR_AFTER = z.strictObject({ kind: z.literal("error_after"), status });

/** Takes the order, answers 503 `order_in_progress`, and ends it as `end` after `delayMs`; until then it is `processing`. */
const PROCESSING_THEN = z.strictObject({
  kind: z.literal("processing_then"),
  delayMs,
  end: z.enum(["delivered", "retryable", "failed"]).default("delivered"),
  retryAfterSeconds: z.int().min(1).default(1),
});

/** Sets the product's price (one cent more when `unitPrice` is not given), then handles the order, which has the old one. */
const PRICE_CHANGE = z.strictObject({ kind: z.literal("price_change"), unitPrice: unitPrice.optional() });

/** Records the order as `failed`: the answer is 409 `idempotency_conflict`, now and from then on. */
const CLOSED = z.strictObject({ kind: z.literal("closed") });

export const faultSchema = z.discriminatedUnion("kind", [
  REFUSE,
  LATE,
  LATE_EFFECT,
  CUT_BEFORE,
  CUT_AFTER,
  CUT_MIDWAY,
  HANG_BEFORE,
  HANG_AFTER,
  GARBAGE,
  GARBAGE_SHAPE,
  TOO_FEW_CODES,
  TOO_MANY_CODES,
  REPEATED_CODE,
  ERROR_BEFORE,
  ERROR_AFTER,
  PROCESSING_THEN,
  PRICE_CHANGE,
  CLOSED,
]);

/** A fault with all of its settings. */
export type Fault = z.output<typeof faultSchema>;

/** The name of a fault. */
export type FaultKind = Fault["kind"];

/** The names of all faults. */
export const FAULT_KINDS: readonly FaultKind[] = faultSchema.options.map(({ shape }) => shape.kind.value);

/** A fault with the settings that differ from the defaults, or only its name. */
export type FaultInput = FaultKind | z.input<typeof faultSchema>;

/** Faults that change what the supplier sells or owes; they are asked for on orders only, and the fault injector has none. */
export const SHOP_FAULTS: ReadonlySet<FaultKind> = new Set(["processing_then", "price_change", "closed"]);

/** Reads a fault and fills in its settings. @throws {z.ZodError} when it is none. */
export function parseFault(input: FaultInput): Fault {
  return faultSchema.parse(typeof input === "string" ? { kind: input } : input);
}
