import { type RefusalName, VENDOR_REFUSALS, vendorRefusal } from "./refusals.ts";
import type { ToldUsage } from "./told-usage.ts";

/**
 * What a model's name can ask for, with the number that it has when the name gives none (`sim-cut` is `sim-cut-10`).
 * README.md says what each of them does.
 */
const NUMBERS = {
  "sim-overloaded": 0,
  "sim-rate-limited": 1,
  "sim-error": 0,
  "sim-auth": 0,
  "sim-invalid": 0,
  "sim-status": 503,
  "sim-gateway": 0,
  "sim-redirect": 0,
  "sim-garbage": 0,
  "sim-no-answer": 0,
  "sim-slow-start": 1_000,
  "sim-slow-tokens": 100,
  "sim-cut": 10,
  "sim-cut-early": 0,
  "sim-error-event": 10,
  "sim-no-usage": 0,
  "sim-null-usage": 0,
  "sim-zero-usage": 0,
  "sim-unknown-usage": 7,
  "sim-priority": 0,
  "sim-silent": 0,
  "sim-deltas": 5,
  "sim-huge": 32,
  "sim-events": 100,
  "sim-long": 200_000,
} as const;

/** The kinds of behaviour, `sim-echo` being that of every other name. */
export type BehaviourKind = keyof typeof NUMBERS | RefusalName | "sim-echo";

/** What a request gets. */
export interface Behaviour {
  readonly kind: BehaviourKind;
  readonly number: number;
  /** What answers tell in place of their own usage. */
  readonly usage?: ToldUsage | undefined;
}

/** Every name that has a behaviour of its own. */
export const BEHAVIOUR_NAMES: readonly string[] = [...Object.keys(NUMBERS), ...Object.keys(VENDOR_REFUSALS)];

/** The behaviour that a model's name asks for; the plain one for a name that nothing is known of. */
export function behaviourOf(model: string): Behaviour {
  if (vendorRefusal(model) !== undefined) return { kind: model as RefusalName, number: 0 };
  const [, name = "", digits] = /^(.*?)(?:-(\d{1,9}))?$/.exec(model) ?? [];
  if (!isKnown(name)) return { kind: "sim-echo", number: 0 };
  return { kind: name, number: digits === undefined ? NUMBERS[name] : Number(digits) };
}

function isKnown(name: string): name is keyof typeof NUMBERS {
  return Object.hasOwn(NUMBERS, name);
}
