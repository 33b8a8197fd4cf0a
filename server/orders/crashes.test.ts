import { expect, test } from "vitest";
import { type Answer, requestShop } from "../testing/request-shop.ts";
import { startServerProcess } from "../testing/server-process.ts";
import { openTestServices, usd } from "../testing/test-shop.ts";

const ORDERS = 200;
/** How many orders of a round are answered when its server is killed; 0: none, while all are under way. */
const KILLED_AFTER_ANSWERS = [0, 1, 2, 4, 8, 12, 16, 20];

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
  const storedOrders = async () => (await services.database.rows("SELECT order_id FROM orders")).length;

  let server = await startServerProcess(services.databaseUrl);
  const postMissing = async (onAnswer: (count: number) => void): Promise<void> => {
    const missing = bodies.filter(({ externalOrderId }) => !answered.has(externalOrderId));
    let count = 0;
    const posts = missing.map(async (body) => {
      const answer = await requestShop(server.baseUrl, "/orders", { key, body }).catch(() => null);
      if (answer?.status !== 200) return;
      answered.set(body.externalOrderId, answer);
      count += 1;
      onAnswer(count);
    });
    await Promise.all(posts);
  };
  for (const killedAfter of KILLED_AFTER_ANSWERS) {
    const due = Promise.withResolvers<void>();
    const posting = postMissing((count) => void (count === killedAfter && due.resolve()));
    if (killedAfter === 0) await expect.poll(storedOrders, { interval: 1 }).toBeGreaterThan(0);
    else await Promise.race([due.promise, posting]);
    await server.kill("SIGKILL");
    await posting;
    server = await startServerProcess(services.databaseUrl);
  }
  await postMissing(() => {});
  await server.kill("SIGTERM");

  const sold = [...answered.values()].flatMap(({ body }) => body.codes);
  expect(sold).toHaveLength(ORDERS);
  expect(new Set(sold).size).toBe(ORDERS);
  expect(codes).toEqual(expect.arrayContaining(sold));
  expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(usd("1000") - usd("200"));
  await services.dispose();
});

test("a server that is asked to stop answers what it has begun", async () => {
  const services = await openTestServices();
  const { key } = await services.addKey(await services.addAccount("100"));
  const { productId } = await services.addProduct({ price: "0.10", codes: 100 });
  const server = await startServerProcess(services.databaseUrl);
  const posts = Array.from({ length: 50 }, (_, index) =>
    requestShop(server.baseUrl, "/orders", {
      key,
      body: { externalOrderId: `s-${index}`, productId, qty: 1 },
    }),
  );
  const settled = Promise.allSettled(posts);
  // A busy machine may let some of them wait for longer than a buyer is to wait.
  await Promise.any(posts.map(async (post) => expect((await post).status).toBe(200)));
  const code = await server.kill("SIGTERM");
  const outcomes = await settled;
  expect(code).toBe(0);
  // Connections that were not accepted yet are refused; whatever was accepted is answered in full.
  const answers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const bought = answers.filter(({ status }) => status === 200);
  expect(bought.length).toBeGreaterThan(0);
  // Who comes later is told to come again.
  for (const answer of answers.filter((one) => !bought.includes(one)))
    expect(answer).toMatchObject({ status: 503, body: { error: "supplier_unavailable" } });
  await services.dispose();
});
