import { z } from "zod";
import { anySeed, createRandom } from "../shared/random.ts";
import {
  FAULT_KINDS,
  type Fault,
  type FaultInput,
  type FaultKind,
  type faultSchema,
  parseFault,
  SHOP_FAULTS,
} from "./faults.ts";
import { OPERATIONS, type Operation } from "./route.ts";

const operation = z.enum(OPERATIONS);

const ruleSchema = z.strictObject({
  /** The operation of the contract that goes wrong. */
  operation: operation.default("createOrder"),
  /** How many requests it hits; null: all of them. */
  times: z.int().min(1).nullable().default(1),
  /** Only requests about this id. */
  externalOrderId: z.string().optional(),
  /** Only requests about this product. */
  productId: z.string().optional(),
});

/** A fault for the next requests of an operation (an order, when none is named) that it fits. */
export type FaultRule = z.input<typeof faultSchema> & z.input<typeof ruleSchema>;

const randomSchema = z.strictObject({
  /** The share of the requests that go wrong, from 0 to 1. */
  rate: z.number().min(0).max(1),
  kinds: z.array(z.union([z.enum(FAULT_KINDS), z.looseObject({ kind: z.enum(FAULT_KINDS) })])).min(1),
  operations: z.array(operation).min(1).default(["createOrder"]),
  seed: z.int().optional(),
});

/** Faults at random. The same seed gives the same choices for the same sequence of requests. */
export interface RandomFaults {
  /** The share of the requests that go wrong, from 0 to 1. */
  readonly rate: number;
  /** Which faults, each as likely as the others. */
  readonly kinds: readonly FaultInput[];
  /** Which operations go wrong; orders, when not given. */
  readonly operations?: readonly Operation[];
  readonly seed?: number;
}

/** What is known of a request when its fault is chosen. */
export interface FaultySubject {
  readonly operation: Operation;
  readonly externalOrderId?: string | undefined;
  readonly productId?: string | undefined;
  /** The fault that every purchase of the product has. */
  readonly productFault?: Fault | null | undefined;
}

/** Which requests go wrong, and how. */
export interface FaultSchedule {
  /** Lets the next fitting requests go wrong; earlier rules go first. @throws {z.ZodError} */
  add(rule: FaultRule): void;
  /** Switches faults at random on, or off with null. @throws {z.ZodError} */
  setRandom(settings: RandomFaults | null): void;
  /** Forgets all rules and switches random faults off. */
  clear(): void;
  /** The fault of a request, which counts as used: a rule's, else its product's, else one at random, else none. */
  take(subject: FaultySubject): Fault | null;
  /** The rules that are not used up, with how often they still apply. */
  pending(): readonly PendingRule[];
}

/** A rule that is not used up. */
export interface PendingRule extends z.output<typeof ruleSchema> {
  readonly fault: Fault;
}

/** Creates a schedule without faults. `accepts` are the faults that it takes. */
export function createFaultSchedule(accepts: ReadonlySet<FaultKind> = new Set(FAULT_KINDS)): FaultSchedule {
  let rules: PendingRule[] = [];
  let takeRandom: ((operation: Operation) => Fault | null) | null = null;

  const check = (fault: Fault, operations: readonly Operation[]) => {
    const onlyForOrders = SHOP_FAULTS.has(fault.kind) && operations.some((name) => name !== "createOrder");
    if (accepts.has(fault.kind) && !onlyForOrders) return fault;
    throw new z.ZodError([
      { code: "custom", path: ["kind"], input: fault.kind, message: `${fault.kind} does not apply here.` },
    ]);
  };

  return {
    add(input) {
      const { operation, times, externalOrderId, productId, ...faultInput } = input;
      const rule = ruleSchema.parse({ operation, times, externalOrderId, productId });
      rules.push({ ...rule, fault: check(parseFault(faultInput as FaultInput), [rule.operation]) });
    },
    setRandom(settings) {
      if (settings === null) {
        takeRandom = null;
        return;
      }
      const { rate, kinds, operations, seed = anySeed() } = randomSchema.parse(settings);
      const faults = kinds.map((input) => check(parseFault(input as FaultInput), operations));
      const random = createRandom(seed);
      takeRandom = (operation) => {
        if (!operations.includes(operation) || random() >= rate) return null;
        return faults[Math.floor(random() * faults.length)] ?? null;
      };
    },
    clear() {
      rules = [];
      takeRandom = null;
    },
    take(subject) {
      const rule = rules.find((candidate) => fits(candidate, subject));
      if (rule === undefined) return subject.productFault ?? takeRandom?.(subject.operation) ?? null;
      if (rule.times !== null) rule.times -= 1;
      if (rule.times === 0) rules = rules.filter((other) => other !== rule);
      return rule.fault;
    },
    pending: () => rules,
  };
}

function fits(rule: PendingRule, subject: FaultySubject): boolean {
  return (
    rule.operation === subject.operation &&
    (rule.externalOrderId ?? subject.externalOrderId) === subject.externalOrderId &&
    (rule.productId ?? subject.productId) === subject.productId
  );
}
