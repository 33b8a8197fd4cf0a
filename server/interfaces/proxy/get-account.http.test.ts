import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_ACCOUNT_MICROCENTS } from "../../money/microcents.ts";
import { requestAiProxy } from "../../testing/request-ai-proxy.ts";
import { addCaller, addModel, completedWith, mostOutput } from "../../testing/test-calls.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

let shop: TestShop;
beforeEach(async () => {
  shop = await startTestShop();
});
afterEach(() => shop.stop());

const read = async (key = shop.generalKey) => (await requestAiProxy(shop, "/v1/me", { key })).body;

test("the account is shown with exact amounts, and the key without its secret", async () => {
  const { accountId, rpmLimit } = await shop.accounts.create({ name: "Acme", rpmLimit: 77 });
  const { keyId, key, preview } = await shop.keys.create({ accountId, kind: "general" });
  await shop.ledger.topUp({ accountId, amountMicrocents: MAX_ACCOUNT_MICROCENTS, reference: "all" });
  const body = await read(key);
  expect(body).toEqual({
    account: {
      id: accountId,
      status: "active",
      balance_microcents: Number.MAX_SAFE_INTEGER,
      reserved_microcents: 0,
      available_microcents: Number.MAX_SAFE_INTEGER,
      rpm_limit: rpmLimit,
    },
    key: { id: keyId, key_preview: preview, status: "active" },
  });
  expect(JSON.stringify(body)).not.toContain(key);
});

test("each key shows itself, and both interfaces the same balance", async () => {
  const { keyId, key } = await shop.addKey(shop.accountId, "general");
  expect(await read(key)).toMatchObject({ account: { id: shop.accountId }, key: { id: keyId } });
  expect((await read()).key.id).not.toBe(keyId);
  await shop.call("/orders", { body: { externalOrderId: "x", productId: shop.productId, qty: 2 } });
  expect(await read()).toMatchObject({
    account: { balance_microcents: 9_800_000_000, available_microcents: 9_800_000_000 },
  });
  expect((await shop.call("/balance")).body).toMatchObject({ balance: "98.00", available: "98.00" });
});

test("what a running call may cost is reserved; one that cost more leaves less than nothing", async () => {
  const model = await addModel(shop);
  const accountId = await shop.addAccount("0.0001");
  const { key } = await shop.addKey(accountId, "general");
  const caller = await addCaller(shop, accountId);
  const [balance, reserved, spent] = [10_000, 7_000, 12_345];
  const call = await shop.calls.begin({ caller, model, requestId: "r", most: mostOutput(reserved) });
  expect((await read(key)).account).toMatchObject({
    balance_microcents: balance,
    reserved_microcents: reserved,
    available_microcents: balance - reserved,
  });
  await shop.calls.end(call, completedWith(spent));
  expect((await read(key)).account).toMatchObject({
    balance_microcents: balance - spent,
    reserved_microcents: 0,
    available_microcents: balance - spent,
  });
});
