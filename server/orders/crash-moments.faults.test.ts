import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createRandom } from "../../scripts/supplier-simulator/random.ts";
import {
  type SupplierSimulator,
  startSupplierSimulator,
} from "../../scripts/supplier-simulator/supplier-simulator.ts";
import { faultSeed, scaled } from "../testing/fault-runs.ts";
import { quickStartEnvironment, type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { buyPersistently, expectSalesToAgree, waitUntilSettled } from "../testing/supplied-orders.ts";
import { type Answer, callShop, openTestServices, type TestServices } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

const KILLS = scaled(300);
const LANES = Math.min(2, KILLS);
/** After some of a round's orders have been answered, the server is killed within this time. */
const LONGEST_PAUSE_MS = 25;
const FEWEST_ORDERS = 20;
const MOST_ORDERS = 50;
/** At most so many of them are sent again. */
const MOST_REPEATED = 15;
const MOST_CODES_PER_ORDER = 3;
const TIMES = { SUPPLIER_TIMEOUT_MS: "800", ORDER_LEASE_MS: "1700", RECOVERY_INTERVAL_MS: "50" };

/** An order and what is known of it. */
interface Sent {
  readonly key: string;
  readonly body: { readonly externalOrderId: string; readonly productId: string; readonly qty: number };
  /** Whether its buyer sends it until it is delivered, or once. */
  readonly persistent: boolean;
  /** Where it was answered with its codes. */
  bought: Answer["body"] | null;
}

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
  const environment = { ...TIMES, ...quickStartEnvironment() };
  await (await startServer(services, environment)).kill("SIGTERM");
  const next = await newOrders(services, simulator, kills, random);
  const sent: Sent[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const unanswered = sent.filter(({ bought, persistent }) => persistent && bought === null);
    const count = FEWEST_ORDERS + Math.floor(random() * (MOST_ORDERS - FEWEST_ORDERS + 1));
    const repeated = unanswered.slice(0, MOST_REPEATED);
    const fresh = Array.from({ length: count - repeated.length }, next);
    sent.push(...fresh);
    const server = await startServer(services, environment);
    let missing = Math.floor(random() * count);
    const reached = Promise.withResolvers<void>();
    const posting = [...repeated, ...fresh].map(async (order) => {
      await send(server, order);
      if (missing === 0) reached.resolve();
      missing -= 1;
    });
    await Promise.race([reached.promise, Promise.all(posting)]);
    await delay(random() * LONGEST_PAUSE_MS);
    await server.kill("SIGKILL");
    await Promise.all(posting);
  }

  const server = await startServer(services, environment);
  const missing = sent.filter(({ bought, persistent }) => persistent && bought === null);
  await Promise.all(missing.map((order) => buyPersistently(async () => required(await send(server, order)))));
  await waitUntilSettled(services);
  await server.kill("SIGTERM");
  await expectAllThere(services, sent);
  await expectSalesToAgree(services, simulator);
  await simulator.close();
  // Ends with the audit.
  await services.dispose();
}

/** Makes one order after the other, of several accounts, half of them on demand. */
async function newOrders(
  services: TestServices,
  simulator: SupplierSimulator,
  kills: number,
  random: () => number,
): Promise<() => Sent> {
  const codes = kills * MOST_ORDERS * MOST_CODES_PER_ORDER;
  const products = [
    await services.addProduct({ price: "0.50", codes }),
    await addOnDemandProduct(services, { simulator }),
  ];
  const buyers = await Promise.all(
    Array.from({ length: 4 }, async () => services.addKey(await services.addAccount("100000"))),
  );
  const anyOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  let made = 0;
  return () => {
    made += 1;
    const qty = 1 + Math.floor(random() * MOST_CODES_PER_ORDER);
    const body = { externalOrderId: `moment-${made}`, productId: anyOf(products).productId, qty };
    return { key: anyOf(buyers).key, body, persistent: random() < 0.5, bought: null };
  };
}

type Environment = Readonly<Record<string, string>>;

/** A server that does not outlive a test that fails. */
async function startServer({ databaseUrl }: TestServices, environment: Environment): Promise<ServerProcess> {
  const server = await startServerProcess(databaseUrl, environment);
  onTestFinished(() => void server.kill("SIGKILL"));
  return server;
}

/** Sends an order once, and remembers its codes if they come. @returns null when the connection broke. */
async function send(server: ServerProcess, order: Sent): Promise<Answer | null> {
  const { key, body } = order;
  const answer = await callShop(server.baseUrl, "/orders", { key, body }).catch(() => null);
  if (answer === null) return null;
  expect([200, 503], JSON.stringify(answer.body)).toContain(answer.status);
  if (answer.status === 200) order.bought = answer.body;
  return answer;
}

function required(answer: Answer | null): Answer {
  if (answer === null) throw new Error("The connection broke.");
  return answer;
}

/** What was answered with codes is there with these codes; and who has sent an order until it was delivered has got it. */
async function expectAllThere(services: TestServices, sent: readonly Sent[]): Promise<void> {
  for (const { body, persistent, bought } of sent) {
    if (bought === null) expect(persistent, body.externalOrderId).toBe(false);
    else expect(bought.codes).toHaveLength(body.qty);
  }
  const answered = sent.flatMap(({ bought }) => (bought === null ? [] : [bought]));
  const codes = answered.flatMap((bought) => bought.codes);
  expect(new Set(codes).size).toBe(codes.length);
  for (const bought of answered) {
    const { accountId } = await services.orders.find(bought.orderId);
    const { status, codes, redeemUrl } = await services.orders.get(accountId, bought.orderId);
    expect({ status, codes, redeemUrl }).toEqual({
      status: "delivered",
      codes: bought.codes,
      redeemUrl: bought.redeemUrl,
    });
  }
}
