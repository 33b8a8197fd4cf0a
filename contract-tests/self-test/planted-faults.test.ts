import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { PLANTED_FAULTS } from "./planted-faults.ts";

const root = resolve(import.meta.dirname, "../..");

// The self-test itself takes too long for every run; that its faults can still be planted does not.
test.each(PLANTED_FAULTS)("the fault can be planted: $name", ({ file, find }) => {
  expect(readFileSync(resolve(root, file), "utf8").split(find)).toHaveLength(2);
});
