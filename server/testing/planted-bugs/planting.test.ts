import { expect, test } from "vitest";
import { readPlantings, tryPlanting } from "./planting.ts";

const FAULT = { file: "server/ids.ts", find: "parseId", replace: "" };

test("a fault from outside is noticed by the tests of its own folder, unless others are named", () => {
  const own = { file: "server/orders/rules.ts", find: "amount > cap", replace: "amount >= cap" };
  const named = { ...own, name: "cap", tests: ["server/keys"], test: "cap" };
  expect(readPlantings(JSON.stringify([own, named]))).toEqual([
    { ...own, name: "fault-1", tests: ["server/orders/"], test: undefined },
    named,
  ]);
});

test.each([
  ["no list", FAULT],
  ["an empty text", [{ ...FAULT, find: "" }]],
  ["no file", [{ find: "a", replace: "b" }]],
])("%s is no list of faults", (_name, list) => {
  expect(() => readPlantings(JSON.stringify(list))).toThrow();
});

test.each([
  ["is not in its file", { ...FAULT, find: "there is no such text" }],
  ["is there more than once", { ...FAULT, find: "prefix" }],
  ["does not compile", { ...FAULT, find: "export function newId", replace: "export export function newId" }],
  ["is of no file", { ...FAULT, file: "server/none.ts" }],
])("a text that %s could not be planted, and no test is run for it", async (_name, fault) => {
  const options = { serverUrl: "mysql://none.invalid/", signal: AbortSignal.abort() };
  const planting = { ...fault, name: "fault", tests: ["server/ids"] };
  expect(await tryPlanting(planting, options)).toMatchObject({ outcome: "not-planted" });
});
