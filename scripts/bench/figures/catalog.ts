import type { Figure } from "../bench-context.ts";
import { startBenchProcess } from "../child-process.ts";
import { timeLoad } from "../cpu-time.ts";
import { sendLoad } from "../load.ts";
import { interleave } from "../measure.ts";
import { compareLoads } from "../result.ts";
import type { Buyer } from "../shop.ts";

const FLOOR = new URL("../processes/catalog-floor.ts", import.meta.url);
const TARGET = { atLeast: 0.4 };

/** GET /products with authentication, another account on each connection, against bare Express sending the same bytes. */
export const catalog: Figure = async ({ shop, service, rounds, seconds, progress }) => {
  const buyerOf = (connection: number) => shop.buyers[connection % shop.buyers.length] as Buyer;
  const answer = await fetch(`${service.url}/products`, { headers: buyerOf(0).headers });
  const body = await answer.text();
  const floor = await startBenchProcess<string>(FLOOR, { body });
  const load = (pid: number, url: string) =>
    timeLoad(pid, () =>
      sendLoad(url, seconds, (connection) => [{ method: "GET", headers: buyerOf(connection).headers }]),
    );
  const measured = await interleave(rounds, {
    floor: () => {
      progress("the catalog's bytes from bare Express");
      return load(floor.pid, `${floor.ready}/products`);
    },
    service: () => {
      progress("the catalog");
      return load(service.pid, `${service.url}/products`);
    },
  });
  await floor.stop();
  return [
    compareLoads({
      name: `catalog, ${shop.productIds.length} products`,
      unit: "requests/s",
      measured: measured.service,
      floor: measured.floor,
      floorDescription: "bare Express sending the same bytes",
      target: TARGET,
      notes: { bytes: Buffer.byteLength(body) },
    }),
  ];
};
