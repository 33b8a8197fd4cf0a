import { strict as assert } from "node:assert";
import fc from "fast-check";
import {
  formatDecimalMoney,
  type Microcents,
  multiply,
  parseDecimalMoney,
  subtract,
} from "../../../server/money/microcents.ts";
import { type TestShop, usd } from "../../../server/testing/test-shop.ts";
import type { Ask, OpenAsk, Reply } from "../../fuzz/ask.ts";
import type { FuzzedSequence } from "../../fuzz/fuzzed-interface.ts";
import type { Spec } from "../../fuzz/spec.ts";
import { valuesOf } from "../../fuzz/values.ts";

/** What a buyer does; ids and products are told by their places in the plan. */
type Step =
  | {
      readonly does: "buy";
      readonly id: number;
      readonly product: number;
      readonly qty: number;
      readonly price: Price;
      /** How often the same request is sent at once. */
      readonly atOnce: number;
    }
  | { readonly does: "replay"; readonly id: number; readonly price: Price; readonly atOnce: number }
  | { readonly does: "read" | "find"; readonly id: number }
  | { readonly does: "list"; readonly limit: number }
  | { readonly does: "check"; readonly product: number; readonly qty: number }
  | { readonly does: "balance" };
type Price = "none" | "right" | "wrong";

/** A buyer with an own account, and what is done with it. */
interface OrderPlan {
  readonly ids: readonly string[];
  readonly steps: readonly Step[];
}

const START = usd("20.00");
const ORDER_CAP = usd("12.00");
const IN_PROGRESS = { status: 503, error: "order_in_progress" };
const PRODUCTS = [
  { price: usd("1.25"), codes: 7 },
  { price: usd("3.00"), codes: 12 },
] as const;

/** Purchases, the same again, other requests under the same id, lists and reads. */
export const orderSequence: FuzzedSequence<OrderPlan> = {
  // Each plan has products of its own.
  prepare: async () => {},
  plans: orderPlans,
  runPlan: runOrderPlan,
  describe: describeOrders,
};

/** Plans that buy, replay, list and read; their ids are whatever the document allows. */
function orderPlans({ schemas }: Spec): fc.Arbitrary<OrderPlan> {
  const ids = valuesOf(
    { $ref: "#/components/schemas/ExternalOrderId" },
    { schemas, text: "plain", known: {} },
  );
  const id = fc.nat({ max: 3 });
  const product = fc.nat({ max: PRODUCTS.length - 1 });
  const qty = fc.integer({ min: 1, max: 10 });
  const price = fc.constantFrom<Price[]>("none", "right", "wrong");
  const atOnce = fc.integer({ min: 1, max: 3 });
  const step = fc.oneof(
    {
      arbitrary: fc.record({ does: fc.constant("buy" as const), id, product, qty, price, atOnce }),
      weight: 5,
    },
    { arbitrary: fc.record({ does: fc.constant("replay" as const), id, price, atOnce }), weight: 3 },
    { arbitrary: fc.record({ does: fc.constantFrom("read" as const, "find" as const), id }), weight: 2 },
    {
      arbitrary: fc.record({ does: fc.constant("list" as const), limit: fc.integer({ min: 1, max: 4 }) }),
      weight: 1,
    },
    { arbitrary: fc.record({ does: fc.constant("check" as const), product, qty }), weight: 1 },
    { arbitrary: fc.record({ does: fc.constant("balance" as const) }), weight: 1 },
  );
  return fc.record({
    ids: (ids as fc.Arbitrary<string>).map(withNearOnes),
    steps: fc.array(step, { minLength: 1, maxLength: 25, size: "max" }),
  });
}

/** Ids that differ in case or by a space are different ids. */
function withNearOnes(id: string): string[] {
  const start = [...id].slice(0, 63).join("");
  return [id, `${start}a`, `${start}A`, `${start} `];
}

/**
 * Carries a plan out and compares every answer with a model of the account.
 * @throws when an answer is not as it should be.
 */
async function runOrderPlan(plan: OrderPlan, shop: TestShop, openAsk: OpenAsk): Promise<void> {
  const { model, key } = await addBuyer(shop);
  const ask = openAsk(key);
  const end: Step[] = [{ does: "list", limit: 2 }, { does: "balance" }];
  for (const [index, step] of [...plan.steps, ...end].entries()) {
    await take(step, plan.ids, model, ask).catch((error: Error) => {
      throw new Error(`Step ${index + 1}, ${JSON.stringify(step)}: ${error.message}`, { cause: error });
    });
  }
}

