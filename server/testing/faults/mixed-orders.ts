import { expect } from "vitest";
import type { SupplierSimulator } from "../../simulators/supplier/supplier-simulator.ts";
import { type Answer, requestShop } from "../request-shop.ts";
import type { ServerProcess } from "../server-process.ts";
import type { TestServices } from "../test-shop.ts";
import { addOnDemandProduct } from "../test-supplier.ts";

/** An order and what its buyer knows of it. */
export interface MixedOrder {
  readonly key: string;
  readonly body: { readonly externalOrderId: string; readonly productId: string; readonly qty: number };
  /** Whether its buyer sends it until it is delivered, or once. */
  readonly persistent: boolean;
  /** The answer that had its codes; null as long as there was none. */
  bought: Answer["body"] | null;
}

const BUYERS = 4;
const BALANCE = "100000";
const MAX_CODES_PER_ORDER = 3;

/**
 * Makes orders at random: of several buyers, half of them from stock and half on demand, half of them persistent.
 * @param most how many there will be at the most.
 */
export async function createMixedOrders(
  services: TestServices,
  simulator: SupplierSimulator,
  { most, random }: { most: number; random: () => number },
): Promise<() => MixedOrder> {
  const products = [
    await services.addProduct({ price: "0.50", codes: most * MAX_CODES_PER_ORDER }),
    await addOnDemandProduct(services, { simulator }),
  ];
  const buyers = await Promise.all(
    Array.from({ length: BUYERS }, async () => services.addKey(await services.addAccount(BALANCE))),
  );
  const anyOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  let made = 0;
  return () => {
    made += 1;
    const qty = 1 + Math.floor(random() * MAX_CODES_PER_ORDER);
    const body = { externalOrderId: `mixed-${made}`, productId: anyOf(products).productId, qty };
    return { key: anyOf(buyers).key, body, persistent: random() < 0.5, bought: null };
  };
}

/**
 * Sends an order once, and remembers its codes if they come.
 * @param expected the statuses that it may be answered with; any when not given.
 * @returns null when the connection broke.
 */
export async function sendMixedOrder(
  { baseUrl }: ServerProcess,
  order: MixedOrder,
  expected?: readonly number[],
): Promise<Answer | null> {
  const { key, body } = order;
  const answer = await requestShop(baseUrl, "/orders", { key, body }).catch(() => null);
  if (answer === null) return null;
  if (expected !== undefined) expect(expected, JSON.stringify(answer.body)).toContain(answer.status);
  if (answer.status === 200) order.bought = answer.body;
  return answer;
}

/** Every order that was answered with codes is there with these codes, which are on no other; and so is every persistent one. */
export async function expectMixedOrdersStored(
  services: TestServices,
  orders: readonly MixedOrder[],
): Promise<void> {
  for (const { body, persistent, bought } of orders) {
    if (bought === null) expect(persistent, body.externalOrderId).toBe(false);
    else expect(bought.codes).toHaveLength(body.qty);
  }
  const answered = orders.flatMap(({ bought }) => (bought === null ? [] : [bought]));
  expect(await soldTwice(services, answered)).toEqual([]);
  for (const { orderId, codes, redeemUrl } of answered) {
    const { accountId } = await services.orderAdministration.find(orderId);
    const shown = await services.orders.get(accountId, orderId);
    expect(shown).toMatchObject({ status: "delivered", codes, redeemUrl });
  }
}

/** Orders that were answered with codes of others, and what is stored of them. */
async function soldTwice(services: TestServices, answered: readonly Answer["body"][]): Promise<unknown[]> {
  const owners = new Map<string, string[]>();
  for (const { orderId, codes } of answered)
    for (const code of codes) owners.set(code, [...(owners.get(code) ?? []), orderId]);
  const orderIds = [...new Set([...owners.values()].filter((all) => all.length > 1).flat())];
  return Promise.all(
    orderIds.map(async (orderId) => {
      const [stored] = await services.database.rows("SELECT * FROM orders WHERE order_id = ?", [orderId]);
      return { answered: answered.filter((body) => body.orderId === orderId), stored };
    }),
  );
}
