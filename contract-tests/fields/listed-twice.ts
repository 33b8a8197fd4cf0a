import type { FieldCase } from "./field-case.ts";

/**
 * A case whose use case gives a list of one, with another such behind it: the answer has both then, in that order.
 * @returns null where no list of one comes of a list of one
 */
export function listedTwice(each: FieldCase): FieldCase | null {
  const [given, ...otherGiven] = listsOfOne(each.gives);
  const [answered, ...otherAnswered] = listsOfOne(each.answer);
  if (given === undefined || answered === undefined || otherGiven.length + otherAnswered.length > 0)
    return null;
  const told = new Set(textsIn(answered));
  // The longest is a name or an id, and no value of an enum.
  const [mark] = textsIn(given)
    .filter((text) => told.has(text))
    .sort((one, other) => other.length - one.length);
  if (mark === undefined) return null;
  const twice = <Whole>(whole: Whole, list: readonly unknown[]) =>
    changed(whole, (part) => (part === list ? [list[0], marked(list[0], mark)] : undefined));
  return { ...each, gives: twice(each.gives, given), answer: twice(each.answer, answered) };
}

/** The lists that hold one object, anywhere in a value but in one another. */
function listsOfOne(value: unknown): unknown[][] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value) && value.length === 1 && typeof value[0] === "object") return [value];
  return Object.values(value).flatMap(listsOfOne);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The same with another text wherever that one stands. */
function marked<Value>(value: Value, mark: string): Value {
  return changed(value, (part) => (part === mark ? `${mark}-two` : undefined));
}

/** A copy in which parts are others. @param change undefined for what stays as it is */
function changed<Value>(value: Value, change: (part: unknown) => unknown): Value {
  const other = change(value);
  if (other !== undefined) return other as Value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => changed(item, change)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, changed(inner, change)]),
  ) as Value;
}
