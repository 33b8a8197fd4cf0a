import { formatExactUsd, type Microcents } from "../money/microcents.ts";

const TIME = /(At|Since|Until)Ms$/;

/** What differs between two states of a thing, as JSON; null where a state is none. */
export interface Difference {
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * What of a thing was changed, as people read it: amounts are decimal USD and times ISO 8601, and lose their units in the name;
 * names are in the order of the alphabet.
 * @returns null when it is the same before and after.
 */
export function differenceOf(before: object | null, after: object | null): Difference | null {
  const [one, other] = [before === null ? {} : readable(before), after === null ? {} : readable(after)];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  const changed = names.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
  if (changed.length === 0 && before !== null && after !== null) return null;
  const text = (state: Readable) =>
    JSON.stringify(Object.fromEntries(changed.map((name) => [name, state[name]])));
  return { before: before === null ? null : text(one), after: after === null ? null : text(other) };
}

type Readable = Record<string, unknown>;

function readable(state: object): Readable {
  const entries = Object.entries(state).flatMap(([name, value]) =>
    value === undefined ? [] : [property(name, value)],
  );
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function property(name: string, value: unknown): [name: string, value: unknown] {
  if (TIME.test(name) && (typeof value === "number" || value === null))
    return [name.slice(0, -"Ms".length), value === null ? null : new Date(value).toISOString()];
  return [name.replace(/Microcents$/, ""), plain(value)];
}

function plain(value: unknown): unknown {
  // The only bigints of a state are amounts.
  if (typeof value === "bigint") return formatExactUsd(value as Microcents);
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === "object" && value !== null ? readable(value) : value;
}
