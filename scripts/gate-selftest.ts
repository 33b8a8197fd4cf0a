// `npm run gate:selftest`: puts faults into copies of the project, one at a time, and shows that the gate stops each.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type PartName, partOf } from "../contract-tests/self-test/parts.ts";
import { PLANTED_FAULTS, type PlantedFault } from "../contract-tests/self-test/planted-faults.ts";
import { copyProject, type Outcome, type ProjectCopy } from "../contract-tests/self-test/project-copy.ts";
import { startPrivateServer } from "../server/testing/database/private-server.ts";
import { findStablePort } from "../server/testing/free-port.ts";
import { concludeRun } from "../server/testing/vitest/test-counts.ts";

const help = `Shows that the contract gate works: puts faults into copies of the project, one at a time, and runs the part of
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

/** A copy of the project, and what the runs in all copies share. */
interface Place {
  readonly copy: ProjectCopy;
  readonly env: Readonly<Record<string, string>>;
}

async function testGate(faults: readonly PlantedFault[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "shop-compiled-"));
  const server = await startPrivateServer({ durability: "relaxed", port: await findStablePort() });
  // One run after another would start a server of its own, and compile what all of them load.
  const env = {
    TEST_DATABASE_URL: server.tcpUrl,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? folder,
  };
  // One for each processor, and two where there is one: a run that waits leaves it to another.
  const places = Array.from({ length: Math.max(2, availableParallelism()) }, () => ({
    copy: copyProject(),
    env,
  }));
  try {
    const parts = [...new Set(faults.map(({ caughtBy }) => caughtBy))];
    const sound = await countIn(places, parts, passesWithoutFault);
    const caught = await countIn(places, faults, isCaught);
    console.log(`${caught} of ${faults.length} planted faults were stopped.`);
    const passed = sound + caught;
    concludeRun({ passed, failed: parts.length + faults.length - passed, skipped: 0 });
  } finally {
    for (const { copy } of places) copy.remove();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** For how many items it is so, one at a time in each place. */
async function countIn<Item>(
  places: readonly Place[],
  items: readonly Item[],
  isSo: (place: Place, item: Item) => Promise<boolean>,
): Promise<number> {
  const waiting = [...items];
  let count = 0;
  const workAt = async (place: Place) => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      if (await isSo(place, item)) count += 1;
  };
  await Promise.all(places.map(workAt));
  return count;
}

/** A part that always fails would seem to catch everything. */
async function passesWithoutFault(place: Place, part: PartName): Promise<boolean> {
  const { title } = partOf(part);
  const { outcome, seconds } = await timed(() => runPart(place, part));
  console.log(`${outcome.passed ? "✓" : "✗"} without a fault, ${title} passes (${seconds} s)`);
  if (!outcome.passed) printEnd(outcome);
  return outcome.passed;
}

async function isCaught(place: Place, fault: PlantedFault): Promise<boolean> {
  const { title } = partOf(fault.caughtBy);
  const { outcome, seconds } = await timed(() =>
    place.copy.withFault(fault, () => runPart(place, fault.caughtBy)),
  );
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
async function runPart({ copy, env }: Place, part: PartName): Promise<Outcome> {
  const { prepare, command } = partOf(part);
  if (prepare === undefined) return copy.run(command, env);
  const prepared = await copy.run(prepare, env);
  try {
    return prepared.passed ? await copy.run(command, env) : prepared;
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
