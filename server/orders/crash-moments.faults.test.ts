import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished, test } from "vitest";
import { createRandom } from "../simulators/shared/random.ts";
import { startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { faultSeed, scaled } from "../testing/faults/fault-runs.ts";
import {
  createMixedOrders,
  expectMixedOrdersStored,
  type MixedOrder,
  sendMixedOrder,
} from "../testing/faults/mixed-orders.ts";
import type { Answer } from "../testing/request-shop.ts";
import { fastTimingEnvironment, type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { expectSalesToAgree, orderUntilDelivered, waitUntilAllEnded } from "../testing/supplied-orders.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";

const KILLS = scaled(300);
const LANES = Math.min(2, KILLS);
/** After some of a round's orders have been answered, the server is killed within this time. */
const MAX_PAUSE_MS = 25;
const MIN_ORDERS = 20;
const MAX_ORDERS = 50;
/** At most so many of them are sent again. */
const MAX_REPEATED = 15;
/** Whatever is in the way of an order may pass. */
const ANSWERS = [200, 503];
const TIMES = { SUPPLIER_TIMEOUT_MS: "800", ORDER_LEASE_MS: "1700", RECOVERY_INTERVAL_MS: "50" };

test("a server killed at 300 random moments, under orders from stock and on demand, loses and doubles nothing", async () => {
  const seed = faultSeed();
  await Promise.all(
    Array.from({ length: LANES }, (_, lane) =>
      killAgainAndAgain(createRandom(seed + lane), Math.ceil(KILLS / LANES)),
    ),
  );
});

async function killAgainAndAgain(random: () => number, kills: number): Promise<void> {
  const services = await openTestServices();
  const simulator = await startSupplierSimulator();
  const environment = { ...TIMES, ...fastTimingEnvironment() };
  await (await startServer(services, environment)).kill("SIGTERM");
  const next = await createMixedOrders(services, simulator, { most: kills * MAX_ORDERS, random });
  const sent: MixedOrder[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const unanswered = sent.filter(({ bought, persistent }) => persistent && bought === null);
    const count = MIN_ORDERS + Math.floor(random() * (MAX_ORDERS - MIN_ORDERS + 1));
    const repeated = unanswered.slice(0, MAX_REPEATED);
    const fresh = Array.from({ length: count - repeated.length }, next);
    sent.push(...fresh);
    const server = await startServer(services, environment);
    let missing = Math.floor(random() * count);
    const reached = Promise.withResolvers<void>();
    const posting = [...repeated, ...fresh].map(async (order) => {
      await sendMixedOrder(server, order, ANSWERS);
      if (missing === 0) reached.resolve();
      missing -= 1;
    });
    await Promise.race([reached.promise, Promise.all(posting)]);
    await delay(random() * MAX_PAUSE_MS);
    await server.kill("SIGKILL");
    await Promise.all(posting);
  }

  const server = await startServer(services, environment);
  const missing = sent.filter(({ bought, persistent }) => persistent && bought === null);
  await Promise.all(
    missing.map((order) =>
      orderUntilDelivered(async () => required(await sendMixedOrder(server, order, ANSWERS))),
    ),
  );
  await waitUntilAllEnded(services);
  await server.kill("SIGTERM");
  await expectMixedOrdersStored(services, sent);
  await expectSalesToAgree(services, simulator);
  await simulator.close();
  // Ends with the audit.
  await services.dispose();
}

type Environment = Readonly<Record<string, string>>;

/** A server that does not outlive a test that fails. */
async function startServer({ databaseUrl }: TestServices, environment: Environment): Promise<ServerProcess> {
  const server = await startServerProcess(databaseUrl, environment);
  onTestFinished(() => void server.kill("SIGKILL"));
  return server;
}

function required(answer: Answer | null): Answer {
  if (answer === null) throw new Error("The connection broke.");
  return answer;
}
