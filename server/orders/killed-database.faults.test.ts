import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createRandom } from "../simulators/shared/random.ts";
import { startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { startKillableDatabase } from "../testing/database/killable-database.ts";
import { faultSeed, scaled } from "../testing/faults/fault-runs.ts";
import {
  createMixedOrders,
  expectMixedOrdersStored,
  type MixedOrder,
  sendMixedOrder,
} from "../testing/faults/mixed-orders.ts";
import type { Answer } from "../testing/request-shop.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { expectSalesToAgree, orderUntilDelivered, waitUntilAllEnded } from "../testing/supplied-orders.ts";
import { openTestServicesOn } from "../testing/test-shop.ts";

const KILLS = scaled(20);
const WORKERS = 24;
const MAX_ORDERS = 1_000 * KILLS;
/** So many orders are delivered, at the most, between a restart and the next kill. */
const MAX_DELIVERED = 200;
const MAX_PAUSE_MS = 100;
/** While the database is away, orders are refused faster than they could be placed. */
const MIN_PAUSE_MS = 10;
const MAX_WAIT_MS = 3 * 60_000;
const TIMES = { SUPPLIER_TIMEOUT_MS: "800", ORDER_LEASE_MS: "1700", RECOVERY_INTERVAL_MS: "50" };
/** A shop whose database is away can only say that something unexpected went wrong. */
const ANSWERS = [200, 500, 503];

test("a database killed 20 times under orders from stock and on demand has every order that was answered", async () => {
  const random = createRandom(faultSeed());
  const killable = await startKillableDatabase();
  const { url, dispose } = killable;
  const services = openTestServicesOn({ url, tcpUrl: url, drop: dispose });
  const simulator = await startSupplierSimulator();
  const next = await createMixedOrders(services, simulator, { most: MAX_ORDERS, random });
  const server = await startServerProcess(url, TIMES);
  onTestFinished(() => void server.kill("SIGKILL"));

  const sent: MixedOrder[] = [];
  let done = false;
  const workers = Array.from({ length: WORKERS }, async () => {
    while (!done) {
      const order = next();
      sent.push(order);
      await buy(server, order);
    }
  });
  const delivered = () => sent.filter(({ bought }) => bought !== null).length;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const enough = delivered() + Math.floor(random() * MAX_DELIVERED);
    await expect.poll(delivered, { interval: 1, timeout: MAX_WAIT_MS }).toBeGreaterThanOrEqual(enough);
    await delay(random() * MAX_PAUSE_MS);
    await killable.kill();
    await killable.restart();
  }
  done = true;
  await Promise.all(workers);
  await waitUntilAllEnded(services, MAX_WAIT_MS);
  await server.kill("SIGTERM");
  expect(delivered()).toBeGreaterThan(0);
  await expectMixedOrdersStored(services, sent);
  await expectSalesToAgree(services, simulator);
  await simulator.close();
  // Ends with the audit.
  await services.dispose();
});

/** A persistent buyer goes on until the order is delivered. */
async function buy(server: ServerProcess, order: MixedOrder): Promise<void> {
  const send = (): Promise<Answer | null> => sendMixedOrder(server, order, ANSWERS);
  if (!order.persistent) {
    await send();
    return delay(MIN_PAUSE_MS);
  }
  const isFinal = ({ status }: Answer) => status === 200;
  await orderUntilDelivered(
    async () => {
      const answer = await send();
      if (answer === null) throw new Error("The connection broke.");
      return answer;
    },
    { isFinal, maxWaitMs: MAX_WAIT_MS },
  );
}
