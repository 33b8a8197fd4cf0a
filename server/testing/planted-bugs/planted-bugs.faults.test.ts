import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import type { RunFailures } from "../vitest/failure-reporter.ts";
import { PLANTED_BUGS } from "./planted-bugs.ts";

const root = resolve(import.meta.dirname, "../../..");

/** Runs one test file in a vitest of its own, on this run's database server. */
async function runTestFile(file: string, env: Record<string, string>): Promise<RunFailures> {
  const folder = mkdtempSync(join(tmpdir(), "shop-planted-"));
  const report = join(folder, "failures.json");
  const config = file.endsWith(".faults.test.ts") ? "vitest.faults.config.ts" : "vitest.config.ts";
  const child = spawn(
    process.execPath,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      `--config=server/testing/vitest/${config}`,
      "--reporter=server/testing/vitest/failure-reporter.ts",
      file,
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        FAILURE_REPORT_FILE: report,
        TEST_DATABASE_URL: inject("testServer").tcpUrl,
        ...env,
      },
      stdio: "ignore",
    },
  );
  onTestFinished(() => void child.kill());
  try {
    await once(child, "close");
    return JSON.parse(readFileSync(report, "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test.each([...new Set(PLANTED_BUGS.map(({ caughtBy }) => caughtBy))])(
  "%s passes without a bug",
  async (file) => {
    const { passed, ...failures } = await runTestFile(file, { FAULTS_SCALE: "0.001" });
    expect(failures).toEqual({ assertions: [], others: [] });
    expect(passed).toBeGreaterThan(0);
  },
);

test.each(PLANTED_BUGS)("$name is caught by $caughtBy", async ({ name, caughtBy }) => {
  const { assertions, others } = await runTestFile(caughtBy, { PLANTED_BUG: name });
  expect(assertions, `no test noticed; other failures: ${others.join("\n")}`).not.toEqual([]);
});
