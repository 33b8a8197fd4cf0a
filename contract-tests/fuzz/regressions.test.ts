import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FuzzShop, startFuzzShop } from "./fuzz-shop.ts";
import { type FuzzCase, faultsOfAnswer } from "./judge.ts";
import { openSpec } from "./spec.ts";

/** A case that was answered wrongly once. */
interface Regression extends FuzzCase {
  /** What was wrong. */
  readonly found: string;
}

const regressions = globSync(join(import.meta.dirname, "regressions/*.json")).map((file) => ({
  name: basename(file, ".json").replaceAll("-", " "),
  ...(JSON.parse(readFileSync(file, "utf8")) as Regression),
}));

let shop: FuzzShop;
beforeAll(async () => {
  shop = await startFuzzShop(regressions.length);
});
afterAll(() => shop.stop());

test.for(regressions)("$name", async ({ found, operationId, request, expected, ...kept }) => {
  const spec = openSpec(kept.interface);
  const operation = spec.operations.find((each) => each.operationId === operationId);
  if (operation === undefined) throw new Error(`The contract has no ${operationId} any more.`);
  const answer = await shop.sender.send(request);
  expect(faultsOfAnswer(spec, operation, expected, answer), found).toEqual([]);
});
