import { compose } from "../../../server/compose.ts";
import { loadConfig } from "../../../server/config.ts";
import { serveQuestions } from "../child-process.ts";
import { newCodes } from "../shop.ts";

/** One import into a product that exists. */
export interface ImportQuestion {
  readonly productId: string;
  readonly count: number;
}

/** How an import went. */
export interface ImportAnswer {
  readonly seconds: number;
  /** Resident memory just before the import, and the most while it ran. */
  readonly idleBytes: number;
  readonly peakBytes: number;
}

const SAMPLE_MS = 20;

/** Imports codes in a process of its own, as the operator's command does. */
await serveQuestions(async (environment: Record<string, string>) => {
  const { database, stock } = compose(loadConfig(environment));
  await database.rows("SELECT 1");
  return {
    ready: true,
    answer: async ({ productId, count }: ImportQuestion): Promise<ImportAnswer> => {
      const idleBytes = process.memoryUsage.rss();
      let peakBytes = idleBytes;
      const sampler = setInterval(() => {
        peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
      }, SAMPLE_MS);
      const begin = performance.now();
      const { imported } = await stock.import(productId, newCodes(count));
      const seconds = (performance.now() - begin) / 1000;
      clearInterval(sampler);
      if (imported !== count) throw new Error(`${imported} of ${count} codes were imported.`);
      return { seconds, idleBytes, peakBytes };
    },
  };
});
