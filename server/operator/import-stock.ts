import { setTimeout as delay } from "node:timers/promises";
import { type ImportCounts, type ImportResult, ImportRunningError } from "../stock/import.ts";
import type { Stock } from "../stock/stock.ts";
import type { CodeSource } from "./code-source.ts";
import { PROGRAM_NAME } from "./command.ts";
import { OperatorError } from "./explain-error.ts";
import { createProgressBar } from "./progress-bar.ts";

/** An import that died is taken for running for 15 seconds, so this outlasts it. */
const MAX_WAIT_MS = 40_000;
const MAX_PAUSE_MS = 1_000;

interface Options {
  stock: Pick<Stock, "import">;
  productId: string;
  source: CodeSource;
  stderr: Pick<NodeJS.WriteStream, "isTTY" | "write">;
  maxWaitMs?: number;
}

/**
 * Imports a source, with a progress bar on a terminal. While another import of the product runs, or is taken for
 * running, it waits; the source is not touched before its own import has begun.
 * @throws {OperatorError} the other import outlasts the patience.
 */
export async function importStock({
  stock,
  productId,
  source,
  stderr,
  maxWaitMs = MAX_WAIT_MS,
}: Options): Promise<ImportResult> {
  const bar = createProgressBar(stderr);
  const lastAttemptMs = Date.now() + maxWaitMs;
  let told = false;
  for (;;) {
    try {
      return await stock.import(productId, source.lines, (counts) =>
        bar.show(share(source), summary(counts)),
      );
    } catch (error) {
      if (!(error instanceof ImportRunningError)) throw error;
      if (Date.now() >= lastAttemptMs) throw tooLong(error);
      if (!told) stderr.write(waiting(error, maxWaitMs));
      told = true;
      await delay(Math.min(error.retryAfterMs + 1, MAX_PAUSE_MS));
    } finally {
      bar.clear();
    }
  }
}

/** The counts as a person reads them. */
export function summary({ imported, duplicates, invalid }: ImportCounts): string {
  const shown = [imported, duplicates, invalid].map((count) => count.toLocaleString("en-US"));
  return `${shown[0]} imported, ${shown[1]} duplicate, ${shown[2]} invalid`;
}

function share({ readBytes, totalBytes }: CodeSource): number | null {
  return totalBytes === null ? null : Math.min(readBytes() / Math.max(totalBytes, 1), 1);
}

function waiting({ facts, retryAfterMs }: ImportRunningError, maxWaitMs: number): string {
  const seconds = (timeMs: number) => Math.ceil(timeMs / 1000);
  return (
    `Another import into this product is running (${facts.segmentId}), or was killed less than ` +
    `${seconds(retryAfterMs)} seconds before it is given up. Waiting for it, at most ${seconds(maxWaitMs)} seconds.\n`
  );
}

function tooLong({ facts }: ImportRunningError): OperatorError {
  return new OperatorError(
    `Another import into this product is still running (${facts.segmentId}); nothing was read or imported.`,
    `wait until it is done, or stop it with: ${PROGRAM_NAME} stock recall ${facts.segmentId} — then run this again.`,
  );
}
