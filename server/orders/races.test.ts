import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Answer, requestShop } from "../testing/request-shop.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { orderUntilDelivered, persistently } from "../testing/supplied-orders.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";

let services: TestServices;
let servers: ServerProcess[];
// Each test has accounts and products of its own; a server takes longer to start than most of them.
beforeAll(async () => {
  services = await openTestServices();
  servers = await Promise.all([
    startServerProcess(services.databaseUrl),
    startServerProcess(services.databaseUrl),
  ]);
});
afterEach(() => services.expectCleanAudit());
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill("SIGTERM")));
  await services.dispose();
});

/**
 * Posts all orders at once, spread over the servers, and each again while it is in progress.
 * @param onAnswer sees every answer
 */
function postAll(
  orders: { key: string; body: unknown }[],
  onAnswer: (answer: Answer | null) => void = () => {},
): Promise<Answer[]> {
  return Promise.all(
    orders.map(({ key, body }, index) => {
      const server = servers[index % servers.length];
      if (server === undefined) throw new Error("no server");
      return orderUntilDelivered(() => requestShop(server.baseUrl, "/orders", { key, body }), { onAnswer });
    }),
  );
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

test("200 posts of one id to two servers give one charge and one set of codes", async () => {
  const accountId = await services.addAccount("100");
  const { key } = await services.addKey(accountId);
  const { productId, codes } = await services.addProduct({ price: "1.50", codes: 50 });
  const body = { externalOrderId: "the one", productId, qty: 3 };

  const inProgress: (Answer | null)[] = [];
  const answers = await postAll(
    Array.from({ length: 200 }, () => ({ key, body })),
    (answer) => void (answer?.status !== 200 && inProgress.push(answer)),
  );
  for (const answer of inProgress) {
    expect(answer).toMatchObject({ status: 503, body: { error: "order_in_progress" } });
    expect(Number(answer?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
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
    persistently(() => services.orderAdministration.refund(body.orderId, "race")),
    persistently(() => services.orderAdministration.refund(body.orderId, "race")),
  ]);
  const topUps = Array.from({ length: 20 }, (_, index) =>
    persistently(() =>
      services.ledger.topUp({ accountId, amountMicrocents: usd("1"), reference: `t-${index % 5}` }),
    ),
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
