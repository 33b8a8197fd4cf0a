import { spawn } from "node:child_process";
import { resolve } from "node:path";

/** How one check went. */
export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly durationMs: number;
  /** What the tool printed. */
  readonly output: string;
}

const root = resolve(import.meta.dirname, "../..");

/** With one thread: several check in part the same types, and all checks run at once. */
const COMPILER = ["node_modules/typescript-native/bin/tsc", "--singleThreaded"];

/** Every check is a program of its own, run by this process's Node. */
const checks: Record<string, string[]> = {
  types: [...COMPILER, "--incremental", "--tsBuildInfoFile", "node_modules/.cache/types.tsbuildinfo"],
  "types of the web pages": [
    ...COMPILER,
    "--project",
    "client/console",
    "--incremental",
    "--tsBuildInfoFile",
    "node_modules/.cache/console-types.tsbuildinfo",
  ],
  "format, lint and money": [
    "node_modules/@biomejs/biome/bin/biome",
    "ci",
    "--error-on-warnings",
    "--colors=off",
    "--max-diagnostics=50",
  ],
  spec: ["scripts/lint-spec.ts"],
  "SQL in its place": ["scripts/checks/text-rules.ts"],
  "generated files": ["scripts/checks/drift.ts"],
  "errors over HTTP": ["contract-tests/error-codes/error-classes.ts"],
  "tables of settings": ["scripts/settings.ts", "--check"],
  "links of the manuals": ["scripts/checks/links.ts"],
  "contract change": ["scripts/contract-diff.ts"],
  "dead code and packages": [
    "node_modules/knip/bin/knip.js",
    "--no-progress",
    "--treat-config-hints-as-errors",
  ],
  "dependency direction": [
    "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs",
    "--config",
    "scripts/dependency-rules.mjs",
    ...["spec", "generated", "server", "client", "contract-tests", "scripts"],
  ],
};

/**
 * Runs all checks of the code and the contract at the same time.
 * @param onResult is told of each as it ends
 */
export async function runChecks(onResult: (result: CheckResult) => void): Promise<CheckResult[]> {
  const running = Object.entries(checks).map(async ([name, command]) => {
    const result = await runCheck(name, command);
    onResult(result);
    return result;
  });
  return Promise.all(running);
}

/** Prints a check's name and time and, where it failed, what its tool said. */
export function printCheck({ name, passed, durationMs, output }: CheckResult): void {
  const seconds = (durationMs / 1000).toFixed(1);
  console.log(`${passed ? "✓" : "✗"} ${name} (${seconds} s)`);
  if (!passed) console.log(`${output.trim().replace(/^/gm, "    ")}\n`);
}

function runCheck(name: string, command: string[]): Promise<CheckResult> {
  const start = performance.now();
  return new Promise((resolveResult) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const finish = (passed: boolean) =>
      resolveResult({ name, passed, durationMs: performance.now() - start, output });
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    child.once("error", (error) => {
      output += error.message;
      finish(false);
    });
    child.once("close", (code) => finish(code === 0));
  });
}
