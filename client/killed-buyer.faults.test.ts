import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "../server/simulators/shared/random.ts";
import { faultSeed, scaled } from "../server/testing/faults/fault-runs.ts";
import { startProgram } from "../server/testing/program.ts";
import { startTestShop, type TestShop, usd } from "../server/testing/test-shop.ts";
import { createFileStore } from "./file-store.ts";
import { createOrderingClient, type Order } from "./ordering-client.ts";
import type { StoredPurchase } from "./purchase.ts";
import { createPurchases } from "./purchases.ts";

const MAX_LIFE_MS = 200;
const START_BALANCE = "1000000";
const CODES_PER_RUN = 500;
const PAGE_SIZE = 100;

let shop: TestShop;
let folder: string;
beforeAll(async () => {
  shop = await startTestShop();
  folder = await mkdtemp(join(tmpdir(), "killed-buyer-"));
});
afterAll(async () => {
  await shop.stop();
  await rm(folder, { recursive: true });
});

/** Lets the program resume and buy for a while, then kills it. */
async function buyAndDie(
  env: Record<string, string>,
  lifeMs: number,
  diesWhileResuming: boolean,
): Promise<void> {
  const program = join(import.meta.dirname, "testing/buying-process.ts");
  const buyer = startProgram(process.execPath, [program], { env: { ...process.env, ...env } });
  if (!diesWhileResuming) await buyer.printed(/^resumed$/);
  await delay(lifeMs);
  expect(buyer.child.exitCode, buyer.output()).toBeNull();
  await buyer.kill("SIGKILL");
}

test("a buyer that is killed at random moments finishes every purchase, each charged once, and has all codes", async () => {
  const random = createRandom(faultSeed());
  const accountId = await shop.addAccount(START_BALANCE);
  const { key } = await shop.addKey(accountId);
  const { productId } = await shop.addProduct({ codes: CODES_PER_RUN * scaled(200) });
  const env = { SHOP_URL: shop.baseUrl, SHOP_API_KEY: key, SHOP_STORE: folder, PRODUCT_ID: productId };
  let interrupted = 0;
  for (let run = 0; run < scaled(200); run++) {
    // One in five is killed from its start on, while it is loaded or resumes; one in four shares the store with another.
    const one = () => {
      const diesWhileResuming = random() < 0.2;
      return buyAndDie(env, random() * MAX_LIFE_MS * (diesWhileResuming ? 4 : 1), diesWhileResuming);
    };
    await Promise.all(random() < 0.25 ? [one(), one()] : [one()]);
    interrupted += (await createFileStore(folder).unfinished(shop.baseUrl)).length;
  }
  expect(interrupted).toBeGreaterThan(0);

  const client = createOrderingClient({ baseUrl: shop.baseUrl, apiKey: key });
  const store = createFileStore(folder);
  await createPurchases({ client, store }).resumePurchases();
  expect(await store.unfinished(shop.baseUrl)).toEqual([]);

  const bought = await concludedIn(folder);
  const orders = await ordersOf(client);
  expect(bought.length).toBeGreaterThan(0);
  expect(orders.map(({ externalOrderId }) => externalOrderId).sort()).toEqual(
    bought.map(({ externalOrderId }) => externalOrderId).sort(),
  );
  const codes = new Set<string>();
  for (const { externalOrderId, conclusion } of bought) {
    if (conclusion?.kind !== "delivered") throw new Error(`${externalOrderId} is ${conclusion?.kind}.`);
    for (const { code } of conclusion.codes) codes.add(code);
  }
  expect(codes.size).toBe(2 * orders.length);
  const { balanceMicrocents } = await shop.accounts.get(accountId);
  expect(balanceMicrocents).toBe(usd(START_BALANCE) - BigInt(2 * orders.length) * usd("1.00"));
  await shop.expectCleanAudit();
  console.log(`${scaled(200)} kills, ${orders.length} purchases, ${interrupted} of them interrupted`);
});

async function concludedIn(folder: string): Promise<StoredPurchase[]> {
  const names = await readdir(join(folder, "concluded"));
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, "concluded", name), "utf8"))),
  );
}

async function ordersOf(client: ReturnType<typeof createOrderingClient>): Promise<Order[]> {
  const all: Order[] = [];
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: PAGE_SIZE };
    if (cursor !== null) query.cursor = cursor;
    const { data, error } = await client.listOrders(query);
    if (data === undefined) throw new Error(error.message);
    all.push(...data.orders);
    cursor = data.nextCursor;
  } while (cursor !== null);
  return all;
}
