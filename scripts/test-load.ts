// `npm run test:load [-- --runs 20 --load 3]`: runs `npm test` so many times while the processors are busy, and names what
// failed. The exit code is 1 when anything did. Ctrl-C stops everything.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const help = `Runs npm test again and again on a busy machine: no test may depend on how fast it is.

  npm run test:load -- [--runs N] [--load N]

  --runs N   how many times (20)
  --load N   how many programs per processor keep it busy meanwhile (3)`;

/** What one run of `npm test` said. */
interface Run {
  readonly passed: boolean;
  /** `N passed, N failed`, or how it ended without that line. */
  readonly conclusion: string;
  /** The tests, files and checks that failed. */
  readonly failures: readonly string[];
  readonly seconds: number;
}

const root = resolve(import.meta.dirname, "..");
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
/** Keeps a processor busy until its parent is gone. */
const BURNER = `
  process.on("disconnect", () => process.exit());
  const burn = () => { for (let count = 0; count < 1e7; count += 1); setImmediate(burn); };
  burn();`;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    load: { type: "string", default: "3" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) console.log(help);
else await repeatUnderLoad(countOf(values.runs), countOf(values.load));

function countOf(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new Error(`${text} is no number.\n\n${help}`);
  return Number(text);
}

async function repeatUnderLoad(runs: number, load: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "shop-load-"));
  const burners = Array.from({ length: load * availableParallelism() }, () =>
    spawn(process.execPath, ["-e", BURNER], { stdio: ["ignore", "ignore", "inherit", "ipc"] }),
  );
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopping.abort());
  const done: Run[] = [];
  while (done.length < runs && !stopping.signal.aborted) {
    const logFile = join(folder, `run-${done.length + 1}.log`);
    const run = await runTests(logFile, stopping.signal);
    done.push(run);
    const told = `Run ${done.length} of ${runs}: ${run.conclusion}, ${run.seconds} s`;
    console.log([run.passed ? told : `${told}, ${logFile}`, ...run.failures].join("\n  ✗ "));
  }
  for (const burner of burners) burner.kill();
  conclude(done);
  if (stopping.signal.aborted) process.exitCode = 1;
}

/** Runs `npm test`; what it prints goes to a file. */
async function runTests(logFile: string, signal: AbortSignal): Promise<Run> {
  const begunMs = performance.now();
  // A group of its own, so that a Ctrl-C is passed on once.
  const child = spawn("sh", ["-c", 'exec npm test >"$0" 2>&1', logFile], { cwd: root, detached: true });
  const stop = () => stopGroup(child);
  signal.addEventListener("abort", stop);
  const [code] = await once(child, "close");
  signal.removeEventListener("abort", stop);
  const lines = readFileSync(logFile, "utf8").replaceAll(ESCAPES, "").split("\n");
  return {
    passed: code === 0,
    conclusion: lines.findLast((line) => /^\d+ passed, \d+ failed/.test(line)) ?? `ended with ${code}`,
    failures: failuresIn(lines),
    seconds: Math.round((performance.now() - begunMs) / 1_000),
  };
}

function stopGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGINT");
}

/** vitest tells of ` FAIL  file > test`, the checks of `✗ name (1.2 s)`. */
function failuresIn(lines: readonly string[]): string[] {
  const names = lines.map((line) => /^(?: FAIL {2}|✗ )(.+?)(?: \([\d.]+ s\))?$/.exec(line)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

function conclude(runs: readonly Run[]): void {
  const failedRuns = runs.filter(({ passed }) => !passed);
  const times = new Map<string, number>();
  for (const name of runs.flatMap(({ failures }) => failures)) times.set(name, (times.get(name) ?? 0) + 1);
  const seconds = runs.map((run) => run.seconds);
  console.log(`${runs.length - failedRuns.length} of ${runs.length} runs passed.`);
  if (runs.length > 0) console.log(`They took ${Math.min(...seconds)} to ${Math.max(...seconds)} s.`);
  for (const [name, count] of times) console.log(`${count} times: ${name}`);
  if (failedRuns.length > 0) process.exitCode = 1;
}
