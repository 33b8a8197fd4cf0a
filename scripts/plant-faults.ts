// `npm run plant-faults [-- FILTER …]`: plants faults in the code, one at a time, to see that tests notice them. Files stay as
// they are: a fault is put in when a test loads its file.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startPrivateServer } from "../server/testing/database/private-server.ts";
import { findStablePort } from "../server/testing/free-port.ts";
import { PLANTED_BUGS } from "../server/testing/planted-bugs/planted-bugs.ts";
import {
  type Planting,
  type PlantingOptions,
  type PlantingResult,
  readPlantings,
  runUnplanted,
  tryPlanting,
} from "../server/testing/planted-bugs/planting.ts";

const help = `Plants faults in the code, one at a time, and runs the tests that should notice each.

  npm run plant-faults -- [FILTER …] [--list] [--from FILE.json] [--unchecked]

  FILTER        only faults whose name or file contains one of these texts; all when not given
  --list        shows them, and plants none
  --from FILE   plants those of a list of yours instead of the project's own (server/testing/planted-bugs): an array of
                {"file", "find", "replace", "tests"?, "test"?, "name"?}. "find" must be in the file exactly once; "tests" are
                parts of paths of test files, those of the file's own folder when not given; "test" is a pattern of names
  --unchecked   does not run the tests without a fault first

  Ends with exit code 1 when a fault was let through or could not be planted, or a test fails without any.`;

const MARKS: Readonly<Record<PlantingResult["outcome"], string>> = {
  noticed: "noticed",
  "let-through": "LET THROUGH",
  "not-planted": "COULD NOT BE PLANTED",
};

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort());

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: "boolean", default: false },
      from: { type: "string" },
      unchecked: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const plantings = choose(values.from, positionals);
  if (values.help) console.log(help);
  else if (plantings.length === 0) throw new Error("There is no such fault.");
  else if (values.list) console.log(plantings.map(describe).join("\n"));
  else process.exitCode = (await plantAll(plantings, values.unchecked)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

function choose(file: string | undefined, filters: readonly string[]): Planting[] {
  const all =
    file === undefined
      ? PLANTED_BUGS.map((bug) => ({ ...bug, tests: [bug.caughtBy] }))
      : readPlantings(readFileSync(file, "utf8"));
  const fits = ({ name, file: path }: Planting) =>
    filters.length === 0 || filters.some((filter) => name.includes(filter) || path.includes(filter));
  return all.filter(fits);
}

/** @returns whether all of them were noticed. */
async function plantAll(plantings: readonly Planting[], unchecked: boolean): Promise<boolean> {
  const server = await startPrivateServer({ durability: "relaxed", port: await findStablePort() });
  const options = { serverUrl: server.tcpUrl, signal: interrupted.signal };
  try {
    if (!unchecked && !(await passUnplanted(plantings, options))) return false;
    const results: PlantingResult["outcome"][] = [];
    for (const [index, planting] of plantings.entries()) {
      const startedMs = performance.now();
      const { outcome, detail } = await tryPlanting(planting, options);
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
      console.log(
        `[${index + 1}/${plantings.length}] ${MARKS[outcome]}  ${describe(planting)}  (${seconds} s)`,
      );
      console.log(`    ${outcome === "let-through" ? `${detail} with ${quote(planting)}` : detail}`);
      results.push(outcome);
    }
    const count = (outcome: PlantingResult["outcome"]) => results.filter((one) => one === outcome).length;
    console.log(
      `${count("noticed")} noticed, ${count("let-through")} let through, ${count("not-planted")} not planted`,
    );
    return count("noticed") === plantings.length;
  } finally {
    await server.stop();
  }
}

async function passUnplanted(plantings: readonly Planting[], options: PlantingOptions): Promise<boolean> {
  console.log("Running the tests without a fault first …");
  const failures = await runUnplanted(plantings, options);
  for (const failure of failures) console.log(`    ${failure}`);
  if (failures.length > 0) console.log("They must pass before they can notice anything.");
  return failures.length === 0;
}

function describe({ name, file }: Planting): string {
  return `${name} in ${file}`;
}

/** What was replaced by what, for the developer who writes the missing test. */
function quote({ find, replace }: Planting): string {
  return `${JSON.stringify(replace)} for ${JSON.stringify(find)}`;
}
