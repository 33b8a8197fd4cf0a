// `npm run fuzz`: the requests that contract-tests/fuzz makes from the documents, as many as wanted.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { continueAs } from "../server/setup/node-runtime.mjs";

const help = `Sends requests made from the OpenAPI documents to the service, on a database of their own, and fails when an
answer is not as it should be: valid requests, requests that are broken in one place, and sequences of requests.

  npm run fuzz -- [--runs 20000] [--seed N] [--only TEXT] [--path PATH]

  --runs N      how many requests are sent, about
  --seed N      makes the same requests as an earlier run with it and as many runs; a new one when not given
  --only TEXT   only the properties whose name contains it: an interface, createOrder, "createOrder broken", sequences
  --path PATH   one request of one property, as a fault has named it; with --seed and --only

  The last line counts properties: "passed" is one that held for all of its requests.`;

try {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "20000" },
      seed: { type: "string" },
      only: { type: "string" },
      path: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) console.log(help);
  else runFuzzTest(values);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

interface FuzzArguments {
  readonly runs: string;
  readonly seed?: string | undefined;
  readonly only?: string | undefined;
  readonly path?: string | undefined;
}

/** Goes on as the test that `npm test` runs, which counts and prints, with other settings. */
function runFuzzTest({ runs, seed, only, path }: FuzzArguments): void {
  for (const number of [runs, seed ?? "0"]) {
    if (!/^\d{1,10}$/.test(number))
      throw new Error(`${number} is no number of runs and no seed. See --help.`);
  }
  const settings = { FUZZ_RUNS: runs, FUZZ_SEED: seed, FUZZ_ONLY: only, FUZZ_PATH: path };
  const test = [join(import.meta.dirname, "test.ts"), "--only-tests", "contract-tests/fuzz/fuzz.test.ts"];
  // Named to the runner as well, which then does not miss the others.
  if (only !== undefined) test.push("-t", only.replace(/[^\w ]/g, "\\$&"));
  continueAs(process.execPath, test, { ...process.env, ...settings });
}
