import { expect, onTestFinished, test } from "vitest";
import { addModel } from "../../server/testing/test-calls.ts";
import { startTestShop, type TestSettings, type TestShop } from "../../server/testing/test-shop.ts";
import { startTestUpstream } from "../../server/testing/test-upstream.ts";
import type { HookSettings } from "./hooks.ts";
import { orderingRequests } from "./ordering-requests.ts";
import { NEEDED_MODELS, proxyRequests } from "./proxy-requests.ts";
import { runDredd } from "./run-dredd.ts";

test("the live server answers every operation of the ordering interface as the contract says", async () => {
  const shop = await startShop();
  const { productId, orderingKey, generalKey } = shop;
  const { productId: dearProductId } = await shop.addProduct({ price: "1000.00" });
  const body = { externalOrderId: "dredd-0", productId, qty: 1 };
  const { orderId } = (await shop.call("/orders", { body })).body;
  const keys = { orderingKey, generalKey, exhaustedKey: await exhaustedKeyOf(shop) };
  const requests = orderingRequests({ ...keys, productId, dearProductId, orderId });
  // Answers that no plain request to a healthy shop leads to; no kind of key lacks `shop:read`.
  await expectDreddToPass(shop.baseUrl, { name: "ordering", requests }, [
    "getPricing 500",
    "listProducts 403",
    "listProducts 500",
    "listProducts 503",
    "checkAvailability 403",
    "checkAvailability 500",
    "checkAvailability 503",
    "getBalance 403",
    "getBalance 500",
    "createOrder 500",
    "createOrder 503",
    "listOrders 500",
    "getOrder 500",
  ]);
});

test("the live server answers every operation of the AI proxy as the contract says", async () => {
  const upstream = await startTestUpstream();
  const shop = await startShop({ upstreamUrl: upstream.url, upstreamApiKey: upstream.apiKey });
  for (const modelId of NEEDED_MODELS) await addModel(shop, modelId);
  const { key: poorKey } = await shop.addKey(await shop.addAccount("0"), "general");
  const keys = { generalKey: shop.generalKey, exhaustedKey: await exhaustedKeyOf(shop), poorKey };
  // Answers that no plain request leads to while the service is well and its upstream, which fails no count, is there.
  await expectDreddToPass(new URL(shop.baseUrl).origin, { name: "proxy", requests: proxyRequests(keys) }, [
    "createMessage 503",
    "countTokens 500",
    "countTokens 502",
    "countTokens 503",
    "countTokens 529",
    "listModels 500",
    "getAccount 500",
    "listUsage 500",
    "listLedger 500",
  ]);
});

async function startShop(settings?: TestSettings): Promise<TestShop> {
  const shop = await startTestShop(Date.now, settings);
  onTestFinished(() => shop.stop());
  return shop;
}

/** A key, good for both interfaces, of an account that has used up its requests of this minute. */
async function exhaustedKeyOf(shop: TestShop): Promise<string> {
  const { accountId } = await shop.accounts.create({ name: "Busy account", rpmLimit: 1 });
  const { key } = await shop.addKey(accountId, "general");
  await shop.call("/balance", { key });
  return key;
}

async function expectDreddToPass(baseUrl: string, settings: HookSettings, unreachable: string[]) {
  const { passed, skipped, failed } = await runDredd(baseUrl, settings);
  console.log(
    `Dredd, ${settings.name}: ${passed.length} transactions passed, ${skipped.length} skipped (${skipped.join(", ")})`,
  );
  expect(failed).toEqual([]);
  expect(skipped).toEqual(unreachable);
}
