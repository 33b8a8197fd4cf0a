// `npm run gate:selftest`: puts faults into a copy of the project, one after the other, and shows that the gate stops each.
import { parseArgs } from "node:util";
import { type PartName, partOf } from "../contract-tests/self-test/parts.ts";
import { PLANTED_FAULTS, type PlantedFault } from "../contract-tests/self-test/planted-faults.ts";
import { copyProject, type Outcome, type ProjectCopy } from "../contract-tests/self-test/project-copy.ts";
import { concludeRun } from "../server/testing/vitest/test-counts.ts";

const help = `Shows that the contract gate works: puts faults into a copy of the project, one at a time, and runs the part of
the gate that must stop each. Takes some minutes.

  npm run gate:selftest -- [WORD …]

  WORD    only the faults whose name contains one of these, such as: header, stale`;

const MAX_LINES_SHOWN = 30;

try {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  if (values.help) console.log(help);
  else await testGate(wantedFaults(positionals));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function wantedFaults(words: readonly string[]): readonly PlantedFault[] {
  const wanted = PLANTED_FAULTS.filter(
    ({ name }) => words.length === 0 || words.some((it) => name.includes(it)),
  );
  if (wanted.length > 0) return wanted;
  throw new Error(
    `No fault has that in its name. There are:\n${PLANTED_FAULTS.map(({ name }) => `  ${name}`).join("\n")}`,
  );
}

async function testGate(faults: readonly PlantedFault[]): Promise<void> {
  const copy = copyProject();
  try {
    const parts = [...new Set(faults.map(({ caughtBy }) => caughtBy))];
    const sound = await countIn(parts, (part) => passesWithoutFault(copy, part));
    const caught = await countIn(faults, (fault) => isCaught(copy, fault));
    console.log(`${caught} of ${faults.length} planted faults were stopped.`);
    const passed = sound + caught;
    concludeRun({ passed, failed: parts.length + faults.length - passed, skipped: 0 });
  } finally {
    copy.remove();
  }
}

/** For how many items it is so, one after the other. */
async function countIn<Item>(
  items: readonly Item[],
  isSo: (item: Item) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (const item of items) if (await isSo(item)) count += 1;
  return count;
}

/** A part that always fails would seem to catch everything. */
async function passesWithoutFault(copy: ProjectCopy, part: PartName): Promise<boolean> {
  const { title } = partOf(part);
  const { outcome, seconds } = await timed(() => runPart(copy, part));
  console.log(`${outcome.passed ? "✓" : "✗"} without a fault, ${title} passes (${seconds} s)`);
  if (!outcome.passed) printEnd(outcome);
  return outcome.passed;
}

async function isCaught(copy: ProjectCopy, fault: PlantedFault): Promise<boolean> {
  const { title } = partOf(fault.caughtBy);
  const { outcome, seconds } = await timed(() => copy.withFault(fault, () => runPart(copy, fault.caughtBy)));
  const said = fault.saying.exec(outcome.output)?.[0].replaceAll(/\s+/g, " ");
  if (!outcome.passed && said !== undefined) {
    console.log(`✓ ${fault.name}: stopped by ${title} (${seconds} s): ${said}`);
    return true;
  }
  const how = outcome.passed ? "was let through by" : `was not told by its reason, ${fault.saying}, by`;
  console.log(`✗ ${fault.name}: ${how} ${title} (${seconds} s)`);
  printEnd(outcome);
  return false;
}

/** Runs a part, and takes back what had to be made for it. */
async function runPart(copy: ProjectCopy, part: PartName): Promise<Outcome> {
  const { prepare, command } = partOf(part);
  if (prepare === undefined) return copy.run(command);
  const prepared = await copy.run(prepare);
  try {
    return prepared.passed ? await copy.run(command) : prepared;
  } finally {
    copy.restore();
  }
}

async function timed(work: () => Promise<Outcome>): Promise<{ outcome: Outcome; seconds: string }> {
  const start = performance.now();
  const outcome = await work();
  return { outcome, seconds: ((performance.now() - start) / 1000).toFixed(1) };
}

function printEnd({ output }: Outcome): void {
  const lines = output.trimEnd().split("\n").slice(-MAX_LINES_SHOWN);
  console.log(lines.map((line) => `    ${line}`).join("\n"));
}
