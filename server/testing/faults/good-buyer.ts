// A program: a buyer who orders codes, calls a model and looks at the balance, each on and on beside the others, and is to be
// answered rightly each time. It reads `{baseUrl, key, callKey, productId, requests, ms}` as JSON from its stdin: at least so
// many requests of each kind, and at least for so long. At its end it prints how long each request of each kind took, in
// milliseconds, as JSON.
import { randomUUID } from "node:crypto";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { requestShop } from "../request-shop.ts";

/** Of each kind, until this program, its connections and what the shop makes at the first requests are as they will be. */
const WARM_UP_REQUESTS = 50;
/** Between two requests of a kind, so that the buyer is not what keeps the shop busy. */
const PAUSE_MS = 30;

/** What the program is told. */
export interface GoodBuyerInput {
  readonly baseUrl: string;
  readonly key: string;
  readonly callKey: string;
  readonly productId: string;
  readonly requests: number;
  readonly ms: number;
}

/** What the program prints: how long each request took, in milliseconds. */
export type GoodBuyerTimes = Record<"order" | "call" | "balance", number[]>;

const { baseUrl, key, callKey, productId, requests, ms } = (await json(process.stdin)) as GoodBuyerInput;
const { origin } = new URL(baseUrl);
const message = { model: "sim-echo", max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };
const kinds = {
  order: () =>
    requestShop(baseUrl, "/orders", { key, body: { externalOrderId: randomUUID(), productId, qty: 1 } }),
  call: () =>
    requestShop(origin, "/v1/messages", {
      key: callKey,
      headers: { "anthropic-version": "2023-06-01" },
      body: message,
    }),
  balance: () => requestShop(baseUrl, "/balance", { key }),
};

async function timeOf(kind: keyof GoodBuyerTimes): Promise<number> {
  const startedMs = performance.now();
  const { status, text } = await kinds[kind]();
  if (status !== 200) throw new Error(`The good buyer was answered ${status}: ${text}`);
  return performance.now() - startedMs;
}

async function timesOf(kind: keyof GoodBuyerTimes): Promise<number[]> {
  for (let count = 0; count < WARM_UP_REQUESTS; count += 1) await timeOf(kind);
  const times: number[] = [];
  const endMs = performance.now() + ms;
  while (times.length < requests || performance.now() < endMs) {
    times.push(await timeOf(kind));
    await delay(PAUSE_MS);
  }
  return times;
}

const [order, call, balance] = await Promise.all([timesOf("order"), timesOf("call"), timesOf("balance")]);
console.log(JSON.stringify({ order, call, balance } satisfies GoodBuyerTimes));
