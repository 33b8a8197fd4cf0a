import { createOrderingClient } from "../../client/ordering-client.ts";
import { createOrderingAdapter, type SupplierTimeouts } from "../suppliers/ordering-adapter.ts";
import { sendRequest } from "../suppliers/send-request.ts";
import type { SupplierAdapter } from "../suppliers/supplier.ts";
import { type BreakerSettings, createTransport, type Transport } from "../suppliers/transport.ts";

/** For tests: the adapter of a supplier at some address, with a breaker and limits that stay out of the way. */
export function connectToSupplier(
  { url, apiKey = "key" }: { readonly url: string; readonly apiKey?: string },
  {
    timeouts = { purchaseMs: 120_000, readMs: 120_000 },
    breaker = { consecutiveFailures: 1_000, halfOpenAfterMs: 1_000 },
  }: { readonly timeouts?: SupplierTimeouts; readonly breaker?: BreakerSettings } = {},
): { readonly adapter: SupplierAdapter; readonly transport: Transport } {
  const transport = createTransport(breaker);
  const client = createOrderingClient({ baseUrl: url, apiKey, send: sendRequest });
  return { adapter: createOrderingAdapter({ client, transport, timeouts }), transport };
}
