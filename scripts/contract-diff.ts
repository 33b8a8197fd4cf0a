// `npm run contract:diff`: what has changed for buyers, and whether their programs break.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { NoBaseError, readBase } from "../contract-tests/change/base.ts";
import { compareContract } from "../contract-tests/change/compare-contract.ts";
import { datesToCome } from "../contract-tests/change/new-dates.ts";
import { writeReport } from "../contract-tests/change/report.ts";
import { bundlePublished } from "../spec/tools/generate.ts";

const help = `Compares the contract in spec/ with an earlier state, and fails when buyers break without a new version.

  npm run contract:diff -- [--base REF] [--markdown]

  --base REF    a branch, a tag or a commit. Without it: where this branch left main; on main the last commit while
                spec/ has changes that are not committed, else the last tag, else the commit before
  --markdown    for a merge comment

  Of requests, a change breaks buyers when it refuses what was accepted. Of answers, when it takes away what was
  promised, or brings values or types that were not; new fields, errors and headers do not break a buyer's program.
  A breaking change needs a new major version (info.version) and its entry in CHANGELOG.md.`;

const root = resolve(import.meta.dirname, "..");

try {
  const { values } = parseArgs({
    options: {
      base: { type: "string" },
      markdown: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) console.log(help);
  else await compare(values.base, values.markdown);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

async function compare(wanted: string | undefined, markdown: boolean): Promise<void> {
  const base = findBase(wanted);
  if (base === undefined) return;
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const comparisons = compareContract({
    before: base.documents,
    after: await bundlePublished(),
    changelog,
    lastUnder: base.lastUnder,
  });
  console.log(writeReport(comparisons, { base: base.label, markdown }));
  const toCome = datesToCome(base.changelog, changelog, Date.now());
  for (const fault of toCome) console.log(`\n${fault}`);
  if (toCome.length > 0 || comparisons.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
}

function findBase(wanted: string | undefined) {
  try {
    return readBase(root, wanted);
  } catch (error) {
    if (!(error instanceof NoBaseError) || error.wasNamed) throw error;
    console.log(`There is nothing to compare the contract with, so nothing was checked. ${error.message}`);
    return undefined;
  }
}
