// `npm test [-- [--only-tests] FILTER …]`: the checks, then the tests whose path contains a filter. Without a filter all of
// them, and those that speak HTTP once more with Prism's proxy in front of the service.
// `npm run test:faults [-- FILTER …]`: in the same way the long tests (*.faults.test.ts), which npm test leaves out;
// see server/testing/faults/fault-runs.ts for FAULTS_SCALE and FAULTS_SEED.
// `npm run test:cluster [-- FILTER …]`: the tests on clusters of database servers (*.cluster.test.ts); see
// server/testing/clusters/README.md.
// `npm run test:proxied [-- FILTER …]`: in the same way the tests that speak HTTP, with Prism's proxy in front of the
// service; see contract-tests/prism/prism-front.ts.
// `npm test -- --on-database [FILTER …]`: in the same way the tests of the service that use a database, for another one; see
// TEST_DATABASE_URL.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { installChromium } from "../client/console/testing/chromium.ts";
import { addCounts, concludeRun, type TestCounts } from "../server/testing/vitest/test-counts.ts";
import { printCheck, runChecks } from "./checks/run-checks.ts";

const root = resolve(import.meta.dirname, "..");
const aFailure: TestCounts = { passed: 0, failed: 1, skipped: 0 };

async function countChecks(): Promise<TestCounts> {
  const results = await runChecks(printCheck);
  const passed = results.filter((result) => result.passed).length;
  return { passed, failed: results.length - passed, skipped: 0 };
}

async function countTests(config: string, filters: string[]): Promise<TestCounts> {
  const folder = mkdtempSync(join(tmpdir(), "shop-run-"));
  const countsFile = join(folder, "counts.json");
  try {
    const code = await runVitest(config, filters, {
      COUNT_REPORTER_FILE: countsFile,
      // Tests start a hundred servers and commands, which need not all compile the same files; nor need several runs.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, "compiled"),
    });
    // A run that broke off has counted nothing, and one can fail for another reason than a test.
    if (!existsSync(countsFile)) return aFailure;
    const counts: TestCounts = JSON.parse(readFileSync(countsFile, "utf8"));
    return code !== 0 && counts.failed === 0 ? addCounts([counts, aFailure]) : counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runVitest(
  config: string,
  filters: string[],
  env: Readonly<Record<string, string>>,
): Promise<number | null> {
  const child = spawn(
    process.execPath,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      `--config=${config}`,
      "--reporter=default",
      "--reporter=server/testing/vitest/count-reporter.ts",
      "--reporter=contract-tests/census/census-reporter.ts",
      ...filters,
    ],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  // The terminal sends its Ctrl-C to vitest as well: what is left to do here is to wait for it.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolveCode, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolveCode(code));
  });
}

const configs: Readonly<Record<string, string>> = {
  "--faults": "server/testing/vitest/vitest.faults.config.ts",
  "--clusters": "server/testing/vitest/vitest.clusters.config.ts",
  "--proxied": "contract-tests/prism/vitest.proxied.config.ts",
  "--on-database": "server/testing/vitest/vitest.database.config.ts",
};

const args = process.argv.slice(2);
const special = args.find((arg) => arg in configs);
const onlyTests = special !== undefined || args.includes("--only-tests");
const filters = args.filter((arg) => arg !== "--only-tests" && arg !== special);
const isWhole = !onlyTests && filters.length === 0;
const usualConfig = isWhole
  ? "contract-tests/prism/vitest.all.config.ts"
  : "server/testing/vitest/vitest.config.ts";
const config = configs[special ?? ""] ?? usualConfig;
// The tests of the web pages need it; where it cannot be had they are left out, and counted so.
if (special === undefined) installChromium((line) => console.error(line));
const counts = addCounts([...(onlyTests ? [] : [await countChecks()]), await countTests(config, filters)]);

concludeRun(counts);
