/** Lets requests be answered as if they named another model. */
export interface FaultRule {
  /** The model whose behaviour they get, such as `sim-overloaded` or `sim-cut-17`. */
  readonly as: string;
  /** How many requests; 1 by default, null for all. */
  readonly times?: number | null;
  /** Only requests for this model; any when not given. */
  readonly model?: string;
}

/** The rules of one simulator. */
export interface FaultRules {
  /** Replaces all rules. */
  set(rules: readonly FaultRule[]): void;
  /** The model whose behaviour the next request for this one gets, or null. The first rule that fits is used up by it. */
  take(model: string): string | null;
}

/** Creates an empty set of rules. */
export function createFaultRules(): FaultRules {
  let rules: { as: string; model: string | undefined; left: number }[] = [];
  return {
    set(next) {
      rules = next.map(({ as, model, times = 1 }) => ({
        as,
        model,
        left: times ?? Number.POSITIVE_INFINITY,
      }));
    },
    take(model) {
      const rule = rules.find((one) => one.left > 0 && (one.model ?? model) === model);
      if (rule === undefined) return null;
      rule.left -= 1;
      return rule.as;
    },
  };
}
