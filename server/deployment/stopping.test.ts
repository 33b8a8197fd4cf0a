import { expect, onTestFinished, test } from "vitest";
import { requestShop } from "../testing/request-shop.ts";
import { startServerProcess } from "../testing/server-process.ts";
import { addCallingAccount, addModels, ask } from "../testing/test-ai-proxy.ts";
import { openTestServices } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";
import { startTestUpstream } from "../testing/test-upstream.ts";

/** Its tokens come when the test says so. */
const HELD_BACK = "sim-slow-tokens-600000";

test("when its time to stop is over a process breaks streams off, and answers who still waits", async () => {
  const services = await openTestServices();
  const upstream = await startTestUpstream();
  const { simulator, productId } = await addOnDemandProduct(services);
  onTestFinished(() => simulator.close());
  await addModels(services, [HELD_BACK]);
  const caller = await addCallingAccount(services);
  const { key } = await services.addKey(caller.accountId);
  const server = await startServerProcess(services.databaseUrl, {
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: upstream.apiKey,
    SUPPLIER_TIMEOUT_MS: "30000",
    STOP_TIMEOUT_MS: "6000",
  });
  simulator.nextPurchases("hang_before");
  const body = { externalOrderId: "waits", productId, qty: 1 };
  const ordered = requestShop(server.baseUrl, "/orders", { key, body });
  await expect.poll(() => simulator.purchases().size).toBe(1);
  const stream = await requestStream(server.baseUrl, caller.key);

  const ended = server.kill("SIGTERM");
  const order = await ordered;
  expect([order.status, order.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(order.body).toMatchObject({ error: "supplier_unavailable" });
  expect(await stream.text()).toContain("event: error");
  expect(await ended).toBe(0);
  expect(server.log()).toContain("stopped with orders or calls under way");
  await services.dispose();
});

async function requestStream(baseUrl: string, key: string): Promise<Response> {
  const headers = {
    "x-api-key": key,
    "anthropic-version": "2023-06-01",
    "content-type": "application/json",
  };
  const body = JSON.stringify({ ...ask("one two", HELD_BACK), stream: true });
  const response = await fetch(new URL("/v1/messages", baseUrl), { method: "POST", headers, body });
  expect(response.status).toBe(200);
  return response;
}
