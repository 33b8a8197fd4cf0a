import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readContract } from "../../interfaces/contract.ts";
import { toYaml } from "./yaml.ts";

// A reader of YAML that is there already, for Dredd.
const dredd = createRequire(createRequire(import.meta.url).resolve("dredd/package.json"));
const read: (text: string) => unknown = dredd("js-yaml").load;

test.each([
  "",
  " ",
  "yes",
  "No",
  "null",
  "~",
  "1.0.0",
  "0x1f",
  "2026-11-22",
  "- item",
  "a: b",
  "a #b",
  "#comment",
  "*anchor",
  "$ref",
  "#/components/schemas/Order",
  "two words (in brackets)",
  "ends with a colon:",
  "one\ntwo\n",
  "one\ntwo",
  "one\n\n  indented\n\n\n",
  "  begins indented\ntwo\n",
  "\nbegins empty\n",
  "trailing space \nnext\n",
  "tab\tand\r\nreturn\n",
  "…ellipsis\nand “quotes”\n",
  "svc_sk_…",
  "\u0000\u0085\u2028\ufeff",
  "emoji 🙂\nin lines\n",
  "---\nno document\n",
])("%j stays the same text, as a value, as a name and in a list", (text) => {
  const value = { plain: text, list: [text, { inner: text }], [`x${text}`]: { deep: { text } } };
  expect(read(toYaml(value))).toEqual(value);
});

const namesNoPrototype = (value: unknown) => !JSON.stringify(value).includes('"__proto__"');

test("every JSON value stays what it is", () => {
  fc.assert(
    // The reader gives a name of JavaScript's own to the object's prototype.
    fc.property(fc.jsonValue().filter(namesNoPrototype), (value) => {
      const plain = JSON.parse(JSON.stringify({ value }));
      expect(read(toYaml(plain))).toEqual(plain);
    }),
    { numRuns: 300 },
  );
});

test("the contracts in YAML say what they say in JSON", () => {
  const names = globSync("*/openapi.json", { cwd: join(import.meta.dirname, "../../../generated") }).map(
    dirname,
  );
  expect(names).not.toEqual([]);
  for (const name of names) {
    const { document, document30 } = readContract(name);
    expect(read(toYaml(document))).toEqual(document);
    expect(read(toYaml(document30))).toEqual(document30);
  }
});
