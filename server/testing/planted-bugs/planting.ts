import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, resolve } from "node:path";
import type { RunFailures } from "../vitest/failure-reporter.ts";
import { type Plant, plant } from "./planted-bug.ts";
import { runTests } from "./run-tests.ts";

const root = resolve(import.meta.dirname, "../../..");

/** A fault, and the tests that should notice it. */
export interface Planting extends Plant {
  /** Parts of the paths of test files. */
  readonly tests: readonly string[];
  /** Only tests whose names match this pattern. */
  readonly test?: string | undefined;
}

/**
 * What became of a fault. `noticed`: a test failed, by an assertion or, where none did, by another error. `let-through`: all
 * tests passed. `not-planted`: nothing can be said, for its text is not there, or it does not compile, or no test ran.
 */
export interface PlantingResult {
  readonly outcome: "noticed" | "let-through" | "not-planted";
  /** Which test noticed it, or why it could not be planted. */
  readonly detail: string;
}

/** How the tests are run. */
export interface PlantingOptions {
  /** The database server that all of them use, over TCP. */
  readonly serverUrl: string;
  readonly signal: AbortSignal;
}

/** A fault of a list from outside, as it stands in the file. */
type Given = Pick<Plant, "file" | "find" | "replace"> & { name?: string; tests?: string[]; test?: string };

/**
 * Reads a list of faults from outside: JSON, an array of `{ file, find, replace, tests?, test?, name? }`. Where it does not
 * say which tests are to be run, those of the file's own folder are.
 * @throws Error that says what is wrong with it.
 */
export function readPlantings(text: string): Planting[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error("The list of faults must be an array.");
  return list.map((given: Given, index) => {
    const { file, find, replace, name = `fault-${index + 1}`, test } = given;
    if (![file, find, replace].every((value) => typeof value === "string") || find === "") {
      throw new Error(`${name}: file, find and replace must be texts, and find not empty.`);
    }
    return { name, file, find, replace, test, tests: given.tests ?? [`${dirname(file)}/`] };
  });
}

/** Runs all of these tests with nothing planted. @returns what failed, one line each. */
export async function runUnplanted(
  plantings: readonly Planting[],
  { serverUrl, signal }: PlantingOptions,
): Promise<string[]> {
  const paths = [...new Set(plantings.flatMap(({ tests }) => tests))];
  const kinds = Map.groupBy(paths, (path) => path.endsWith(".faults.test.ts"));
  const failures: string[] = [];
  for (const [long, some] of kinds) {
    // What the long tests do at length they need not do here.
    const env: Record<string, string> = long ? { FAULTS_SCALE: "0.001" } : {};
    const ran = await runTests({ paths: some, serverUrl, signal, env });
    if (ran === null || ran.passed === 0) failures.push(`No test of ${some.join(", ")} ran to its end.`);
    else failures.push(...ran.assertions, ...ran.others, ...ran.unloaded);
  }
  return failures.map(firstLine);
}

/** Plants one fault, runs the tests that should notice it, and says whether they did. */
export async function tryPlanting(
  planting: Planting,
  { serverUrl, signal }: PlantingOptions,
): Promise<PlantingResult> {
  const obstacle = whyNotPlantable(planting);
  if (obstacle !== null) return { outcome: "not-planted", detail: obstacle };
  const { tests: paths, test } = planting;
  return judge(await runTests({ paths, test, plant: planting, serverUrl, signal, bail: true }));
}

function whyNotPlantable(planting: Planting): string | null {
  try {
    stripTypeScriptTypes(plant(planting, readFileSync(resolve(root, planting.file), "utf8")));
    return null;
  } catch (error) {
    return firstLine(error instanceof Error ? error.message : String(error));
  }
}

function judge(ran: RunFailures | null): PlantingResult {
  if (ran === null) return { outcome: "noticed", detail: "the tests did not come to an end" };
  const [assertion] = ran.assertions;
  if (assertion !== undefined) return { outcome: "noticed", detail: firstLine(assertion) };
  const [other] = ran.others;
  if (other !== undefined) return { outcome: "noticed", detail: `by an error: ${firstLine(other)}` };
  const [unloaded] = ran.unloaded;
  if (unloaded !== undefined) return { outcome: "not-planted", detail: firstLine(unloaded) };
  if (ran.passed === 0) return { outcome: "not-planted", detail: "No test ran." };
  return { outcome: "let-through", detail: `${ran.passed} tests passed` };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
