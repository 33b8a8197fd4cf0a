import { randomInt } from "node:crypto";
import fc from "fast-check";

/** What the environment says of a fuzz run; see scripts/fuzz.ts. */
export interface FuzzSettings {
  /** How many requests are sent, about. */
  readonly runs: number;
  readonly seed: number;
  /** Whether this run is about nothing else, so that it says all that it has to say. */
  readonly isOwnRun: boolean;
  /** Only properties whose name contains this. */
  readonly only: string;
  /** Where in the run of one property a fault was, as fast-check writes it. */
  readonly path: string | null;
}

const USUAL_RUNS = 1_500;
/** For how long a smaller value is looked for. */
const SHRINK_MS = 15_000;
const MAX_SEED = 2 ** 31 - 1;

/** Reads the settings; the seed is a new one each time when none is given. */
export function readFuzzSettings({ FUZZ_RUNS, FUZZ_SEED, FUZZ_ONLY, FUZZ_PATH } = process.env): FuzzSettings {
  return {
    runs: Number(FUZZ_RUNS || USUAL_RUNS),
    isOwnRun: Boolean(FUZZ_RUNS),
    seed: Number(FUZZ_SEED || randomInt(MAX_SEED)),
    only: FUZZ_ONLY ?? "",
    path: FUZZ_PATH || null,
  };
}

/** A property as it is run. */
export interface PropertyRun<T> {
  /** Such as `ordering createOrder broken`. */
  readonly name: string;
  readonly values: fc.Arbitrary<T>;
  readonly runs: number;
  readonly seed: number;
  readonly path: string | null;
  /** @throws when the property does not hold for the value. */
  check(value: T): Promise<void>;
  /** Shows a value to a person. */
  describe(value: T): string;
}

/** Runs a property. @throws Error that shows the smallest value found for which it does not hold, and how to repeat it. */
export async function checkProperty<T>(run: PropertyRun<T>): Promise<void> {
  const { name, values, runs, seed, path } = run;
  let failedAtMs: number | null = null;
  const property = fc.asyncProperty(values, async (value) => {
    // What passes is not made smaller, so this ends the search.
    if (failedAtMs !== null && performance.now() - failedAtMs > SHRINK_MS) return;
    await run.check(value).catch((error: unknown) => {
      failedAtMs ??= performance.now();
      throw error;
    });
  });
  const details = await fc.check(property, { seed, numRuns: runs, ...(path !== null && { path }) });
  if (!details.failed) return;
  const { counterexample, counterexamplePath, errorInstance, numShrinks } = details;
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const shown = counterexample === null ? "No value could be made." : run.describe(counterexample[0]);
  throw new Error(
    `${reason}

Made smaller ${numShrinks} times:
${shown}

To repeat it:
npm run fuzz -- --seed ${seed} --only ${JSON.stringify(name)} --path ${counterexamplePath ?? "0"}
`,
  );
}
