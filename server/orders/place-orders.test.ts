import { afterEach, beforeEach, expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";
import type { Placed } from "./judge-request.ts";

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

function place(orders: [externalOrderId: string, productId: string, qty: number][]): Promise<Placed[]> {
  const requests = orders.map(([externalOrderId, productId, qty]) => ({
    caller,
    externalOrderId,
    productId,
    qty,
    expectedUnitPrice: null,
  }));
  return services.orders.placeAll(requests);
}

function outcome(placed: Placed): string {
  if ("refused" in placed) return placed.refused.code;
  if ("bought" in placed) return `${placed.bought.externalOrderId} bought`;
  return `${placed.stored.order.externalOrderId} ${placed.reused ? "again" : "new"}`;
}

test("orders that stand together are committed together, and their codes are apart", async () => {
  const [one, two] = [await services.addProduct(), await services.addProduct()];
  const placed = await place([
    ["a", one.productId, 2],
    ["b", two.productId, 1],
    ["c", one.productId, 3],
  ]);
  expect(placed.map(outcome)).toEqual(["a new", "b new", "c new"]);
  expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(usd("4"));
});

test("one that upsets the others is refused on its own account, and the others are bought", async () => {
  const [one, two] = [await services.addProduct({ codes: 4 }), await services.addProduct()];
  expect((await place([["known", two.productId, 1]])).map(outcome)).toEqual(["known new"]);
  const placed = await place([
    ["known", two.productId, 1],
    ["known", two.productId, 2],
    ["a", one.productId, 3],
    ["too many", one.productId, 3],
    ["nothing", "unknown", 1],
    ["twice", two.productId, 1],
    ["twice", two.productId, 1],
    ["too dear", two.productId, 8],
  ]);
  expect(placed.map(outcome)).toEqual([
    "known again",
    "idempotency_conflict",
    "a new",
    "out_of_stock",
    "not_found",
    "twice new",
    "twice again",
    "insufficient_balance",
  ]);
  expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(usd("5"));
});
