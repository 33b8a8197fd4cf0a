import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { INTERFACES } from "../contract.ts";
import { expectedTests, missingTests, SINGLE_TESTS } from "./expected-tests.ts";

const root = resolve(import.meta.dirname, "../..");

test("every file that has to have tests is there, and has some for every interface", () => {
  const expected = expectedTests();
  for (const file of expected.keys()) expect(existsSync(resolve(root, file)), file).toBe(true);
  // Some look at what only one interface has, or at all in one test.
  for (const name of INTERFACES)
    for (const [file, names] of expected)
      if (!file.includes("/client/") && names.length > (SINGLE_TESTS.get(file)?.length ?? 0))
        expect(
          names.some((test) => test.includes(name)),
          `${file} ${name}`,
        ).toBe(true);
});

test("a test that is not there is missed, one of a file that was not run is not", () => {
  const expected = new Map([
    ["a.test.ts", ["one", "two"]],
    ["b.test.ts", ["three"]],
  ]);
  const ran = (file: string) => (file === "a.test.ts" ? ["one", "another"] : undefined);
  expect(missingTests(expected, ran)).toEqual(["a.test.ts lacks a test that the documents call for: two"]);
});
