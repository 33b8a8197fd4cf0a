import { randomUUID } from "node:crypto";
import { createOrderingClient } from "../../../client/ordering-client.ts";
import { serveQuestions } from "../child-process.ts";
import type { Load } from "../cpu-time.ts";
import type { SupplierReady } from "./supplier.ts";

/** What the floor buys, and where. */
export interface OnDemandFloorSetting extends SupplierReady {
  readonly productId: string;
  readonly connections: number;
}

/** How long it buys. */
export interface OnDemandFloorQuestion {
  readonly seconds: number;
}

/** The floor of `on-demand`: the bare client at the supplier, as many at once as the service has connections. */
await serveQuestions(async ({ url, apiKey, productId, connections }: OnDemandFloorSetting) => {
  const client = createOrderingClient({ baseUrl: url, apiKey });
  return {
    ready: true,
    answer: async ({ seconds }: OnDemandFloorQuestion): Promise<Load> => {
      const end = performance.now() + seconds * 1000;
      let bought = 0;
      const buy = async () => {
        while (performance.now() < end) {
          const body = { externalOrderId: randomUUID(), productId, qty: 1, expectedUnitPrice: "0.01" };
          const { data } = await client.POST("/orders", { body });
          if (data?.codes.length !== 1) throw new Error("The supplier did not deliver.");
          bought += 1;
        }
      };
      await Promise.all(Array.from({ length: connections }, buy));
      return { count: bought, perSecond: bought / seconds };
    },
  };
});