/** A plan as a person reads it. */
function describeOrders({ ids, steps }: OrderPlan): string {
  return [
    `ids: ${JSON.stringify(ids)}`,
    ...steps.map((step, index) => `${index + 1}. ${JSON.stringify(step)}`),
  ].join("\n");
}

/** An order that was delivered. */
interface Bought {
  readonly externalOrderId: string;
  readonly orderId: string;
  readonly product: number;
  readonly qty: number;
  readonly codes: readonly string[];
}

/** What the shop should know of the account. */
interface Model {
  readonly productIds: readonly string[];
  readonly codesLeft: number[];
  /** By external id, the oldest first. */
  readonly bought: Map<string, Bought>;
  balance: Microcents;
}

async function addBuyer(shop: TestShop): Promise<{ model: Model; key: string }> {
  const accountId = await shop.addAccount(formatDecimalMoney(START));
  const { key } = await shop.addKey(accountId, "product_ordering", { orderCapMicrocents: ORDER_CAP });
  const productIds: string[] = [];
  for (const { price, codes } of PRODUCTS) {
    const { productId } = await shop.addProduct({ price: formatDecimalMoney(price), codes });
    productIds.push(productId);
  }
  const codesLeft = PRODUCTS.map(({ codes }) => codes);
  return { model: { productIds, codesLeft, bought: new Map(), balance: START }, key };
}

async function take(step: Step, ids: readonly string[], model: Model, ask: Ask): Promise<void> {
  switch (step.does) {
    case "buy":
      return buy(model, ask, { ...step, externalOrderId: ids[step.id] as string });
    case "replay": {
      const order = model.bought.get(ids[step.id] as string);
      return order && buy(model, ask, { ...order, price: step.price, atOnce: step.atOnce });
    }
    case "read":
      return read(model, ask, ids[step.id] as string);
    case "find":
      return find(model, ask, ids[step.id] as string);
    case "list":
      return list(model, ask, step.limit);
    case "check":
      return checkStock(model, ask, step);
    case "balance":
      return checkBalance(model, ask);
  }
}

type RequestedOrder = Pick<Bought, "externalOrderId" | "product" | "qty"> & {
  readonly price: Price;
  readonly atOnce: number;
};

async function buy(model: Model, ask: Ask, requested: RequestedOrder): Promise<void> {
  const { externalOrderId, product, qty, price } = requested;
  const { price: unitPrice } = PRODUCTS[product] as (typeof PRODUCTS)[number];
  const before = model.bought.get(externalOrderId);
  const refusal = refusalOf(model, requested);
  const body = {
    externalOrderId,
    productId: model.productIds[product],
    qty,
    ...(price !== "none" && {
      expectedUnitPrice: price === "right" ? formatDecimalMoney(unitPrice) : "1.26",
    }),
  };
  const asking = Array.from({ length: requested.atOnce }, () =>
    sendUntilDecided(ask, body, refusal?.status ?? 200, requested.atOnce),
  );
  const replies = (await Promise.all(asking)).map((reply) => reply.body);
  if (refusal !== null) {
    for (const { error } of replies) assert.equal(error, refusal.error);
    return;
  }
  // Of those that are sent at once one buys, whichever it is.
  const bought = replies.filter(({ reused }) => !reused);
  assert.equal(bought.length, before === undefined ? 1 : 0);
  const order = before ?? {
    externalOrderId,
    product,
    qty,
    orderId: bought[0].orderId,
    codes: bought[0].codes,
  };
  for (const reply of replies) {
    assert.deepEqual([reply.status, reply.qty, reply.externalOrderId], ["delivered", qty, externalOrderId]);
    assert.equal(parseDecimalMoney(reply.amount), multiply(unitPrice, qty));
    assert.deepEqual([reply.orderId, reply.codes], [order.orderId, order.codes]);
  }
  if (before === undefined) record(model, order, multiply(unitPrice, qty));
}

