import fc from "fast-check";
import { expect, test } from "vitest";
import { microcents } from "../money/microcents.ts";
import { holdTime } from "../testing/held-time.ts";
import { createLookBudget } from "./look-budget.ts";
import { createQuotes, type QuoteOptions } from "./quotes.ts";
import type { Quote } from "./supplier.ts";

const { nowMs, pass } = holdTime();

const LOOK: QuoteOptions = { fresh: false, purpose: "look" };
const PURCHASE: QuoteOptions = { fresh: false, purpose: "purchase" };

function quoteOf(cost: number, available: boolean): Quote {
  return { unitCostMicrocents: microcents(BigInt(cost)), available };
}

/** The quotes of a supplier that answers like that, and what it was asked. */
function supplierWith(answer: (qty: number) => Quote, looksPerMinute = 30) {
  const asked: number[] = [];
  const budget = createLookBudget(looksPerMinute, nowMs);
  const quotes = createQuotes(
    {
      async quote(_productId, qty) {
        asked.push(qty);
        return answer(qty);
      },
      async catalog() {
        asked.push(0);
        return new Map([["pen", answer(1)]]);
      },
    },
    budget,
  );
  return { asked, budget, quotes };
}

const UNAVAILABLE = { code: "supplier_unavailable" };

test("a buyer who asks for all quantities makes few looks of them", async () => {
  const { asked, quotes } = supplierWith(() => quoteOf(5, true));
  for (let qty = 2; qty <= 1_000; qty += 1)
    expect(await quotes.quote("pen", qty, LOOK)).toEqual(quoteOf(5, true));
  expect(asked.length).toBeLessThan(9);
});

test("also when all of them are asked for at once", async () => {
  const { asked, quotes } = supplierWith(() => quoteOf(5, true));
  await Promise.all(Array.from({ length: 59 }, (_, index) => quotes.quote("pen", index + 2, LOOK)));
  expect(asked.length).toBeLessThan(9);
});

test("a usual buyer is answered by the quantity that was asked for", async () => {
  const { asked, quotes } = supplierWith(() => quoteOf(5, true));
  for (const qty of [7, 7, 2, 7]) await quotes.quote("pen", qty, LOOK);
  expect(asked).toEqual([7, 2]);
  await quotes.quote("pen", 4, LOOK);
  expect(asked).toEqual([7, 2]);
});

test("what is answered from other quantities is what the supplier would say, whatever its prices and stock", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ from: fc.integer({ min: 2, max: 1_000 }), cost: fc.integer({ min: 1, max: 9 }) }),
        { maxLength: 3 },
      ),
      fc.integer({ min: 0, max: 1_000 }),
      fc.array(fc.integer({ min: 1, max: 1_000 }), { maxLength: 60 }),
      async (discounts, stock, quantities) => {
        // Each discount holds from a quantity on, and is larger than the one before.
        const steps = discounts.sort((one, other) => one.from - other.from);
        const costAt = (qty: number) =>
          100 - steps.filter(({ from }) => from <= qty).reduce((sum, { cost }) => sum + cost, 0);
        const truth = (qty: number) => quoteOf(costAt(qty), qty <= stock);
        const { quotes } = supplierWith(truth, 1_000_000);
        for (const qty of quantities) expect(await quotes.quote("pen", qty, LOOK)).toEqual(truth(qty));
      },
    ),
  );
});

test("looks end at their budget, and purchases go on", async () => {
  const { asked, quotes } = supplierWith((qty) => quoteOf(1_000 - qty, true));
  for (let qty = 1; qty <= 100; qty += 1) await quotes.quote("pen", qty, LOOK).catch(() => {});
  expect(asked).toHaveLength(30);
  await expect(quotes.quote("pen", 90, LOOK)).rejects.toMatchObject(UNAVAILABLE);
  expect(await quotes.quote("pen", 90, PURCHASE)).toEqual(quoteOf(910, true));
  expect(await quotes.quote("pen", 90, { ...PURCHASE, fresh: true })).toEqual(quoteOf(910, true));
  expect(asked).toHaveLength(32);
  // What a purchase was told is known to those who look.
  expect(await quotes.quote("pen", 90, LOOK)).toEqual(quoteOf(910, true));
  pass(60_000);
  expect(await quotes.quote("pen", 91, LOOK)).toEqual(quoteOf(909, true));
});

test("a purchase does not share the answer to a look, for which less is done", async () => {
  const { asked, quotes } = supplierWith(() => quoteOf(5, true));
  await Promise.all([quotes.quote("pen", 7, LOOK), quotes.quote("pen", 7, PURCHASE)]);
  expect(asked).toEqual([7, 7]);
});

test("of several products each is quoted for itself, also when they are asked for at once", async () => {
  const costs = new Map([
    ["pen", 5],
    ["cup", 7],
  ]);
  const adapter = {
    quote: async (productId: string) => quoteOf(costs.get(productId) ?? 0, productId === "pen"),
    catalog: async () => new Map(),
  };
  const quotes = createQuotes(adapter, createLookBudget(30, nowMs));
  for (const options of [PURCHASE, { ...PURCHASE, fresh: true }, LOOK])
    expect(await Promise.all(["pen", "cup"].map((productId) => quotes.quote(productId, 7, options)))).toEqual(
      [quoteOf(5, true), quoteOf(7, false)],
    );
});

test("a supplier that has enough is left alone for as long as it asks, and never for more than a minute", () => {
  const budget = createLookBudget(30, nowMs);
  budget.rest(5_000);
  budget.rest(1_000);
  pass(4_999);
  expect(budget.take()).toBe(false);
  pass(1);
  expect(budget.take()).toBe(true);
  budget.rest(86_400_000);
  pass(59_999);
  expect(budget.take()).toBe(false);
  pass(1);
  expect(budget.take()).toBe(true);
});

test("a purchase is not made by what was true up to a minute ago", async () => {
  let cost = 5;
  const { quotes } = supplierWith(() => quoteOf(cost, true));
  expect(await quotes.quote("pen", 7, PURCHASE)).toEqual(quoteOf(5, true));
  cost = 9;
  pass(4_999);
  expect(await quotes.quote("pen", 7, PURCHASE)).toEqual(quoteOf(5, true));
  pass(2);
  expect(await quotes.quote("pen", 7, PURCHASE)).toEqual(quoteOf(9, true));
  expect(await quotes.quote("pen", 7, LOOK)).toEqual(quoteOf(9, true));
});

test("without looks what was true up to a minute ago is told, of the catalog as of a quantity", async () => {
  const { asked, budget, quotes } = supplierWith(() => quoteOf(5, true));
  await quotes.quote("pen", 7, LOOK);
  await quotes.catalog();
  budget.rest(60_000);
  pass(50_000);
  expect(await quotes.quote("pen", 7, LOOK)).toEqual(quoteOf(5, true));
  expect((await quotes.catalog()).size).toBe(1);
  expect(asked).toEqual([7, 0]);
  budget.rest(60_000);
  pass(11_000);
  await expect(quotes.quote("pen", 7, LOOK)).rejects.toMatchObject(UNAVAILABLE);
  await expect(quotes.catalog()).rejects.toMatchObject(UNAVAILABLE);
  pass(50_000);
  expect((await quotes.catalog()).size).toBe(1);
});
