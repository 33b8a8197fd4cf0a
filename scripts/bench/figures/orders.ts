import { randomUUID } from "node:crypto";
import type { Request } from "autocannon";
import type { BenchContext, Figure } from "../bench-context.ts";
import { type BenchProcess, startBenchProcess } from "../child-process.ts";
import { type Load, type TimedLoad, timeLoad } from "../cpu-time.ts";
import { CONNECTIONS, sendLoad } from "../load.ts";
import { interleave, type Measurement, median } from "../measure.ts";
import type { OrderFloorQuestion, OrderFloorSetting } from "../processes/order-floor.ts";
import { compareLoads, type Result } from "../result.ts";
import { type BenchShop, type Buyer, PRICE_MICROCENTS } from "../shop.ts";

const FLOOR = new URL("../processes/order-floor.ts", import.meta.url);
const FLOOR_DESCRIPTION = "the same SQL from a bare mysql2 script";
const TARGET = { atLeast: 0.5 };
/** What is put in stock before a measurement: twice what the one before it sold, and no less than this. */
const MIN_STOCK_PER_SECOND = 12_000;
const STOCK_MARGIN = 2;

/** POST /orders, one code each, against the same statements without a service: many accounts, then one. */
export const orders: Figure = async (context) => {
  const { shop, rounds } = context;
  const setting: OrderFloorSetting = {
    databaseUrl: shop.databaseUrl,
    connections: CONNECTIONS,
    productIds: shop.productIds,
    amountMicrocents: Number(PRICE_MICROCENTS),
  };
  const floor = await startBenchProcess<true>(FLOOR, setting);
  const many = sidesOf(context, floor, shop.buyers);
  const one = sidesOf(context, floor, shop.buyers.slice(0, 1));
  const measured = await interleave(rounds, {
    manyFloor: many.floor.measure,
    manyService: many.service.measure,
    oneFloor: one.floor.measure,
    oneService: one.service.measure,
  });
  await floor.stop();
  return [
    toResult(`orders, ${shop.buyers.length} accounts`, measured.manyService, measured.manyFloor, many),
    toResult("orders, one hot account", measured.oneService, measured.oneFloor, one),
  ];
};

/** A side of the comparison, with the statements that the database ran for one order in each round. */
interface CountedSide {
  readonly measure: Measurement<TimedLoad>;
  readonly statementsPerOrder: number[];
}

function sidesOf(context: BenchContext, floor: BenchProcess<true>, buyers: readonly Buyer[]) {
  const { service, shop, seconds } = context;
  const purchases = purchasesOf(shop, buyers);
  const question: OrderFloorQuestion = { buyers, seconds };
  return {
    service: counted(context, `orders of ${buyers.length} accounts over HTTP`, service.pid, () =>
      sendLoad(`${service.url}/orders`, seconds, () => [purchases]),
    ),
    floor: counted(context, `orders of ${buyers.length} accounts by bare SQL`, floor.pid, () =>
      floor.ask(question),
    ),
  };
}

/** A request that is another purchase whenever it is sent. */
function purchasesOf({ productIds }: BenchShop, buyers: readonly Buyer[]): Request {
  let sent = 0;
  return {
    method: "POST",
    setupRequest: (request) => {
      const { headers } = pick(buyers, sent);
      const body = JSON.stringify({
        externalOrderId: randomUUID(),
        productId: pick(productIds, sent),
        qty: 1,
      });
      sent += 1;
      return { ...request, headers: { ...headers }, body };
    },
  };
}

function counted(
  { shop, seconds, progress }: BenchContext,
  name: string,
  pid: number,
  load: Measurement<Load>,
): CountedSide {
  const statementsPerOrder: number[] = [];
  let perSecond = 0;
  return {
    statementsPerOrder,
    measure: async () => {
      await shop.ensureStock(Math.max(MIN_STOCK_PER_SECOND, perSecond * STOCK_MARGIN) * seconds);
      progress(name);
      const before = await statementsRun(shop);
      const timed = await timeLoad(pid, load);
      statementsPerOrder.push(((await statementsRun(shop)) - before) / timed.count);
      perSecond = timed.perSecond;
      return timed;
    },
  };
}

async function statementsRun({ services }: BenchShop): Promise<number> {
  const [row] = await services.database.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Questions'");
  return Number(row?.Value);
}

function toResult(
  name: string,
  measured: readonly TimedLoad[],
  floor: readonly TimedLoad[],
  sides: { service: CountedSide; floor: CountedSide },
): Result {
  const notes = {
    statementsPerOrder: round(median(sides.service.statementsPerOrder)),
    floorStatementsPerOrder: round(median(sides.floor.statementsPerOrder)),
  };
  return compareLoads({
    name,
    unit: "orders/s",
    measured,
    floor,
    floorDescription: FLOOR_DESCRIPTION,
    target: TARGET,
    notes,
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function pick<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T;
}
