import type { Schema } from "../fuzz/schema.ts";
import type { Spec, SpecOperation } from "../fuzz/spec.ts";

/** A value at a documented limit, or one step beyond it. */
export interface Edge {
  readonly place: "query" | "path" | "header" | "body";
  /** Of the parameter or the field. */
  readonly name: string;
  /** Such as `maxLength 64`. */
  readonly limit: string;
  readonly value: string | number;
  readonly isWithin: boolean;
}

/** Every limit of what a request to an operation may say, each from both of its sides. */
export function edgesOf(spec: Spec, { allParameters, body }: SpecOperation): Edge[] {
  const parameters = allParameters.flatMap(({ in: place, name, schema }) =>
    place === "cookie" ? [] : edges(spec, schema).map((edge) => ({ place, name, ...edge })),
  );
  const fields = Object.entries(body === null ? {} : (spec.schemas.plain(body.schema).properties ?? {}));
  return [
    ...parameters,
    ...fields.flatMap(([name, schema]) =>
      edges(spec, schema).map((edge) => ({ place: "body" as const, name, ...edge })),
    ),
  ];
}

function edges({ schemas }: Spec, schema: Schema): Omit<Edge, "place" | "name">[] {
  const { minimum, maximum, minLength, maxLength, types, pattern } = schemas.plain(schema);
  const found: Omit<Edge, "place" | "name">[] = [];
  const add = (limit: string, value: string | number, isWithin: boolean) =>
    void found.push({ limit, value, isWithin });
  if (types.includes("integer")) {
    if (minimum !== undefined) {
      add(`minimum ${minimum}`, minimum, true);
      add(`minimum ${minimum}`, minimum - 1, false);
    }
    if (maximum !== undefined) {
      add(`maximum ${maximum}`, maximum, true);
      add(`maximum ${maximum}`, maximum + 1, false);
    }
  }
  if (types.includes("string") && pattern === undefined) {
    if (minLength !== undefined && minLength > 0) {
      add(`minLength ${minLength}`, "x".repeat(minLength), true);
      add(`minLength ${minLength}`, "x".repeat(minLength - 1), false);
    }
    // Lengths are counted in characters, whatever they take in UTF-16.
    for (const letter of maxLength === undefined ? [] : ["x", "😀"]) {
      add(`maxLength ${maxLength}`, letter.repeat(maxLength ?? 0), true);
      add(`maxLength ${maxLength}`, letter.repeat((maxLength ?? 0) + 1), false);
    }
  }
  // Such as `^[!-~]{1,255}$`.
  const [, letter = "", least, most] = /^\^\[(\w|!)[^\]]*\]\{(\d+),(\d+)\}\$$/.exec(pattern ?? "") ?? [];
  if (most !== undefined) {
    add(`pattern ${pattern}`, letter.repeat(Number(most)), true);
    add(`pattern ${pattern}`, letter.repeat(Number(most) + 1), false);
    if (Number(least) > 1) add(`pattern ${pattern}`, letter.repeat(Number(least) - 1), false);
  }
  return found;
}
