import { afterEach, beforeEach, expect, test } from "vitest";
import { type Answer, requestShop } from "../testing/request-shop.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";

let services: TestServices;
let servers: ServerProcess[];
beforeEach(async () => {
  services = await openTestServices();
  servers = await Promise.all([
    startServerProcess(services.databaseUrl),
    startServerProcess(services.databaseUrl),
  ]);
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.kill("SIGTERM")));
  // Ends with the audit.
  await services.dispose();
});

/** Posts all orders at once, spread over the servers. */
function postAll(orders: { key: string; body: unknown }[]): Promise<Answer[]> {
  return Promise.all(
    orders.map(({ key, body }, index) => {
      const server = servers[index % servers.length];
      if (server === undefined) throw new Error("no server");
      return requestShop(server.baseUrl, "/orders", { key, body });
    }),
  );
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

test("200 posts of one id to two servers give one charge and one set of codes", async () => {
  const accountId = await services.addAccount("100");
  const { key } = await services.addKey(accountId);
  const { productId, codes } = await services.addProduct({ price: "1.50", codes: 50 });
  const body = { externalOrderId: "the one", productId, qty: 3 };

  let answers = await postAll(Array.from({ length: 200 }, () => ({ key, body })));
  const inProgress = answers.filter(({ status }) => status === 503);
  expect(inProgress.every((answer) => answer.body.error === "order_in_progress")).toBe(true);
  expect(inProgress.every(({ headers }) => Number(headers.get("retry-after")) >= 1)).toBe(true);

  answers = answers.filter(({ status }) => status !== 503);
  expect(new Set(statuses(answers))).toEqual(new Set([200]));
  expect(answers.filter(({ body }) => !body.reused)).toHaveLength(1);
  const bought = new Set(
    answers.map(({ body }) => JSON.stringify([body.orderId, body.codes, body.redeemUrl])),
  );
  expect(bought.size).toBe(1);
  expect(answers[0]?.body.codes).toEqual(codes.slice(0, 3));
  expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(usd("95.50"));
});

test("500 buyers racing for 100 codes buy exactly 100, each code once", async () => {
  const { productId, codes } = await services.addProduct({ price: "1.00", codes: 100 });
  const buyers = await Promise.all(
    Array.from({ length: 20 }, async () => services.addKey(await services.addAccount("1000"))),
  );
  const answers = await postAll(
    Array.from({ length: 500 }, (_, index) => ({
      key: buyers[index % buyers.length]?.key ?? "",
      body: { externalOrderId: `race-${index}`, productId, qty: 1 },
    })),
  );
  const sold = answers.filter(({ status }) => status === 200);
  expect(sold).toHaveLength(100);
  expect(sold.flatMap(({ body }) => body.codes).toSorted()).toEqual(codes.toSorted());
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ body }) => body.error))).toEqual(new Set(["out_of_stock"]));
});

test("a balance for 30 orders never pays for 31", async () => {
  const accountId = await services.addAccount("45");
  const keys = [await services.addKey(accountId), await services.addKey(accountId)];
  const products = [
    await services.addProduct({ price: "1.50", codes: 60 }),
    await services.addProduct({ price: "1.50", codes: 60 }),
  ];
  const answers = await postAll(
    Array.from({ length: 100 }, (_, index) => ({
      key: keys[index % 2]?.key ?? "",
      body: {
        externalOrderId: `k-${index}`,
        productId: products[index % 3 === 0 ? 0 : 1]?.productId,
        qty: 1,
      },
    })),
  );
  expect(statuses(answers).filter((status) => status === 200)).toHaveLength(30);
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.error))).toEqual(
    new Set(["insufficient_balance"]),
  );
  expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(0n);
});

test("a daily cap for 10 orders never lets an eleventh through", async () => {
  const accountId = await services.addAccount("100");
  const { key } = await services.addKey(accountId, "product_ordering", { dailyCapMicrocents: usd("10.00") });
  const { productId } = await services.addProduct({ price: "1.00", codes: 60 });
  const orders = Array.from({ length: 60 }, (_, index) => ({
    key,
    body: { externalOrderId: `d-${index}`, productId, qty: 1 },
  }));
  const answers = await postAll(orders);
  expect(statuses(answers).filter((status) => status === 200)).toHaveLength(10);
  expect(new Set(statuses(answers))).toEqual(new Set([200, 402]));
});

test("refunds, adjustments and orders racing on one account keep the books", async () => {
  const accountId = await services.addAccount("50");
  const { key } = await services.addKey(accountId);
  const { productId } = await services.addProduct({ price: "1.00", codes: 100 });
  const first = await postAll(
    Array.from({ length: 20 }, (_, index) => ({
      key,
      body: { externalOrderId: `a-${index}`, productId, qty: 1 },
    })),
  );
  const refunds = first.flatMap(({ body }) => [
    services.orderAdministration.refund(body.orderId, "race"),
    services.orderAdministration.refund(body.orderId, "race"),
  ]);
  const topUps = Array.from({ length: 20 }, (_, index) =>
    services.ledger.topUp({ accountId, amountMicrocents: usd("1"), reference: `t-${index % 5}` }),
  );
  const more = postAll(
    Array.from({ length: 20 }, (_, index) => ({
      key,
      body: { externalOrderId: `b-${index}`, productId, qty: 1 },
    })),
  );
  const refunded = await Promise.all(refunds);
  expect(refunded.filter(({ repeated }) => !repeated)).toHaveLength(20);
  expect((await Promise.all(topUps)).filter(({ repeated }) => !repeated)).toHaveLength(5);
  expect(new Set(statuses(await more))).toEqual(new Set([200]));
  expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(usd("35"));
});
