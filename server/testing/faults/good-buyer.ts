// A program: a buyer who orders a code, calls a model and looks at the balance by turns, and is to be answered rightly each
// time. It reads `{baseUrl, key, callKey, productId, requests, ms}` as JSON from its stdin: at least so many requests, and
// at least for so long. At its end it prints how long each took, in milliseconds, as JSON.
import { randomUUID } from "node:crypto";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { requestShop } from "../request-shop.ts";

/** Until this program and its connections are as they will be. */
const WARM_UP_REQUESTS = 12;
/** Between two requests, so that the buyer is not what keeps the shop busy. */
const PAUSE_MS = 10;

/** What the program is told. */
export interface GoodBuyerInput {
  readonly baseUrl: string;
  readonly key: string;
  readonly callKey: string;
  readonly productId: string;
  readonly requests: number;
  readonly ms: number;
}

const { baseUrl, key, callKey, productId, requests, ms } = (await json(process.stdin)) as GoodBuyerInput;
const { origin } = new URL(baseUrl);
const message = { model: "sim-echo", max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };
const kinds = [
  () => requestShop(baseUrl, "/orders", { key, body: { externalOrderId: randomUUID(), productId, qty: 1 } }),
  () =>
    requestShop(origin, "/v1/messages", {
      key: callKey,
      headers: { "anthropic-version": "2023-06-01" },
      body: message,
    }),
  () => requestShop(baseUrl, "/balance", { key }),
];

async function timeOf(request: (typeof kinds)[number]): Promise<number> {
  const startedMs = performance.now();
  const { status, text } = await request();
  if (status !== 200) throw new Error(`The good buyer was answered ${status}: ${text}`);
  return performance.now() - startedMs;
}

const times: number[] = [];
const endMs = performance.now() + ms;
for (let count = -WARM_UP_REQUESTS; count < requests || performance.now() < endMs; count += 1) {
  const time = await timeOf(kinds[(count + WARM_UP_REQUESTS) % kinds.length] as (typeof kinds)[number]);
  if (count >= 0) times.push(time);
  await delay(PAUSE_MS);
}
console.log(JSON.stringify(times));
