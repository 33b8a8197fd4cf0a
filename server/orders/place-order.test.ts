import { afterEach, beforeEach, expect, test } from "vitest";
import { compose } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import { DomainError } from "../errors.ts";
import type { AccountId, OrderId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { lockOpenSegments } from "../stock/stock-store.ts";
import { beside } from "../testing/database/beside.ts";
import { holdLock } from "../testing/database/held-lock.ts";
import { createMessageBreakpoint } from "../testing/faults/message-breakpoint.ts";
import { addCaller } from "../testing/test-calls.ts";
import { openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import type { OrderFilter } from "./order-store.ts";

let services: TestServices;
let accountId: AccountId;
let caller: Caller;
beforeEach(async () => {
  services = await openTestServices();
  accountId = await services.addAccount("10");
  const known = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (known === null) throw new Error("the key is not known");
  caller = known;
});
// Ends with the audit.
afterEach(() => services.dispose());

/** How an order came out: its codes, whether it had been there, or why it was refused. */
type Outcome = { codes: readonly string[]; reused: boolean } | { refused: string };

/** Places orders at once, so that the first is written alone and the others share transactions. */
function place(
  wanted: [externalOrderId: string, productId: string, qty: number][],
  orders: TestServices["orders"] = services.orders,
  by: Caller = caller,
): Promise<Outcome[]> {
  return Promise.all(
    wanted.map(async ([externalOrderId, productId, qty]) => {
      const request = { caller: by, externalOrderId, productId, qty, expectedUnitPrice: null };
      try {
        const { order, reused } = await orders.place(request);
        return { codes: order.codes, reused };
      } catch (error) {
        if (error instanceof DomainError) return { refused: error.code };
        throw error;
      }
    }),
  );
}

function told(outcome: Outcome): string {
  if ("refused" in outcome) return outcome.refused;
  return `${outcome.codes.length} ${outcome.reused ? "again" : "new"}`;
}

const codesOf = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap((outcome) => ("codes" in outcome ? outcome.codes : []));
const balance = async () => (await services.accounts.get(accountId)).balanceMicrocents;

test("orders that come together are all bought, and their codes are apart", async () => {
  const [one, two] = [await services.addProduct({ codes: 6 }), await services.addProduct({ codes: 3 })];
  const outcomes = await place([
    ["a", one.productId, 2],
    ["b", two.productId, 1],
    ["c", one.productId, 3],
    ["d", two.productId, 2],
    ["e", one.productId, 1],
  ]);
  expect(outcomes.map(told)).toEqual(["2 new", "1 new", "3 new", "2 new", "1 new"]);
  expect(codesOf(outcomes).toSorted()).toEqual([...one.codes, ...two.codes].toSorted());
  expect(await balance()).toBe(usd("1"));
  const entries = (await services.ledger.list(accountId, 10)).filter(({ type }) => type === "order");
  const { orders } = await services.orders.page(accountId, { limit: 10 });
  expect(new Map(entries.map(({ reference, createdAtMs }) => [reference, createdAtMs]))).toEqual(
    new Map(orders.map(({ orderId, createdAtMs }) => [orderId, createdAtMs])),
  );
});

test("one that upsets the others is refused on its own account, and the others are bought", async () => {
  const [one, two] = [await services.addProduct({ codes: 4 }), await services.addProduct({ codes: 20 })];
  expect((await place([["known", two.productId, 1]])).map(told)).toEqual(["1 new"]);
  const outcomes = await place([
    ["known", two.productId, 1],
    ["known", two.productId, 2],
    ["a", one.productId, 3],
    ["too many", one.productId, 5],
    ["nothing", "unknown", 1],
    // More than is left even before the others are bought: it may be the first.
    ["too dear", two.productId, 10],
    ["b", two.productId, 1],
  ]);
  expect(outcomes.map(told)).toEqual([
    "1 again",
    "idempotency_conflict",
    "3 new",
    "out_of_stock",
    "not_found",
    "insufficient_balance",
    "1 new",
  ]);
  expect(await balance()).toBe(usd("5"));
});

test("of several with one id one is bought, and the others are given it", async () => {
  const { productId } = await services.addProduct();
  const outcomes = await place(Array.from({ length: 9 }, () => ["same", productId, 2]));
  expect(outcomes.map(told).toSorted()).toEqual(["2 new", ...new Array(8).fill("2 again")].toSorted());
  expect(new Set(codesOf(outcomes)).size).toBe(2);
  expect(await balance()).toBe(usd("8"));
});

test("together they buy no more than the balance, the stock and the key's cap allow", async () => {
  const many = await services.addProduct({ codes: 60 });
  const few = await services.addProduct({ codes: 2 });
  const dear = (id: number): [string, string, number] => [`dear ${id}`, many.productId, 3];
  const rare = (id: number): [string, string, number] => [`rare ${id}`, few.productId, 1];
  const bought = (outcomes: Outcome[]) => outcomes.filter((outcome) => "codes" in outcome).length;

  expect(bought(await place([1, 2, 3, 4, 5].map(rare)))).toBe(2);
  expect(await balance()).toBe(usd("8"));
  expect(bought(await place([1, 2, 3, 4, 5, 6, 7, 8, 9].map(dear)))).toBe(2);
  expect(await balance()).toBe(usd("2"));
  await services.ledger.topUp({ accountId, amountMicrocents: usd("20"), reference: "more" });
  await services.keys.change(caller.keyId, { dailyCapMicrocents: usd("14") });
  caller = { ...caller, dailyCapMicrocents: usd("14") };
  expect(bought(await place([11, 12, 13, 14, 15].map(dear)))).toBe(2);
  expect(await balance()).toBe(usd("16"));
});

test.each([
  ["first", { dailyCapMicrocents: usd("2") }, {}],
  ["second", {}, { dailyCapMicrocents: usd("2") }],
])("of two keys whose orders come together, the cap of the %s is kept", async (_name, one, two) => {
  const { productId } = await services.addProduct({ price: "0.50", codes: 20 });
  const callers: Caller[] = [];
  for (const caps of [one, two]) {
    const { key } = await services.addKey(accountId, "product_ordering", caps);
    const known = await services.keys.authenticate(key);
    if (known !== null) callers.push(known);
  }
  // Eight of each: the first is written alone, the others share transactions in which both keys are.
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      callers.map(async (by) =>
        place([[`${by.keyId} ${index}`, productId, 1]], services.orders, by).then(([one]) => one as Outcome),
      ),
    ).flat(),
  );
  const boughtBy = (which: number) =>
    outcomes.filter((outcome, index) => index % 2 === which && "codes" in outcome).length;
  expect([boughtBy(0), boughtBy(1)]).toEqual(
    [one, two].map((caps) => ("dailyCapMicrocents" in caps ? 4 : 8)),
  );
});

