// A program: a buyer who orders one code after the other over some connections. It reads `OrderingInput` as JSON from its stdin,
// and prints how long each order took, in milliseconds, as JSON.
import { randomUUID } from "node:crypto";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { requestShop } from "../../../server/testing/request-shop.ts";

/** What the program is told. */
export interface OrderingInput {
  readonly baseUrl: string;
  readonly key: string;
  readonly productId: string;
  readonly orders: number;
}

const CONNECTIONS = 4;
/** Until this program and its connections are as they will be. */
const WARM_UP_ORDERS = 100;
/** Between two orders, so that it is not this buyer who keeps the shop busy. */
const PAUSE_MS = 5;

const { baseUrl, key, productId, orders } = (await json(process.stdin)) as OrderingInput;
const times: number[] = [];
let begun = 0;
async function order(): Promise<void> {
  while (begun < WARM_UP_ORDERS + orders) {
    begun += 1;
    const isCounted = begun > WARM_UP_ORDERS;
    const body = { externalOrderId: randomUUID(), productId, qty: 1 };
    const startedMs = performance.now();
    const { status, text } = await requestShop(baseUrl, "/orders", { key, body });
    if (status !== 200) throw new Error(`An order was answered ${status}: ${text}`);
    if (isCounted) times.push(performance.now() - startedMs);
    await delay(PAUSE_MS);
  }
}
await Promise.all(Array.from({ length: CONNECTIONS }, order));
console.log(JSON.stringify(times));
