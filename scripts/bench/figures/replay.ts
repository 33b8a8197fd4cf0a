import { randomUUID } from "node:crypto";
import type { Request } from "autocannon";
import type { Figure } from "../bench-context.ts";
import { startBenchProcess } from "../child-process.ts";
import { timeLoad } from "../cpu-time.ts";
import { CONNECTIONS, sendLoad } from "../load.ts";
import { interleave } from "../measure.ts";
import type { ReplayFloorSetting } from "../processes/replay-floor.ts";
import { compareLoads } from "../result.ts";
import type { Buyer } from "../shop.ts";

const FLOOR = new URL("../processes/replay-floor.ts", import.meta.url);
const TARGET = { atLeast: 0.6 };

interface Delivered {
  readonly buyer: Buyer;
  readonly externalOrderId: string;
  readonly body: string;
}

/** POST /orders that repeats a delivered order, against bare Express with one indexed SELECT. */
export const replay: Figure = async ({ shop, service, rounds, seconds, progress }) => {
  await shop.ensureStock(CONNECTIONS);
  const buyers = shop.buyers.slice(0, CONNECTIONS);
  const delivered = await Promise.all(
    buyers.map((buyer, index) => {
      const productId = shop.productIds[index % shop.productIds.length] as string;
      return buy(`${service.url}/orders`, buyer, productId);
    }),
  );
  const of = (connection: number) => delivered[connection % delivered.length] as Delivered;
  const setting: ReplayFloorSetting = { databaseUrl: shop.databaseUrl, connections: CONNECTIONS };
  const floor = await startBenchProcess<string>(FLOOR, setting);
  const send = (pid: number, url: string, requestsOf: (connection: number) => Request[]) =>
    timeLoad(pid, () => sendLoad(url, seconds, requestsOf));
  const measured = await interleave(rounds, {
    floor: () => {
      progress("one indexed SELECT behind bare Express");
      return send(floor.pid, floor.ready, (connection) => {
        const { buyer, externalOrderId } = of(connection);
        return [{ method: "GET", path: `/orders/${buyer.accountId}/${externalOrderId}` }];
      });
    },
    service: () => {
      progress("repeated orders");
      return send(service.pid, `${service.url}/orders`, (connection) => {
        const { buyer, body } = of(connection);
        return [{ method: "POST", headers: buyer.headers, body }];
      });
    },
  });
  await floor.stop();
  return [
    compareLoads({
      name: "replay",
      unit: "requests/s",
      measured: measured.service,
      floor: measured.floor,
      floorDescription: "bare Express with one indexed SELECT",
      target: TARGET,
    }),
  ];
};

/** Buys a code and makes sure that repeating it gives the same order. */
async function buy(url: string, buyer: Buyer, productId: string): Promise<Delivered> {
  const externalOrderId = randomUUID();
  const body = JSON.stringify({ externalOrderId, productId, qty: 1 });
  for (const reused of [false, true]) {
    const answer = await (await fetch(url, { method: "POST", headers: buyer.headers, body })).json();
    if ((answer as { reused?: boolean }).reused !== reused)
      throw new Error(`An order was not delivered and repeated: ${JSON.stringify(answer)}`);
  }
  return { buyer, externalOrderId, body };
}
