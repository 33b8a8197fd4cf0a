import { afterEach, beforeEach, expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { linesOf, openTestServices, type TestServices } from "../testing/test-shop.ts";

let services: TestServices;
let accountId: AccountId;
let caller: Caller;
let productId: string;
let codes: string[];
beforeEach(async () => {
  services = await openTestServices();
  accountId = await services.addAccount("1000");
  const known = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (known === null) throw new Error("The key is not known.");
  caller = known;
  ({ productId, codes } = await services.addProduct({ codes: 10 }));
});
// Ends with the audit.
afterEach(() => services.dispose());

let orders = 0;
async function buy(qty = 1): Promise<readonly string[]> {
  orders += 1;
  const externalOrderId = `order-${orders}`;
  const request = { caller, externalOrderId, productId, qty, expectedUnitPrice: null };
  return (await services.orders.place(request)).order.codes;
}

/** Buys one by one until nothing is for sale. */
async function buyOut(): Promise<string[]> {
  const bought: string[] = [];
  for (;;) {
    const got = await buy().catch((error: { code?: string }) => error.code);
    if (typeof got === "string") {
      expect(got).toBe("out_of_stock");
      return bought;
    }
    bought.push(...(got ?? []));
  }
}

const states = async () =>
  (await services.stock.list(productId)).map(({ state, nextSequence, endSequence, lostSinceMs }) => [
    state,
    Number(endSequence - nextSequence),
    lostSinceMs,
  ]);
/** What buyers are told that there is. */
const remaining = async () =>
  (await services.products.list()).find(({ product }) => product.productId === productId)?.remaining;
const segmentIdOf = async (index: number) => {
  const segment = (await services.stock.list(productId))[index];
  if (segment === undefined) throw new Error("There is no such segment.");
  return segment.segmentId;
};
const lost = (sinceMs: number, atMostPerSegment: number | null = null) => ({ sinceMs, atMostPerSegment });

test("all that is left of every segment is set aside, and nothing of it is sold; so it stays when it is done again", async () => {
  await buy(3);
  await services.stock.import(productId, linesOf(["B-1", "B-2"]));
  expect(await services.stock.previewSetAside(lost(50))).toMatchObject([
    { before: "open", maybeSold: 7, forSale: 0 },
    { before: "open", maybeSold: 2, forSale: 0 },
  ]);
  expect(await states()).toEqual([
    ["open", 7, null],
    ["open", 2, null],
  ]);
  expect(await remaining()).toBe(9);
  expect(await services.stock.setAsideAfterLoss(lost(50))).toMatchObject([
    { maybeSold: 7 },
    { maybeSold: 2 },
  ]);
  expect(await remaining()).toBe(0);
  expect(await buyOut()).toEqual([]);
  await services.stock.setAsideAfterLoss(lost(80));
  // Since the earlier of the two.
  expect(await states()).toEqual([
    ["set_aside", 7, 50],
    ["set_aside", 2, 50],
  ]);
});

test("of each segment only the next codes are set aside where no more can have been sold", async () => {
  await buy(3);
  await services.stock.import(productId, linesOf(["B-1", "B-2", "B-3"]));
  expect(await services.stock.setAsideAfterLoss(lost(50, 2))).toMatchObject([
    { maybeSold: 2, forSale: 5 },
    { maybeSold: 2, forSale: 1 },
  ]);
  expect(await buyOut()).toEqual([...codes.slice(5), "B-3"]);
});

test("a segment of which no more is left than may have been sold is set aside as a whole", async () => {
  await buy(8);
  expect(await services.stock.setAsideAfterLoss(lost(50, 2))).toMatchObject([{ maybeSold: 2, forSale: 0 }]);
  expect(await states()).toEqual([["set_aside", 2, 50]]);
});

test("what was set aside before stays so as a whole, however few can have been sold since", async () => {
  await services.stock.setAsideAfterLoss(lost(50));
  expect(await services.stock.setAsideAfterLoss(lost(80, 2))).toMatchObject([
    { before: "set_aside", maybeSold: 10, forSale: 0 },
  ]);
  expect(await states()).toEqual([["set_aside", 10, 50]]);
  expect(await buyOut()).toEqual([]);
});

test("an import that runs is broken off, since it may have ended in the lost time", async () => {
  async function* lines() {
    for (let index = 0; index < 500; index += 1) yield `IMPORT-${index}`;
    await services.stock.setAsideAfterLoss(lost(50));
    yield "IMPORT-500";
  }
  await expect(services.stock.import(productId, lines())).rejects.toMatchObject({
    code: "import_interrupted",
  });
  expect(await states()).toEqual([
    ["set_aside", 10, 50],
    ["set_aside", 500, 50],
  ]);
});

test("what may have been sold is not sold again until somebody says what was not", async () => {
  await buy(2);
  await services.stock.setAsideAfterLoss(lost(50));
  const segmentId = await segmentIdOf(0);
  await expect(services.stock.reopen(segmentId)).rejects.toThrow("may have been sold");
  const unsold = linesOf([codes[5] ?? "", "NOT-OURS", "", codes[9] ?? "", codes[6] ?? "", codes[0] ?? ""]);
  expect(await services.stock.reopen(segmentId, unsold)).toEqual({ forSale: 3, unreadable: 0, maybeSold: 5 });
  expect(await states()).toEqual([
    ["set_aside", 3, 50],
    ["open", 2, null],
    ["set_aside", 2, 50],
    ["open", 1, null],
  ]);
  expect(await buyOut()).toEqual([codes[5], codes[6], codes[9]]);
  expect(await services.stock.reopen(segmentId, "everything")).toEqual({
    forSale: 3,
    unreadable: 0,
    maybeSold: 0,
  });
  expect(await buyOut()).toEqual(codes.slice(2, 5));
});

test("codes that are known to be sold are out of sale for good, wherever they are, and cannot be imported", async () => {
  const [first] = await buy(1);
  const sold = [codes[2], codes[4], codes[3], first, "ELSEWHERE-1", "ELSEWHERE-1", "bad\u{7}"].map(String);
  const lines = () => linesOf(sold);
  expect(await services.stock.markSold(productId, lines)).toEqual({
    takenOut: 3,
    unknown: 1,
    alreadyOut: 0,
    onOrders: 1,
    invalid: 1,
  });
  expect(await services.stock.markSold(productId, lines)).toMatchObject({
    takenOut: 0,
    unknown: 0,
    alreadyOut: 4,
  });
  expect(await services.stock.import(productId, linesOf(["ELSEWHERE-1", "NEW-1"]))).toMatchObject({
    imported: 1,
    duplicates: 1,
  });
  await services.stock.setAsideAfterLoss(lost(50));
  await services.stock.markSold(productId, () => linesOf([codes[8] ?? ""]));
  const asideSince = (await states()).filter(([state]) => state === "set_aside").map(([, , since]) => since);
  expect(new Set(asideSince)).toEqual(new Set([50]));
  for (const { state, segmentId } of await services.stock.list(productId))
    if (state === "set_aside") await services.stock.reopen(segmentId, "everything");
  expect(await buyOut()).toEqual([codes[1], ...codes.slice(5, 8), codes[9], "NEW-1"]);
});

test("of many codes none is left out where one page of them ends and the next begins", async () => {
  const many = Array.from({ length: 1_030 }, (_, index) => `MANY-${index}`);
  await services.stock.import(productId, linesOf(many));
  await services.stock.setAsideAfterLoss(lost(50));
  const segmentId = await segmentIdOf(1);
  const { codes: aside } = await services.stock.codesAside(segmentId);
  expect(await Array.fromAsync(aside)).toEqual(many);
  expect(await services.stock.reopen(segmentId, linesOf(many))).toEqual({
    forSale: many.length,
    unreadable: 0,
    maybeSold: 0,
  });
});

test("codes that are set aside can be read, and no others", async () => {
  await buy(2);
  const segmentId = await segmentIdOf(0);
  await expect(services.stock.codesAside(segmentId)).rejects.toThrow("is open, not set aside");
  await services.stock.setAsideAfterLoss(lost(50));
  const { count, codes: aside } = await services.stock.codesAside(segmentId);
  expect(count).toBe(8);
  expect(await Array.fromAsync(aside)).toEqual(codes.slice(2));
});

test("orders beside it get codes from before, or none", async () => {
  const placing = Promise.allSettled(Array.from({ length: 10 }, () => buy()));
  await services.stock.setAsideAfterLoss(lost(50));
  await placing;
  const [segment] = await services.stock.list(productId);
  if (segment?.state !== "set_aside") expect(segment?.state).toBe("exhausted");
  expect(await buyOut()).toEqual([]);
});
