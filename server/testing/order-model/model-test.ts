import fc from "fast-check";
import { findStablePort } from "../free-port.ts";
import { commands } from "./commands.ts";
import { finish } from "./finish.ts";
import { openRun, type Run } from "./run.ts";
import type { ShopModel } from "./shop-model.ts";
import { openTestbed, type Testbed } from "./testbed.ts";

/** How much of the model test is done. */
export interface ModelTestOptions {
  readonly runs: number;
  /** The first run has this seed, the second the next one, and so on, so that a run which fails is repeated alone. */
  readonly seed: number;
  /** For how long it is tried to make a run that fails shorter; 0: not at all. */
  readonly shrinkMs: number;
}

const RUNS_AT_ONCE = 8;
// The audit reads a whole database, and becomes slow when it is large.
const RUNS_PER_DATABASE = 50;
const SEEDS = 2 ** 31;

/** A run has failed; the message ends with all that was done in it. */
class RunFailedError extends Error {
  constructor(cause: unknown, history: readonly string[]) {
    super(`${messageOf(cause)}\n\nWhat was done:\n${history.join("\n")}`, { cause });
  }
}

/**
 * Lets random things happen to shops, each of which is compared with a reference model, until all runs are done or one has
 * failed. Runs wait for faults most of the time, so several go on at once.
 * @throws Error that shows a run which fails, as short as could be found, and how it is repeated.
 */
export async function testAgainstModel({ runs, seed, shrinkMs }: ModelTestOptions): Promise<void> {
  let begun = 0;
  let failed = false;
  const ports = new Set<number>();
  while (ports.size < Math.min(RUNS_AT_ONCE, runs)) ports.add(await findStablePort());
  const testbeds = [...ports].map(async (port) => {
    const testbed = createModelLane(port, () => {
      failed = true;
    });
    try {
      while (begun < runs && !failed) {
        begun += 1;
        await checkOne(testbed.property, { number: begun, seed: (seed + begun - 1) % SEEDS, shrinkMs });
      }
      await testbed.leave();
    } finally {
      await testbed.abandon();
    }
  });
  for (const outcome of await Promise.allSettled(testbeds)) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}

type ModelProperty = ReturnType<typeof createModelLane>["property"];

interface OneRun {
  readonly number: number;
  readonly seed: number;
  readonly shrinkMs: number;
}

async function checkOne(property: ModelProperty, { number, seed, shrinkMs }: OneRun): Promise<void> {
  const run = { seed, numRuns: 1 };
  // A run takes as long as it takes; only making it shorter has a limit.
  const asItIs = await fc.check(property, { ...run, endOnFailure: true });
  if (!asItIs.failed) return;
  const shorter =
    shrinkMs === 0
      ? asItIs
      : await fc.check(property, { ...run, plugins: [fc.interruptAfterTimeLimit(shrinkMs)] });
  const { counterexample, numShrinks, errorInstance } = shorter.errorInstance === null ? asItIs : shorter;
  throw new Error(
    `Run ${number} fails; with FAULTS_SEED=${seed} it is the first. Made shorter ${numShrinks} times:${counterexample}\n\n` +
      messageOf(errorInstance),
    { cause: errorInstance instanceof RunFailedError ? errorInstance.cause : errorInstance },
  );
}

/** Runs that follow each other on one database after the other. */
function createModelLane(supplierPort: number, onFailure: () => void) {
  let testbed: Testbed | null = null;
  let runs = 0;
  async function abandon(): Promise<void> {
    const last = testbed;
    testbed = null;
    await last?.dispose();
  }
  async function leave(): Promise<void> {
    await testbed?.expectCleanAudit();
    await abandon();
  }
  async function doRun(plan: Iterable<fc.AsyncCommand<ShopModel, Run>>): Promise<void> {
    if (runs % RUNS_PER_DATABASE === 0) await leave();
    runs += 1;
    testbed ??= await openTestbed(supplierPort);
    const run = await openRun(testbed);
    try {
      await fc.asyncModelRun(() => ({ model: run.model, real: run }), plan);
      await finish(run);
    } catch (error) {
      onFailure();
      const books = await testbed.expectCleanAudit().then(() => "The audit passes.", messageOf);
      // What it has left unfinished must not come in the way of the next run.
      await abandon();
      throw new RunFailedError(error, [...run.history, books]);
    } finally {
      await run.close();
    }
  }
  return { property: fc.asyncProperty(fc.noBias(commands), doRun), leave, abandon };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
