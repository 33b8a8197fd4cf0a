import { randomUUID } from "node:crypto";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { addModels, ask } from "../test-ai-proxy.ts";
import type { TestServices } from "../test-shop.ts";

/** About a second, event by event. */
const STREAM_MODEL = "sim-slow-tokens-20";
const STREAM_TEXT = "word ".repeat(50);
const MESSAGE_MODEL = "sim-echo";
/** Most clients ask again at once, some after a while in which their connection is kept. */
const MAX_PAUSE_MS = 10;
const MAX_LONG_PAUSE_MS = 200;
const LONG_PAUSE_EVERY = 4;

/** Who buys and calls, and what. */
export interface Buyer {
  readonly orderingKey: string;
  readonly generalKey: string;
  readonly productId: string;
}

/** A buyer with money and stock for a load. */
export async function addBuyer(services: TestServices, codes: number): Promise<Buyer> {
  const accountId = await services.addAccount("1000000");
  const { productId } = await services.addProduct({ price: "0.01", codes });
  await addModels(services, [STREAM_MODEL, MESSAGE_MODEL]);
  const [ordering, general] = [await services.addKey(accountId), await services.addKey(accountId, "general")];
  return { productId, orderingKey: ordering.key, generalKey: general.key };
}

/** What came of a load so far. */
export interface LoadReport {
  /** Requests that were answered with 200, to the end. */
  readonly answered: number;
  /** Requests that were told to come again later. */
  readonly refused: number;
  /** Everything else: connections that were reset or refused, streams that were cut, other answers. */
  readonly failures: readonly string[];
}

/** Clients that keep a shop busy until they are stopped. */
export interface Load {
  report(): LoadReport;
  stop(): Promise<LoadReport>;
}

interface LoadOptions {
  readonly buyer: Buyer;
  /** Where a client is to go that has no open connection, such as `http://127.0.0.1:8080`. */
  readonly origin: () => string;
  readonly clients?: number;
}

/**
 * Starts clients that order, read their balance, and call models, as JSON and as streams. Each has one connection, which it
 * keeps for as long as the other side does.
 */
export function startLoad({ buyer, origin, clients = 16 }: LoadOptions): Load {
  const state = { answered: 0, refused: 0, failures: [] as string[], isStopped: false };
  const exchanges = exchangesOf(buyer);
  const running = Array.from({ length: clients }, (_, index) => runClient(index));

  async function runClient(index: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let at = origin();
    for (let round = index; !state.isStopped; round += 1) {
      if (Object.keys(agent.freeSockets).length === 0) at = origin();
      await askOnce(agent, at, exchanges[round % exchanges.length] as Exchange);
      const isLong = round % LONG_PAUSE_EVERY === 0;
      await delay(Math.random() * (isLong ? MAX_LONG_PAUSE_MS : MAX_PAUSE_MS));
    }
    agent.destroy();
  }

  async function askOnce(agent: Agent, at: string, { name, path, key, body, isWhole }: Exchange) {
    try {
      const { statusCode = 0, headers, content } = await exchange(agent, at + path, key, body?.());
      if (statusCode === 503 && headers["retry-after"] !== undefined) state.refused += 1;
      else if (statusCode === 200 && isWhole(content)) state.answered += 1;
      else state.failures.push(`${name}: ${statusCode} ${content.slice(-300)}`);
    } catch (error) {
      state.failures.push(`${name}: ${error}`);
    }
  }

  const report = () => ({ answered: state.answered, refused: state.refused, failures: state.failures });
  return {
    report,
    async stop() {
      state.isStopped = true;
      await Promise.all(running);
      return report();
    },
  };
}

interface Exchange {
  readonly name: string;
  readonly path: string;
  readonly key: string;
  readonly body?: () => object;
  readonly isWhole: (content: string) => boolean;
}

function exchangesOf({ orderingKey, generalKey, productId }: Buyer): readonly Exchange[] {
  const order = () => ({ externalOrderId: randomUUID(), productId, qty: 1 });
  const has = (part: string) => (content: string) => content.includes(part);
  const orders = {
    name: "order",
    path: "/shop/v1/orders",
    key: orderingKey,
    body: order,
    isWhole: has("CODE-"),
  };
  const balance = { name: "balance", path: "/shop/v1/balance", key: orderingKey, isWhole: has("balance") };
  const calls = { path: "/v1/messages", key: generalKey };
  const message = {
    ...calls,
    name: "message",
    body: () => ask("one", MESSAGE_MODEL),
    isWhole: has('"usage"'),
  };
  const streamed = () => ({ ...ask(STREAM_TEXT, STREAM_MODEL), stream: true });
  const stream = { ...calls, name: "stream", body: streamed, isWhole: has("event: message_stop") };
  return [orders, balance, orders, message, orders, balance, orders, message, orders, stream];
}

/** One request on the connection of an agent. Rejects when it breaks. */
function exchange(agent: Agent, url: string, key: string, body: object | undefined) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = {
    authorization: `Bearer ${key}`,
    "anthropic-version": "2023-06-01",
    "content-type": "application/json",
  };
  request(url, { agent, method: body === undefined ? "GET" : "POST", headers }, resolve)
    .on("error", reject)
    .end(body === undefined ? undefined : JSON.stringify(body));
  return promise.then(async (response) => {
    const { statusCode, headers: given } = response;
    return { statusCode, headers: given, content: await text(response) };
  });
}
