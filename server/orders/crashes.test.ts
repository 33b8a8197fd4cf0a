import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Answer, callShop } from "../testing/call-shop.ts";
import { startServerProcess } from "../testing/server-process.ts";
import { openTestServices, usd } from "../testing/test-shop.ts";

const ORDERS = 200;

test("a server killed during 200 orders, restarted and retried, loses and doubles nothing", async () => {
  const services = await openTestServices();
  const accountId = await services.addAccount("1000");
  const { key } = await services.addKey(accountId);
  const { productId, codes } = await services.addProduct({ price: "1.00", codes: 2 * ORDERS });
  const bodies = Array.from({ length: ORDERS }, (_, index) => ({
    externalOrderId: `c-${index}`,
    productId,
    qty: 1,
  }));
  const answered = new Map<string, Answer>();

  let server = await startServerProcess(services.databaseUrl);
  // Each round kills the server somewhat later than the last, so that the kills hit every phase of an order.
  for (let round = 0; answered.size < ORDERS; round += 1) {
    const missing = bodies.filter(({ externalOrderId }) => !answered.has(externalOrderId));
    const posts = missing.map(async (body) => {
      const answer = await callShop(server.baseUrl, "/orders", { key, body }).catch(() => null);
      if (answer?.status === 200) answered.set(body.externalOrderId, answer);
    });
    const finished = Promise.all(posts);
    if (round < 8) {
      await Promise.race([delay(30 + 25 * round), finished]);
      await server.kill("SIGKILL");
    }
    await finished;
    if (round < 8) server = await startServerProcess(services.databaseUrl);
  }
  await server.kill("SIGTERM");

  const sold = [...answered.values()].flatMap(({ body }) => body.codes);
  expect(sold).toHaveLength(ORDERS);
  expect(new Set(sold).size).toBe(ORDERS);
  expect(codes).toEqual(expect.arrayContaining(sold));
  expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(usd("1000") - usd("200"));
  await services.dispose();
}, 120_000);

test("a server that is asked to stop answers what it has begun", async () => {
  const services = await openTestServices();
  const { key } = await services.addKey(await services.addAccount("100"));
  const { productId } = await services.addProduct({ price: "0.10", codes: 100 });
  const server = await startServerProcess(services.databaseUrl);
  const posts = Array.from({ length: 50 }, (_, index) =>
    callShop(server.baseUrl, "/orders", { key, body: { externalOrderId: `s-${index}`, productId, qty: 1 } }),
  );
  const settled = Promise.allSettled(posts);
  await posts[0];
  const code = await server.kill("SIGTERM");
  const outcomes = await settled;
  expect(code).toBe(0);
  // Connections that were not accepted yet are refused; whatever was accepted is answered in full.
  const answers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  expect(answers.length).toBeGreaterThan(0);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await services.dispose();
}, 60_000);
