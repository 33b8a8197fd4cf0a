import type { ToldUsage } from "./told-usage.ts";

/** Lets requests be answered as if they named another model. */
export interface FaultRule {
  /** The model whose behaviour they get, such as `sim-overloaded` or `sim-cut-17`. */
  readonly as: string;
  /** The usage that answers tell, in the vendor's words, in place of what follows from the request. */
  readonly usage?: ToldUsage;
  /** How many requests; 1 by default, null for all. */
  readonly times?: number | null;
  /** Only requests for this model; any when not given. */
  readonly model?: string;
}

/** The rules of one simulator. */
export interface FaultRules {
  /** Replaces all rules. */
  set(rules: readonly FaultRule[]): void;
  /** The first rule that fits the next request for a model, or null. It is used up by it. */
  take(model: string): Pick<FaultRule, "as" | "usage"> | null;
}

/** Creates an empty set of rules. */
export function createFaultRules(): FaultRules {
  let rules: (Pick<FaultRule, "as" | "usage" | "model"> & { left: number })[] = [];
  return {
    set(next) {
      rules = next.map(({ times = 1, ...rule }) => ({ ...rule, left: times ?? Number.POSITIVE_INFINITY }));
    },
    take(model) {
      const rule = rules.find((one) => one.left > 0 && (one.model ?? model) === model);
      if (rule === undefined) return null;
      rule.left -= 1;
      return rule;
    },
  };
}
