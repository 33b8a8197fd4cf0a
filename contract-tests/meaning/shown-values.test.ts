import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "../../spec/tools/follow.ts";
import { INTERFACES } from "../contract.ts";
import { type ShownValue, shownIn } from "./shown-values.ts";

// Examples are of one shop: what several of them show of one thing is the same in all, but for what may change of it. And what a
// description says is computed of other fields comes out in every example.

const root = resolve(import.meta.dirname, "../..");
const documents = INTERFACES.map((name) => {
  const text = readFileSync(join(root, "generated", name, "openapi.json"), "utf8");
  return { name, document: JSON.parse(text) as Json };
});

/** What may be otherwise at another time, by the schema of what has an id. */
const MAY_CHANGE: Readonly<Record<string, readonly string[]>> = {
  Account: ["status", "balance_microcents", "reserved_microcents", "available_microcents", "rpm_limit"],
  Key: [
    ...["name", "status", "preview", "key_preview", "formerSecrets"],
    ...[
      "orderCap",
      "dailyCap",
      "orderCapCeiling",
      "dailyCapCeiling",
      "spentToday",
      "expiresAt",
      "lastUsedAt",
    ],
  ],
  Model: ["lifecycle"],
  Order: ["status", "errorCode", "redeemUrl", "deliveredAt", "refundedAt", "reused"],
  Passkey: ["name", "lastUsedAt"],
  Product: ["price", "inStock", "stock", "stockCapped", "availabilityStatus"],
  Session: ["waitsForSecondFactor", "secondFactors", "mayAct", "memberships", "endsAt", "steppedUpUntil"],
};

/** The field that has the id of a thing itself, by its schema. */
function idField(schema: string, fields: readonly string[]): string | undefined {
  return fields.find((field) => ["id", "entryid", `${schema.toLowerCase()}id`].includes(field.toLowerCase()));
}

/** What examples show of each thing, by its schema and id. */
function shownThings(document: Json): ReadonlyMap<string, readonly ShownValue[]> {
  return Map.groupBy(
    shownIn(document).filter(({ name, value }) => idOf(document, name, value) !== undefined),
    ({ name, value }) => `${name} ${idOf(document, name, value)}`,
  );
}

function idOf(document: Json, schema: string, value: Json): string | undefined {
  return value[idField(schema, Object.keys(document.components.schemas[schema].properties ?? {})) ?? ""];
}

test.each(documents)("examples of $name say the same of what has one id", ({ document }) => {
  const wrong = [...shownThings(document)].flatMap(([thing, shown]) => {
    const [{ name } = { name: "" }] = shown;
    const fields = Object.keys(document.components.schemas[name].properties);
    return fields
      .filter((field) => !MAY_CHANGE[name]?.includes(field))
      .flatMap((field) => {
        const said = Map.groupBy(
          // A list leaves out the codes of an order, as every order has none before it is delivered.
          shown.filter(({ value }) => value[field] !== undefined && value[field]?.length !== 0),
          ({ value }) => JSON.stringify(value[field]),
        );
        return said.size < 2
          ? []
          : [
              `${thing}: ${field} is ${[...said].map(([value, [of]]) => `${value} in ${of?.place}`).join(", ")}`,
            ];
      });
  });
  expect(wrong).toEqual([]);
});

/** A field that is the sum of others, in the words of a description: `total` is `orders` plus `calls` minus `refunds`. */
const SUM = /`(\w+)`(?:, which)? is (`\w+`(?: (?:plus|minus) `\w+`)+)/g;

interface Sum {
  readonly field: string;
  readonly terms: readonly { readonly field: string; readonly sign: bigint }[];
}

function sumsIn(description: string): Sum[] {
  return [...description.replaceAll(/\s+/g, " ").matchAll(SUM)].map(([, field = "", words = ""]) => ({
    field,
    terms: [...words.matchAll(/(plus|minus)? ?`(\w+)`/g)].map(([, sign, term = ""]) => ({
      field: term,
      sign: sign === "minus" ? -1n : 1n,
    })),
  }));
}

/** An amount as a whole number of its eighth decimals. */
function exact(amount: string | number): bigint {
  const [, sign = "", units = "0", decimals = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount)) ?? [];
  return BigInt(`${sign}${units}${decimals.padEnd(8, "0")}`);
}

test("what a description says is a sum of others is that in every example", () => {
  const compared = documents.flatMap(({ name: of, document }) =>
    shownIn(document).flatMap(({ name, value, place }) =>
      sumsIn(document.components.schemas[name].description ?? "").map(({ field, terms }) => ({
        what: `${of} ${place}: ${name}.${field}`,
        is: exact(value[field]),
        sum: terms.reduce((sum, term) => sum + term.sign * exact(value[term.field]), 0n),
      })),
    ),
  );
  expect(new Set(compared.map(({ what }) => what.split(": ")[1]))).toEqual(
    new Set(["Balance.available", "Overview.available", "SpendBucket.total"]),
  );
  const wrong = compared.filter(({ is, sum }) => is !== sum);
  expect(
    wrong.map(({ what, is, sum }) => `${what} is ${is}, and what it is said to be the sum of ${sum}`),
  ).toEqual([]);
});

/** What a formula of names and numbers comes to, from left to right, as a fraction. */
function fractionOf(formula: string, value: Json): readonly [over: bigint, under: bigint] {
  const number = (word: string) => BigInt(value[word] ?? word.replaceAll(",", ""));
  const [first = "", ...rest] = formula.split(/ (?=[×÷])/);
  return rest.reduce<readonly [bigint, bigint]>(
    ([over, under], step) =>
      step.startsWith("×") ? [over * number(step.slice(2)), under] : [over, under * number(step.slice(2))],
    [number(first), 1n],
  );
}

test("what a call was charged is what the formula of its items says", () => {
  const document = documents.find(({ name }) => name === "proxy")?.document;
  const { description } = document.components.schemas.BillItem;
  const [, formula = ""] = /sum over its items of\s+`([^`]+)`, rounded up/.exec(description) ?? [];
  const charged = shownIn(document).filter(({ value }) => Array.isArray(value?.items));
  expect(charged.length).toBeGreaterThan(0);
  for (const { value, place } of charged) {
    const [over, under] = (value.items as Json[])
      .map((item) => fractionOf(formula, item))
      .reduce(([sum, of], [over, under]) => [sum * under + over * of, of * under], [0n, 1n]);
    expect(
      (over + under - 1n) / under,
      `${place}, by the formula \`${formula}\` of spec/proxy/schemas/BillItem.yaml`,
    ).toBe(BigInt(value.amount_microcents));
  }
});