test("orders of two accounts under the same id are each given back to their own account", async () => {
  const { productId, codes } = await services.addProduct({ codes: 2 });
  const other = await addCaller(services, await services.addAccount("10"));
  const place1 = (by: Caller) => place([["same", productId, 1]], services.orders, by);
  const [mine, theirs] = [await place1(caller), await place1(other)];
  expect(codesOf([...mine, ...theirs]).toSorted()).toEqual(codes.toSorted());
  // The first is read alone, the others together.
  const callers = Array.from({ length: 9 }, (_, index) => (index % 2 === 0 ? caller : other));
  const again = await Promise.allSettled(callers.map(place1));
  const own = (by: Caller) => [{ codes: codesOf(by === caller ? mine : theirs), reused: true }];
  expect(again).toEqual(callers.map((by) => ({ status: "fulfilled", value: own(by) })));
});

test("a page that is exactly full is the last", async () => {
  const { productId } = await services.addProduct();
  await place([1, 2, 3].map((id) => [`${id}`, productId, 1]));
  const full = await services.orders.page(accountId, { limit: 3 });
  expect(full).toMatchObject({ orders: { length: 3 }, nextCursor: null });
  const part = await services.orders.page(accountId, { limit: 2 });
  expect(part.nextCursor).not.toBeNull();
  const rest = await services.orders.page(accountId, { limit: 1, cursor: part.nextCursor ?? "" });
  expect(rest).toMatchObject({ orders: [full.orders[2]], nextCursor: null });
});

