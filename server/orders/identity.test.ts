import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestShop, type TestShop } from "../testing/test-shop.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.stop());

const IDS = [
  "a",
  "A",
  "a ",
  " a",
  "a\t",
  "ä",
  "a\u0308",
  "ａ",
  "ss",
  "ß",
  "0",
  "00",
  "a\u200b",
  "\u{1F600}",
  "'; --",
  "%61",
];

test("ids that differ in case, space or normal form are different orders", async () => {
  const { productId } = await shop.addProduct({ price: "0.01", codes: IDS.length });
  const orderIds = new Set<string>();
  for (const externalOrderId of IDS) {
    const answer = await shop.call("/orders", { body: { externalOrderId, productId, qty: 1 } });
    expect(answer).toMatchObject({ status: 200, body: { externalOrderId, reused: false } });
    orderIds.add(answer.body.orderId);
  }
  expect(orderIds.size).toBe(IDS.length);
  for (const externalOrderId of IDS) {
    const again = await shop.call("/orders", { body: { externalOrderId, productId, qty: 1 } });
    expect(again).toMatchObject({ status: 200, body: { externalOrderId, reused: true } });
    const found = await shop.call(`/orders?externalOrderId=${encodeURIComponent(externalOrderId)}`);
    expect(found.body.orders).toMatchObject([{ externalOrderId }]);
  }
});

test("two accounts use the same id for two orders", async () => {
  const { productId } = await shop.addProduct({ price: "0.01", codes: 2 });
  const other = await shop.addKey(await shop.addAccount());
  const body = { externalOrderId: "shared", productId, qty: 1 };
  const [mine, theirs] = [
    await shop.call("/orders", { body }),
    await shop.call("/orders", { body, key: other.key }),
  ];
  expect(mine).toMatchObject({ status: 200, body: { reused: false } });
  expect(theirs).toMatchObject({ status: 200, body: { reused: false } });
  expect(theirs.body.codes).not.toEqual(mine.body.codes);
});

test("orders are listed newest first, each once, however many pages", async () => {
  const { key } = await shop.addKey(await shop.addAccount());
  const { productId } = await shop.addProduct({ price: "0.01", codes: 23 });
  const bought: string[] = [];
  for (let index = 0; index < 23; index += 1) {
    const body = { externalOrderId: `p-${index}`, productId, qty: 1 };
    bought.push((await shop.call("/orders", { body, key })).body.orderId);
  }
  const listed: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page = (await shop.call(`/orders?limit=5${query}`, { key })).body;
    expect(page.hasMore).toBe(page.nextCursor !== null);
    listed.push(...page.orders.map(({ orderId }: { orderId: string }) => orderId));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(listed).toEqual(bought.toReversed());
});

test("codes appear in create and detail only, and nothing secret in the log", async () => {
  const externalOrderId = "canary-of-the-buyer";
  const { codes, productId } = await shop.addProduct({ price: "0.01", codes: 3 });
  const bought = await shop.call("/orders", { body: { externalOrderId, productId, qty: 3 } });
  await shop.call(`/orders?externalOrderId=${externalOrderId}`);
  await shop.call(`/orders/${bought.body.orderId}`);
  await shop.call("/orders", { body: { externalOrderId, productId, qty: 2 } });
  await shop.call("/orders", { body: { externalOrderId: `${externalOrderId}\0`, productId, qty: 2 } });
  const log = shop.log();
  expect(log).toContain(bought.headers.get("x-request-id"));
  for (const secret of [shop.orderingKey, shop.orderingKey.slice(12), externalOrderId, ...codes]) {
    expect(log).not.toContain(secret);
  }
});
