import { expect, test } from "vitest";
import { INTERFACES } from "../contract.ts";
import type { Schema } from "../fuzz/schema.ts";
import { openSpec, type Spec } from "../fuzz/spec.ts";
import { invariantsOf } from "./invariants.ts";

// Amounts, counts and times that stand side by side mostly follow from each other. So that nobody forgets to say how, an
// object of an answer with two of them has a sentence, or stands here.

/** Objects of which no value follows from another, and why. */
const INDEPENDENT: Readonly<Record<string, string>> = {
  "ordering LevelPrices": "each level has a price of its own",
  "proxy Model": "limits of a model, as the operator has set them",
  "proxy TokenUsage": "counts of the upstream",
  "account OrderBucket": "the bounds are compared in the whole list",
  "account CallBucket": "the bounds are compared in the whole list",
};

test.each(INTERFACES)("values of %s that stand side by side are compared with each other", (name) => {
  const spec = openSpec(name);
  const { ofSchemas } = invariantsOf(name);
  const missing = [...answerSchemas(spec)].flatMap((schema) => {
    const quantities = quantitiesOf(spec, schema);
    const isSaid = Object.keys(ofSchemas[schema] ?? {}).length > 0 || `${name} ${schema}` in INDEPENDENT;
    return quantities.length < 2 || isSaid ? [] : [`${name} ${schema}: ${quantities.join(", ")}`];
  });
  expect(missing, `say what holds of them in contract-tests/interfaces/${name}/invariants.ts`).toEqual([]);
});

/** The named schemas of what an interface answers, at any depth. */
function answerSchemas(spec: Spec): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (schema: Schema) => {
    const { name, properties = {}, items, anyOf = [], oneOf = [] } = spec.schemas.plain(schema);
    if (name !== null && found.has(name)) return;
    if (name !== null) found.add(name);
    for (const inner of [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...oneOf])
      look(inner);
  };
  for (const { responses } of spec.operations)
    for (const { content } of Object.values(responses))
      for (const { schema } of Object.values(content)) look(schema as Schema);
  return found;
}

/** The fields of an object that are numbers, amounts or times. */
function quantitiesOf(spec: Spec, name: string): string[] {
  return Object.entries(spec.named[name]?.properties ?? {})
    .filter(([, schema]) => {
      const { types, format, pattern = "" } = spec.schemas.plain(schema);
      const isNumber = types.some((type) => type === "integer" || type === "number");
      return isNumber || format === "date-time" || /^\^-\?\\d|^\^\\d/.test(pattern);
    })
    .map(([field]) => field);
}
