import type { UpstreamReady } from "./processes/upstream.ts";
import type { Result } from "./result.ts";
import type { Service } from "./service.ts";
import type { BenchShop } from "./shop.ts";

/** What a figure has to work with. */
export interface BenchContext {
  readonly shop: BenchShop;
  readonly service: Service;
  /** What the service forwards calls to models to. */
  readonly upstream: UpstreamReady;
  /** How often everything is measured; the median counts. */
  readonly rounds: number;
  /** How long each measurement takes. */
  readonly seconds: number;
  /** Tells the person who waits what is being done. */
  progress(line: string): void;
}

/** One figure: measures and gives its lines of the table. */
export type Figure = (context: BenchContext) => Promise<Result[]>;
