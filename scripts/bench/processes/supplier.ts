import { startSupplierSimulator } from "../../../server/simulators/supplier/supplier-simulator.ts";
import { serveQuestions } from "../child-process.ts";

/** What the supplier sells, at one cent each and without end. */
export interface SupplierSetting {
  readonly productId: string;
}

/** How to reach it. */
export interface SupplierReady {
  readonly url: string;
  readonly apiKey: string;
}

/** How long each purchase takes from now on. */
export interface SupplierQuestion {
  readonly latencyMs: number;
}

/** The supplier simulator in a process of its own; tells how many orders it has. */
await serveQuestions(async ({ productId }: SupplierSetting) => {
  const simulator = await startSupplierSimulator({ products: [{ productId, unitPrice: "0.01" }] });
  return {
    ready: { url: simulator.url, apiKey: simulator.apiKey } satisfies SupplierReady,
    answer: async ({ latencyMs }: SupplierQuestion): Promise<number> => {
      simulator.setLatency(latencyMs);
      return simulator.purchases().size;
    },
  };
});
