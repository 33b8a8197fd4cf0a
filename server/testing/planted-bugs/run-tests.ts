import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { RunFailures } from "../vitest/failure-reporter.ts";
import type { Plant } from "./planted-bug.ts";

const root = resolve(import.meta.dirname, "../../..");
// A bug may make a test wait for ever in a way that no limit of vitest's own ends.
const MAX_WAIT_MS = 15 * 60_000;

/** Which tests are run, and how. */
export interface TestRun {
  /** Parts of the paths of test files; the long tests (`*.faults.test.ts`) are run only when each of them ends so. */
  readonly paths: readonly string[];
  /** Only tests whose names match this pattern. */
  readonly test?: string | undefined;
  /** What is planted; nothing when not given. */
  readonly plant?: Plant;
  /** The database server that they use, over TCP. */
  readonly serverUrl: string;
  /** Ends with the first test that fails. */
  readonly bail?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the run. */
  readonly signal?: AbortSignal;
}

/** Runs tests in a vitest of their own. @returns null when they did not come to an end. */
export async function runTests(run: TestRun): Promise<RunFailures | null> {
  const folder = mkdtempSync(join(tmpdir(), "shop-planted-"));
  const report = join(folder, "failures.json");
  const patience = AbortSignal.timeout(MAX_WAIT_MS);
  const child = spawn(process.execPath, argumentsOf(run), {
    cwd: root,
    env: { ...process.env, ...environmentOf(run), FAILURE_REPORT_FILE: report },
    stdio: "ignore",
    signal: run.signal === undefined ? patience : AbortSignal.any([patience, run.signal]),
  });
  child.on("error", () => {});
  try {
    await once(child, "close");
    run.signal?.throwIfAborted();
    return existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function argumentsOf({ paths, test, bail }: TestRun): string[] {
  const long = paths.every((path) => path.endsWith(".faults.test.ts"));
  return [
    "node_modules/vitest/vitest.mjs",
    "run",
    `--config=server/testing/vitest/${long ? "vitest.faults.config.ts" : "vitest.config.ts"}`,
    "--reporter=server/testing/vitest/failure-reporter.ts",
    ...(test === undefined ? [] : [`--testNamePattern=${test}`]),
    ...(bail ? ["--bail=1"] : []),
    ...paths,
  ];
}

function environmentOf({ plant, serverUrl, env }: TestRun): Record<string, string> {
  return {
    TEST_DATABASE_URL: serverUrl,
    ...(plant === undefined ? {} : { PLANTED_BUG: JSON.stringify(plant) }),
    ...env,
  };
}
