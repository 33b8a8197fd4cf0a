import { randomUUID } from "node:crypto";
import { serviceNodeOptions } from "../../../server/setup/service-node-options.mjs";
import type { BenchContext, Figure } from "../bench-context.ts";
import { startBenchProcess } from "../child-process.ts";
import { afterSeconds, type Step, timeInTurn } from "../load.ts";
import type { ImportAnswer, ImportQuestion } from "../processes/code-import.ts";
import { absolute, compare, type Result } from "../result.ts";
import type { Buyer } from "../shop.ts";

const IMPORT = new URL("../processes/code-import.ts", import.meta.url);
const MANY_CODES = 1_000_000;
const FEW_CODES = 1_000;
const GROWTH_TARGET = { atMost: 1.3 };
const IMPORT_TARGET = { atLeast: 20_000 };
const MEMORY_TARGET = { atMost: 150 };
const BYTES_PER_MB = 1_000_000;

/** Importing a million codes; then availability and one order with a million codes in the product and with a thousand. */
export const stock: Figure = async (context) => {
  const { shop } = context;
  const few = await shop.addProduct("few-codes");
  const many = await shop.addProduct("many-codes");
  await shop.addCodes(few, FEW_CODES);
  const imported = await importMany(context, many);
  const buyer = shop.buyers[0] as Buyer;
  return [
    ...(await compareAvailability(context, buyer, many, few)),
    ...(await compareOrders(context, buyer, many, few)),
    ...imported,
  ];
};

async function importMany({ shop, progress }: BenchContext, productId: string): Promise<Result[]> {
  progress(`importing ${MANY_CODES} codes`);
  const process = await startBenchProcess<true>(IMPORT, shop.environment, serviceNodeOptions);
  const question: ImportQuestion = { productId, count: MANY_CODES };
  const { seconds, idleBytes, peakBytes } = await process.ask<ImportAnswer>(question);
  await process.stop();
  return [
    absolute({
      name: "stock, import",
      unit: "codes/s",
      measured: MANY_CODES / seconds,
      target: IMPORT_TARGET,
    }),
    absolute({
      name: "stock, memory of the import above idle",
      unit: "MB",
      measured: (peakBytes - idleBytes) / BYTES_PER_MB,
      target: MEMORY_TARGET,
      notes: { idleMB: Math.round(idleBytes / BYTES_PER_MB) },
    }),
  ];
}

async function compareAvailability(context: BenchContext, buyer: Buyer, many: string, few: string) {
  const { service, seconds, progress } = context;
  const step = (productId: string): Step => ({
    url: `${service.url}/products/${productId}/availability?qty=10`,
    headers: buyer.headers,
  });
  return compareSizes(context, "stock, availability", { many: step(many), few: step(few) }, () => {
    progress("availability with few and with many codes");
    return afterSeconds(seconds);
  });
}

async function compareOrders(context: BenchContext, buyer: Buyer, many: string, few: string) {
  const { service, rounds, progress } = context;
  // The rounds and the one that warms up leave half of the few codes unsold.
  const ordersPerRound = Math.floor(FEW_CODES / 2 / (rounds + 1));
  const step = (productId: string): Step => ({
    url: `${service.url}/orders`,
    method: "POST",
    headers: buyer.headers,
    next: () => JSON.stringify({ externalOrderId: randomUUID(), productId, qty: 1 }),
  });
  return compareSizes(context, "stock, one order", { many: step(many), few: step(few) }, () => {
    progress("one order with few and with many codes");
    return (orders) => orders >= ordersPerRound;
  });
}

async function compareSizes(
  { rounds }: BenchContext,
  name: string,
  steps: Readonly<Record<"many" | "few", Step>>,
  beginRound: () => (repetitions: number) => boolean,
): Promise<Result[]> {
  const times: Record<"many" | "few", number>[] = [];
  for (let round = 0; round <= rounds; round += 1) times.push(await timeInTurn(steps, beginRound()));
  const counted = times.slice(1);
  return [
    compare({
      name: `${name}, ${MANY_CODES.toLocaleString("en")} codes`,
      unit: "ms",
      measured: counted.map((time) => time.many),
      floor: counted.map((time) => time.few),
      floorDescription: `the same with ${FEW_CODES.toLocaleString("en")} codes`,
      target: GROWTH_TARGET,
    }),
  ];
}
