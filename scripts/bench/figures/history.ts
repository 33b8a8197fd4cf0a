import { randomUUID } from "node:crypto";
import type { OrderRequest } from "../../../server/orders/rules.ts";
import type { BenchContext, Figure } from "../bench-context.ts";
import { afterSeconds, type Step, timeInTurn } from "../load.ts";
import { compare } from "../result.ts";
import type { BenchShop, Buyer } from "../shop.ts";

const MANY_ORDERS = 200_000;
const FEW_ORDERS = 1_000;
const TARGET = { atMost: 1.3 };
/** So small that a thousand orders have a hundredth page. */
const PAGE_SIZE = 10;
const DEEP_PAGE = 100;
const BATCH_ORDERS = 500;
const BATCHES_AT_ONCE = 4;

/** The first and the hundredth page of GET /orders, of an account with 200,000 orders and of one with 1,000. */
export const history: Figure = async (context) => {
  const { shop, rounds, seconds, progress } = context;
  const [many, few] = [await shop.addBuyer(), await shop.addBuyer()];
  progress(`placing ${MANY_ORDERS + FEW_ORDERS} orders`);
  await shop.ensureStock(MANY_ORDERS + FEW_ORDERS + BATCH_ORDERS * shop.productIds.length);
  await placeMany(context, many, MANY_ORDERS);
  await placeMany(context, few, FEW_ORDERS);
  const steps = {
    firstOfFew: await pageOf(context, few, 1),
    firstOfMany: await pageOf(context, many, 1),
    deepOfFew: await pageOf(context, few, DEEP_PAGE),
    deepOfMany: await pageOf(context, many, DEEP_PAGE),
  };
  const times: Record<keyof typeof steps, number>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    progress("pages of few and of many orders");
    times.push(await timeInTurn(steps, afterSeconds(seconds)));
  }
  const line = (page: string, measured: keyof typeof steps, floor: keyof typeof steps) =>
    compare({
      name: `history, ${page} page, ${MANY_ORDERS.toLocaleString("en")} orders`,
      unit: "ms",
      measured: times.slice(1).map((time) => time[measured]),
      floor: times.slice(1).map((time) => time[floor]),
      floorDescription: `the same with ${FEW_ORDERS.toLocaleString("en")} orders`,
      target: TARGET,
    });
  return [line("first", "firstOfMany", "firstOfFew"), line("100th", "deepOfMany", "deepOfFew")];
};

/** Places orders through the use case, several hundred in a transaction. */
async function placeMany({ shop }: BenchContext, buyer: Buyer, count: number): Promise<void> {
  let left = count;
  let batches = 0;
  const place = async () => {
    while (left > 0) {
      const size = Math.min(left, BATCH_ORDERS);
      left -= size;
      // Batches that run at once take different products, so that none waits for the other's stock.
      await placeBatch(shop, buyer, shop.productIds[batches++ % shop.productIds.length] as string, size);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, place));
}

async function placeBatch(
  { services }: BenchShop,
  { accountId, keyId }: Buyer,
  productId: string,
  size: number,
): Promise<void> {
  const requests = Array.from({ length: size }, (): OrderRequest => {
    const caps = { orderCapMicrocents: null, dailyCapMicrocents: null };
    const caller = {
      keyId,
      accountId,
      kind: "product_ordering" as const,
      rpmLimit: 1,
      callsInFlightLimit: null,
      lowersMaxTokens: false,
      ...caps,
    };
    return { caller, externalOrderId: randomUUID(), productId, qty: 1, expectedUnitPrice: null };
  });
  await Promise.all(requests.map(services.orders.place));
}

/** The request of a page, found as a buyer finds it: by following the cursors. */
async function pageOf({ service }: BenchContext, { headers }: Buyer, page: number): Promise<Step> {
  let url = `${service.url}/orders?limit=${PAGE_SIZE}`;
  for (let passed = 1; passed < page; passed += 1) {
    const { nextCursor } = (await (await fetch(url, { headers })).json()) as { nextCursor: string };
    url = `${service.url}/orders?limit=${PAGE_SIZE}&cursor=${encodeURIComponent(nextCursor)}`;
  }
  return { url, headers };
}
