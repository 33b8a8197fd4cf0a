import { afterEach, beforeEach, expect, test } from "vitest";
import { compose } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import type { Log } from "../log.ts";
import { persistently } from "../testing/supplied-orders.ts";
import { linesOf, openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";

let services: TestServices;
let accountId: AccountId;
let caller: Caller;
let productId: string;
let codes: string[];
beforeEach(async () => {
  services = await openTestServices();
  accountId = await services.addAccount("100");
  const known = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (known === null) throw new Error("The key is not known.");
  caller = known;
  ({ productId, codes } = await services.addProduct({ codes: 10 }));
});
// Ends with the audit.
afterEach(() => services.dispose());

const request = (externalOrderId: string, qty = 1) => ({
  caller,
  externalOrderId,
  productId,
  qty,
  expectedUnitPrice: null,
});
const balance = async () => (await services.accounts.get(accountId)).balanceMicrocents;
const states = async () => (await services.stock.list(productId)).map(({ state }) => state);

/** Puts the ciphertext of one code into the place of another. */
async function exchange(sequence: number, other: number): Promise<void> {
  await services.database.change(
    `UPDATE codes c JOIN codes o ON o.product_id = c.product_id AND o.sequence = ?
     SET c.ciphertext = o.ciphertext WHERE c.product_id = ? AND c.sequence = ?`,
    [other, productId, sequence],
  );
}

test("codes that cannot be opened are not sold: nothing is charged, and their segment is set aside", async () => {
  for (let sequence = 0; sequence < 10; sequence += 1) await exchange(sequence, (sequence + 1) % 10);
  const orders = Array.from({ length: 10 }, (_, index) =>
    persistently(() => services.orders.place(request(`a-${index}`))),
  );
  for (const outcome of await Promise.allSettled(orders))
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "out_of_stock" } });
  expect(await balance()).toBe(usd("100"));
  expect(await states()).toEqual(["set_aside"]);
  expect(await services.stock.countSetAside()).toBe(1);
});

test("a code that is gone is not sold either", async () => {
  await services.database.change("DELETE FROM codes WHERE product_id = ? AND sequence = 2", [productId]);
  await expect(services.orders.place(request("a", 5))).rejects.toMatchObject({ code: "out_of_stock" });
  expect(await states()).toEqual(["set_aside"]);
  // Since the audit would tell of it.
  await services.database.change(
    "INSERT INTO codes SELECT product_id, 2, ciphertext, REVERSE(fingerprint) FROM codes WHERE sequence = 1",
  );
});

test("the order takes other codes where there are some, and the operator is told once", async () => {
  await exchange(1, 0);
  await services.stock.import(productId, linesOf(["GOOD-1", "GOOD-2", "GOOD-3"]));
  const logged: object[] = [];
  const log = { info() {}, warn() {}, error: (facts: object) => void logged.push(facts) } as unknown as Log;
  const told = compose(testConfig(services.databaseUrl), Date.now, log);
  expect((await told.orders.place(request("a"))).order.codes).toEqual([codes[0]]);
  expect((await told.orders.place(request("b"))).order.codes).toEqual(["GOOD-1"]);
  expect((await told.orders.place(request("c", 2))).order.codes).toEqual(["GOOD-2", "GOOD-3"]);
  const [segment] = await services.stock.list(productId);
  expect(logged).toEqual([{ productId, segmentId: segment?.segmentId, sequence: "1" }]);
  expect(await states()).toEqual(["set_aside", "exhausted"]);
  expect(await balance()).toBe(usd("96"));
  // What was sold of it before can be had again.
  expect((await told.orders.place(request("a"))).order.codes).toEqual([codes[0]]);
  await closeDatabase(told.database);
});

test("what comes before the first code of a segment is sold when that code cannot be opened", async () => {
  await services.stock.import(productId, linesOf(["NEXT-1", "NEXT-2"]));
  await exchange(10, 11);
  await expect(services.orders.place(request("a", 11))).rejects.toMatchObject({ code: "out_of_stock" });
  expect(await states()).toEqual(["open", "set_aside"]);
  expect((await services.orders.place(request("a", 10))).order.codes).toEqual(codes);
});

test("orders that share a transaction with one that gets such a code are bought", async () => {
  const other = await services.addProduct({ codes: 20 });
  await exchange(0, 1);
  const placed = await Promise.allSettled([
    services.orders.place({ ...request("first"), productId: other.productId }),
    services.orders.place(request("bad")),
    ...Array.from({ length: 8 }, (_, index) =>
      services.orders.place({ ...request(`good-${index}`), productId: other.productId }),
    ),
  ]);
  expect(placed.filter(({ status }) => status === "fulfilled")).toHaveLength(9);
  expect(await states()).toEqual(["set_aside"]);
});

test("a process that lacks the encryption key of a code sets nothing aside", async () => {
  const two = { id: "two", key: Buffer.alloc(32, 2) };
  const rotated = compose(testConfig(services.databaseUrl, { codeEncryptionKeys: [two] }));
  const { ciphertext } = await encryptedElsewhere(rotated);
  await services.database.change("UPDATE codes SET ciphertext = ? WHERE product_id = ? AND sequence = 0", [
    ciphertext,
    productId,
  ]);
  await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code: "wrong_encryption_keys" });
  expect(await states()).toEqual(["open"]);
  await closeDatabase(rotated.database);
});

/** A code of another product, which was imported under the other process's key. */
async function encryptedElsewhere(other: Pick<TestServices, "stock" | "products">) {
  await services.database.change("DELETE FROM service_secrets");
  const { productId: theirs } = await services.addProduct({ codes: 0 });
  await other.stock.import(theirs, linesOf(["THEIRS"]));
  const [row] = await services.database.rows<{ ciphertext: Buffer }>(
    "SELECT ciphertext FROM codes WHERE product_id = ?",
    [theirs],
  );
  if (row === undefined) throw new Error("Nothing was imported.");
  return row;
}

test("a segment that is set aside can be recalled", async () => {
  await exchange(0, 1);
  await expect(services.orders.place(request("a"))).rejects.toMatchObject({ code: "out_of_stock" });
  const [segment] = await services.stock.list(productId);
  if (segment === undefined) throw new Error("There is no segment.");
  await services.stock.recall(segment.segmentId);
  expect(await states()).toEqual(["recalled"]);
});

test("what can be opened of a segment that was set aside is sold again", async () => {
  for (const sequence of [1, 4, 5, 9]) await exchange(sequence, 0);
  expect((await services.orders.place(request("a"))).order.codes).toEqual([codes[0]]);
  await expect(services.orders.place(request("b"))).rejects.toMatchObject({ code: "out_of_stock" });
  const [segment] = await services.stock.list(productId);
  if (segment === undefined) throw new Error("There is no segment.");
  expect(await services.stock.reopen(segment.segmentId)).toEqual({ forSale: 5, unreadable: 4, maybeSold: 0 });
  expect(await states()).toEqual(["set_aside", "open", "set_aside", "open", "set_aside"]);
  const { order } = await services.orders.place(request("c", 5));
  expect(order.codes).toEqual([2, 3, 6, 7, 8].map((sequence) => codes[sequence]));
  await expect(services.stock.reopen(order.orderId.replace("ord", "seg") as never)).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await services.stock.reopen(segment.segmentId)).toEqual({ forSale: 0, unreadable: 1, maybeSold: 0 });
  await services.stock.recall(segment.segmentId);
  await expect(services.stock.reopen(segment.segmentId)).rejects.toMatchObject({ code: "conflict" });
});
