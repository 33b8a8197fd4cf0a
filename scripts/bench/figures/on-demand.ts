import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Request } from "autocannon";
import type { BenchContext, Figure } from "../bench-context.ts";
import { type BenchProcess, startBenchProcess } from "../child-process.ts";
import { type Load, timeLoad } from "../cpu-time.ts";
import { sendLoad } from "../load.ts";
import { interleave } from "../measure.ts";
import type { OnDemandFloorQuestion, OnDemandFloorSetting } from "../processes/on-demand-floor.ts";
import type { SupplierQuestion, SupplierReady, SupplierSetting } from "../processes/supplier.ts";
import { absolute, compareLoads, type Result } from "../result.ts";
import type { Buyer } from "../shop.ts";

const SUPPLIER = new URL("../processes/supplier.ts", import.meta.url);
const FLOOR = new URL("../processes/on-demand-floor.ts", import.meta.url);
const PRODUCT_ID = "on-demand";
const CONNECTIONS = 64;
const LATENCY_MS = 20;
const RATE_TARGET = { atLeast: 0.5 };
const IN_FLIGHT = 2_000;
const IN_FLIGHT_LATENCY_MS = 8_000;
const MEMORY_TARGET = { atMost: 100 };
const SAMPLE_MS = 50;
const BYTES_PER_MB = 1_000_000;

/** POST /orders of a product that is bought from a supplier meanwhile, and the memory of many such orders at once. */
export const onDemand: Figure = async (context) => {
  const { shop } = context;
  const setting: SupplierSetting = { productId: PRODUCT_ID };
  const supplier = await startBenchProcess<SupplierReady>(SUPPLIER, setting);
  await shop.addOnDemandProduct(PRODUCT_ID, supplier.ready);
  const results = [await compareRates(context, supplier), await measureMemory(context, supplier)];
  await supplier.stop();
  return results;
};

async function compareRates(context: BenchContext, supplier: BenchProcess<SupplierReady>): Promise<Result> {
  const { service, shop, rounds, seconds, progress } = context;
  const setting: OnDemandFloorSetting = {
    ...supplier.ready,
    productId: PRODUCT_ID,
    connections: CONNECTIONS,
  };
  const floor = await startBenchProcess<true>(FLOOR, setting);
  await supplier.ask<number>({ latencyMs: LATENCY_MS } satisfies SupplierQuestion);
  const purchases = purchasesOf(shop.buyers);
  const measured = await interleave(rounds, {
    floor: async () => {
      progress("the bare client at the supplier");
      return timeLoad(floor.pid, () => floor.ask<Load>({ seconds } satisfies OnDemandFloorQuestion));
    },
    service: async () => {
      progress("orders over HTTP");
      return timeLoad(service.pid, () =>
        sendLoad(`${service.url}/orders`, seconds, () => [purchases], CONNECTIONS),
      );
    },
  });
  await floor.stop();
  return compareLoads({
    name: `on-demand, supplier of ${LATENCY_MS} ms`,
    unit: "orders/s",
    measured: measured.service,
    floor: measured.floor,
    floorDescription: "the bare client at the supplier",
    target: RATE_TARGET,
    notes: { connections: CONNECTIONS },
  });
}

/** How much memory the service takes while the supplier is busy with 2,000 purchases. */
async function measureMemory(context: BenchContext, supplier: BenchProcess<SupplierReady>): Promise<Result> {
  const { service, shop, progress } = context;
  progress(`${IN_FLIGHT} purchases in flight`);
  await supplier.ask<number>({ latencyMs: IN_FLIGHT_LATENCY_MS } satisfies SupplierQuestion);
  const idleBytes = await service.residentBytes();
  const orders = Promise.all(
    Array.from({ length: IN_FLIGHT }, async (_, index) => {
      const { headers } = shop.buyers[index % shop.buyers.length] as Buyer;
      const answer = await fetch(`${service.url}/orders`, { method: "POST", headers, body: purchase() });
      await answer.text();
      return answer.status;
    }),
  );
  let settled = false;
  let peakBytes = idleBytes;
  const statuses = orders.finally(() => {
    settled = true;
  });
  while (!settled) {
    peakBytes = Math.max(peakBytes, await service.residentBytes());
    await delay(SAMPLE_MS);
  }
  if ((await statuses).some((status) => status !== 200))
    throw new Error("An order in flight was not delivered.");
  return absolute({
    name: `on-demand, memory of ${IN_FLIGHT.toLocaleString("en")} in flight above idle`,
    unit: "MB",
    measured: (peakBytes - idleBytes) / BYTES_PER_MB,
    target: MEMORY_TARGET,
    notes: { idleMB: Math.round(idleBytes / BYTES_PER_MB) },
  });
}

/** A request that is another purchase whenever it is sent. */
function purchasesOf(buyers: readonly Buyer[]): Request {
  let sent = 0;
  return {
    method: "POST",
    setupRequest: (request) => {
      const { headers } = buyers[sent % buyers.length] as Buyer;
      sent += 1;
      return { ...request, headers: { ...headers }, body: purchase() };
    },
  };
}

function purchase(): string {
  return JSON.stringify({ externalOrderId: randomUUID(), productId: PRODUCT_ID, qty: 1 });
}