test("orders of all accounts are searched by account, id, product and state, the newest first", async () => {
  const [one, two] = [await services.addProduct(), await services.addProduct()];
  const other = await addCaller(services, await services.addAccount("10"));
  const place1 = (by: Caller, id: string, productId: string) =>
    place([[id, productId, 1]], services.orders, by);
  await place1(caller, "a", one.productId);
  await place1(caller, "b", two.productId);
  await place1(other, "a", one.productId);
  const find = async (filter: OrderFilter) => {
    const found = await services.orderAdministration.search(filter, 10);
    return found.map(
      (order) => `${order.accountId === accountId ? "own" : "other"} ${order.externalOrderId}`,
    );
  };
  expect(await find({})).toEqual(["other a", "own b", "own a"]);
  expect(await find({ accountId })).toEqual(["own b", "own a"]);
  expect(await find({ externalOrderId: "a" })).toEqual(["other a", "own a"]);
  expect(await find({ accountId, externalOrderId: "a" })).toEqual(["own a"]);
  expect(await find({ productId: one.productId })).toEqual(["other a", "own a"]);
  expect(await find({ productId: two.productId })).toEqual(["own b"]);
  const [newest] = await services.orderAdministration.search({}, 1);
  await services.orderAdministration.refund(newest?.orderId as OrderId, "r");
  expect(await find({ status: "delivered" })).toEqual(["own b", "own a"]);
  expect(await find({ status: "refunded", productId: one.productId })).toEqual(["other a"]);
  expect(await find({ status: "processing" })).toEqual([]);
});

test("one that waits for a row which is held for long does not keep the others from being bought", async () => {
  const [held, free] = [await services.addProduct(), await services.addProduct()];
  const lock = await holdLock(
    services.databaseUrl,
    "SELECT 1 FROM stock_segments WHERE product_id = ? FOR UPDATE",
    [held.productId],
  );
  // The first is alone; the other two share a transaction.
  const [first, waiting, second] = [
    place([["first", free.productId, 1]]),
    place([["waiting", held.productId, 1]]),
    place([["second", free.productId, 1]]),
  ];
  expect((await first).map(told)).toEqual(["1 new"]);
  // All three are of one account: beside the one that waits the other may be told to come again.
  await second;
  const again = async () => (await place([["second", free.productId, 1]])).map(told);
  await expect.poll(again).toEqual([expect.stringMatching("^1 ")]);
  await lock.release();
  // It may have waited for as long as it does.
  await waiting;
  expect(codesOf(await place([["waiting", held.productId, 1]]))).toHaveLength(1);
});

test("stock that is being sold does not hold up that of other products", async () => {
  const products = await Promise.all(Array.from({ length: 5 }, () => services.addProduct()));
  for (const { productId: sold } of products) {
    await transaction(services.database, async (tx) => {
      await lockOpenSegments(tx, sold, 1);
      const others = products.filter(({ productId }) => productId !== sold);
      const wanted = others.map(({ productId }): [string, string, number] => [
        `${sold} ${productId}`,
        productId,
        1,
      ]);
      const outcomes = await beside(tx, () => place(wanted));
      expect(new Set(outcomes.map(told))).toEqual(new Set(["1 new"]));
    });
    await services.ledger.topUp({ accountId, amountMicrocents: usd("4"), reference: sold });
  }
});

test("orders that come together share transactions", async () => {
  const { productId } = await services.addProduct({ price: "0.10", codes: 40 });
  const breakpoint = createMessageBreakpoint();
  const throughBreakpoint = compose(testConfig(await breakpoint.before(services.databaseTcpUrl)));
  const wanted = Array.from({ length: 33 }, (_, id): [string, string, number] => [`${id}`, productId, 1]);
  const outcomes = await place(wanted, throughBreakpoint.orders);
  const commits = breakpoint.steps().filter((step) => step === "→ query COMMIT").length;
  await closeDatabase(throughBreakpoint.database);
  breakpoint.close();
  expect(new Set(codesOf(outcomes)).size).toBe(33);
  expect(commits).toBeLessThanOrEqual(11);
});