/** Of several requests at once, those that another one is under way with are sent again, as they are told to. */
async function sendUntilDecided(ask: Ask, body: object, status: number, atOnce: number): Promise<Reply> {
  for (;;) {
    const reply = await ask("createOrder", atOnce > 1 ? [status, IN_PROGRESS.status] : [status], { body });
    if (reply.status === status) return reply;
    assert.equal(reply.body.error, IN_PROGRESS.error);
  }
}

function record(model: Model, order: Bought, amount: Microcents): void {
  assert.equal(order.codes.length, order.qty);
  model.bought.set(order.externalOrderId, order);
  const codes = [...model.bought.values()].flatMap((each) => each.codes);
  assert.equal(new Set(codes).size, codes.length, "a code was sold twice");
  model.codesLeft[order.product] = (model.codesLeft[order.product] ?? 0) - order.qty;
  model.balance = subtract(model.balance, amount);
}

/** How a purchase has to be refused, in the order in which the shop looks; null when it is to be delivered. */
function refusalOf(
  { bought, codesLeft, balance }: Model,
  { externalOrderId, product, qty, price }: RequestedOrder,
): { status: number; error: string } | null {
  const before = bought.get(externalOrderId);
  if (before?.product === product && before.qty === qty) return null;
  if (before !== undefined) return { status: 409, error: "idempotency_conflict" };
  if (price === "wrong") return { status: 409, error: "price_changed" };
  const amount = multiply((PRODUCTS[product] as (typeof PRODUCTS)[number]).price, qty);
  if (amount > ORDER_CAP) return { status: 403, error: "key_order_limit_exceeded" };
  if (qty > (codesLeft[product] ?? 0)) return { status: 409, error: "out_of_stock" };
  return amount > balance ? { status: 402, error: "insufficient_balance" } : null;
}

async function read({ bought }: Model, ask: Ask, externalOrderId: string): Promise<void> {
  const order = bought.get(externalOrderId);
  if (order === undefined) {
    const { body } = await ask("getOrder", [404], { path: { id: "ord_0198c2a47b3e7d219f04c1a2b3d4e5f6" } });
    return assert.equal(body.error, "not_found");
  }
  const { body } = await ask("getOrder", [200], { path: { id: order.orderId } });
  assert.deepEqual(
    [body.externalOrderId, body.codes, body.qty, body.reused],
    [externalOrderId, order.codes, order.qty, false],
  );
}

async function find({ bought }: Model, ask: Ask, externalOrderId: string): Promise<void> {
  const { body } = await ask("listOrders", [200], { query: { externalOrderId } });
  const order = bought.get(externalOrderId);
  assert.deepEqual(summary(body.orders), order ? [[order.orderId, externalOrderId, []]] : []);
  assert.deepEqual([body.hasMore, body.nextCursor], [false, null]);
}

async function list({ bought }: Model, ask: Ask, limit: number): Promise<void> {
  const seen: unknown[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string | number> = cursor === null ? { limit } : { limit, cursor };
    const { body } = await ask("listOrders", [200], { query });
    assert.ok(body.orders.length <= limit && (body.orders.length === limit || !body.hasMore));
    assert.equal(body.hasMore, body.nextCursor !== null);
    seen.push(...summary(body.orders));
    cursor = body.nextCursor;
  } while (cursor !== null && seen.length <= bought.size);
  const newestFirst = [...bought.values()].toReversed();
  assert.deepEqual(
    seen,
    newestFirst.map(({ orderId, externalOrderId }) => [orderId, externalOrderId, []]),
  );
}

/** What is compared of a list: it shows no codes. */
function summary(orders: readonly Bought[]): unknown[] {
  return orders.map(({ orderId, externalOrderId, codes }) => [orderId, externalOrderId, codes]);
}

async function checkStock(
  { productIds, codesLeft }: Model,
  ask: Ask,
  { product, qty }: { product: number; qty: number },
): Promise<void> {
  const path = { id: productIds[product] as string };
  const { body } = await ask("checkAvailability", [200], { path, query: { qty } });
  assert.deepEqual([body.qty, body.available], [qty, qty <= (codesLeft[product] ?? 0)]);
}

async function checkBalance({ balance }: Model, ask: Ask): Promise<void> {
  const { body } = await ask("getBalance", [200]);
  const amounts = [body.balance, body.available, body.reserved].map(parseDecimalMoney);
  assert.deepEqual(amounts, [balance, balance, 0n]);
}
