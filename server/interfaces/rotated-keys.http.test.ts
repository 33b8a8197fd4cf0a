import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { KeyId } from "../ids.ts";
import { newSecret } from "../keys/secret.ts";
import { type FixedClock, fixedClock } from "../testing/fixed-clock.ts";
import { requestAiProxy } from "../testing/request-ai-proxy.ts";
import { type Answer, requestShop } from "../testing/request-shop.ts";
import { startTestAiProxy, type TestAiProxy } from "../testing/test-ai-proxy.ts";
import { usd } from "../testing/test-shop.ts";

const NOON = "2026-03-01T12:00:00Z";
const HOUR_MS = 3_600_000;

let time: FixedClock;
let shop: TestAiProxy;
beforeAll(async () => {
  time = fixedClock(NOON);
  shop = await startTestAiProxy({}, time.clock);
});
beforeEach(() => time.set(NOON));
// Ends with the audit.
afterAll(() => shop.stop());

/** A request that any key of the kind may make, at each interface. */
const ASK: Record<string, (key: string) => Promise<Answer>> = {
  ordering: (key) => requestShop(shop.baseUrl, "/balance", { key }),
  proxy: (key) => requestAiProxy(shop, "/v1/me", { key }),
};

const statusOf = async (name: string, key: string) => (await ASK[name]?.(key))?.status;

async function newKey(expiresAtMs: number | null = null) {
  return shop.keys.create({ accountId: await shop.addAccount("10"), kind: "general", expiresAtMs });
}

/** What is told of a key beside the id of the request. */
async function refusalOf(name: string, key: string) {
  const answer = await ASK[name]?.(key);
  const { requestId: _own, request_id: _proxy, ...body } = answer?.body ?? {};
  return { status: answer?.status, body };
}

test.each(Object.keys(ASK))(
  "%s: an expired key is refused as an unknown and a revoked one are",
  async (name) => {
    const { key } = await newKey(time.clock() + HOUR_MS);
    expect(await statusOf(name, key)).toBe(200);
    time.advance(HOUR_MS);
    const refusal = await refusalOf(name, key);
    expect(refusal.status).toBe(401);
    const revoked = await newKey();
    await shop.keys.revoke(revoked.keyId);
    expect(refusal).toEqual(await refusalOf(name, newSecret("svc_sk_")));
    expect(refusal).toEqual(await refusalOf(name, revoked.key));
  },
);

test.each(Object.keys(ASK))(
  "%s: both secrets of a rotated key are let in until the overlap ends",
  async (name) => {
    const { key: first, keyId } = await newKey();
    const { key: second } = await shop.keys.rotate(keyId, HOUR_MS);
    time.advance(HOUR_MS - 1);
    expect([await statusOf(name, first), await statusOf(name, second)]).toEqual([200, 200]);
    time.advance(1);
    expect([await statusOf(name, first), await statusOf(name, second)]).toEqual([401, 200]);
  },
);

test.each(Object.keys(ASK))(
  "%s: an overlap that is ended, and a key that is revoked, are felt",
  async (name) => {
    const { key: first, keyId } = await newKey();
    const { key: second } = await shop.keys.rotate(keyId, HOUR_MS);
    const statuses = async () => [await statusOf(name, first), await statusOf(name, second)];
    expect(await statuses()).toEqual([200, 200]);
    await shop.keys.endOverlap(keyId);
    await expect.poll(statuses).toEqual([401, 200]);
    await shop.keys.revoke(keyId);
    await expect.poll(statuses).toEqual([401, 401]);
  },
);

test("an order belongs to the key, whichever of its secrets it is sent with, and so do its caps", async () => {
  const accountId = await shop.addAccount("100");
  const { key: first, keyId } = await shop.addKey(accountId, "product_ordering", {
    dailyCapMicrocents: usd("3.00"),
  });
  const { key: second } = await shop.keys.rotate(keyId as KeyId, HOUR_MS);
  const { productId } = await shop.addProduct({ price: "1.00", codes: 4 });
  const body = { externalOrderId: randomUUID(), productId, qty: 2 };
  const bought = await requestShop(shop.baseUrl, "/orders", { key: first, body });
  const again = await requestShop(shop.baseUrl, "/orders", { key: second, body });
  expect(bought).toMatchObject({ status: 200, body: { reused: false } });
  expect(again).toMatchObject({ status: 200, body: { reused: true, orderId: bought.body.orderId } });
  const more = { ...body, externalOrderId: randomUUID() };
  expect(await requestShop(shop.baseUrl, "/orders", { key: second, body: more })).toMatchObject({
    status: 402,
    body: { error: "key_daily_limit_exceeded" },
  });
});

test("a ceiling bounds orders like a cap", async () => {
  const accountId = await shop.addAccount("100");
  await shop.accounts.set(accountId, {
    orderCapCeilingMicrocents: usd("1.50"),
    dailyCapCeilingMicrocents: usd("2"),
  });
  const { key } = await shop.addKey(accountId);
  const { productId } = await shop.addProduct({ price: "1.00", codes: 4 });
  const buy = (qty: number) =>
    requestShop(shop.baseUrl, "/orders", { key, body: { externalOrderId: randomUUID(), productId, qty } });
  expect(await buy(2)).toMatchObject({ status: 403, body: { error: "key_order_limit_exceeded" } });
  expect((await buy(1)).status).toBe(200);
  expect((await buy(1)).status).toBe(200);
  expect(await buy(1)).toMatchObject({ status: 402, body: { error: "key_daily_limit_exceeded" } });
});

test("no log has a secret, of whatever a key goes through", async () => {
  const { key, keyId } = await newKey();
  const { key: second } = await shop.keys.rotate(keyId, HOUR_MS);
  for (const name of Object.keys(ASK)) for (const secret of [key, second]) await ASK[name]?.(secret);
  await shop.keys.revoke(keyId);
  expect(shop.log()).toContain(keyId);
  for (const secret of [key, second]) expect(shop.log()).not.toContain(secret.slice(11));
});
