import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDecimalMoney, MAX_ACCOUNT_MICROCENTS, parseDecimalMoney } from "../money/microcents.ts";
import { isCode } from "../stock/code.ts";
import {
  readBalance,
  readCatalog,
  readErrorCode,
  readPage,
  readQuote,
  readSuppliedCodes,
  retryAfterMsOf,
} from "./convert.ts";

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    undefined,
    -0,
    1e300,
    Number.MAX_SAFE_INTEGER,
    0.1,
    "",
    "\0",
    "\ud800",
    "__proto__",
    "9".repeat(500),
  ),
);
const mostly = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: usual as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd });
const money = mostly(
  fc.oneof(fc.stringMatching(/^\d{1,12}(\.\d{1,4})?$/), fc.stringMatching(/^-?\d*\.?\d{0,30}$/)),
);
const code = mostly(fc.string({ minLength: 1, unit: "binary" }));
const orderFields = {
  orderId: mostly(fc.string({ minLength: 1 })),
  externalOrderId: mostly(fc.constantFrom("ord_1", "ord_2")),
  status: mostly(fc.constantFrom("processing", "retryable", "delivered", "failed", "refunded")),
  unitPrice: money,
  amount: money,
  codes: mostly(fc.array(code, { maxLength: 3 })),
  redeemUrl: mostly(
    fc.oneof(fc.webUrl(), fc.constantFrom(null, "javascript:alert(1)", "https://"), fc.string()),
  ),
  createdAt: mostly(fc.nat()),
};
const order = fc.record(orderFields, { requiredKeys: [] });
const quote = {
  unitPrice: money,
  price: money,
  currency: mostly(fc.constant("USD")),
  available: mostly(fc.boolean()),
};
const body = fc.oneof(
  odd,
  order,
  fc.record({ orders: mostly(fc.array(order)), nextCursor: mostly(fc.option(fc.string())) }),
  fc.record({ ...quote, inStock: mostly(fc.boolean()) }, { requiredKeys: [] }),
  fc.record({
    products: mostly(
      fc.array(fc.record({ id: mostly(fc.string()), inStock: mostly(fc.boolean()), ...quote })),
    ),
  }),
);

const isAmount = (value: bigint) => value >= 0n && value <= MAX_ACCOUNT_MICROCENTS;

/** Whether the amount is what the text says. */
const says = (amount: bigint, text: unknown) =>
  isAmount(amount) && amount === parseDecimalMoney(text as string) && /^0*[\d.]{1,30}$/.test(text as string);

describe("whatever a supplier answers", () => {
  test("a quote is what it says, or null", () => {
    fc.assert(
      fc.property(body, (answer) => {
        const read = readQuote(answer);
        if (read === null) return;
        const { unitPrice, available } = answer as { unitPrice: unknown; available: unknown };
        expect(says(read.unitCostMicrocents, unitPrice)).toBe(true);
        expect(read.available).toBe(available);
      }),
      { numRuns: 500 },
    );
  });

  test("a catalog has every product with its price, or is null", () => {
    fc.assert(
      fc.property(body, (answer) => {
        const read = readCatalog(answer);
        if (read === null) return;
        const { products } = answer as { products: { id: string; price: string; inStock: boolean }[] };
        expect(new Set(read.keys())).toEqual(new Set(products.map(({ id }) => id)));
        for (const [id, { unitCostMicrocents, available }] of read) {
          const said = products.findLast((product) => product.id === id);
          expect(says(unitCostMicrocents, said?.price)).toBe(true);
          expect(available).toBe(said?.inStock);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("an amount is in USD, or is not read", () => {
    const price = "1.00";
    const isRead = (currency?: string) =>
      [
        readQuote({ unitPrice: price, currency, available: true }),
        readCatalog({ products: [{ id: "p", price, currency, inStock: true }] }),
        readBalance({ available: price, currency }),
      ].map((read) => read !== null);
    expect(isRead("USD")).toEqual([true, true, true]);
    for (const other of ["EUR", "usd", undefined]) expect(isRead(other)).toEqual([false, false, false]);
  });

  test("codes are those of the order that was asked for, as many and all different, or null", () => {
    fc.assert(
      fc.property(fc.oneof(order, body), fc.integer({ min: 1, max: 3 }), (answer, qty) => {
        const read = readSuppliedCodes(answer, "ord_1", qty);
        if (read === null) return;
        expect(answer).toMatchObject({
          externalOrderId: "ord_1",
          status: "delivered",
          orderId: read.supplierOrderId,
          codes: read.codes,
        });
        expect(new Set(read.codes).size).toBe(qty);
        expect(read.codes.every(isCode)).toBe(true);
        expect(says(read.unitCostMicrocents, (answer as { unitPrice: unknown }).unitPrice)).toBe(true);
        if (read.redeemUrl !== null) expect(new URL(read.redeemUrl).protocol).toMatch(/^https?:$/);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a page has all of its orders, with moments that dates can have, or is null", () => {
    fc.assert(
      fc.property(body, (answer) => {
        const read = readPage(answer);
        if (read === null) return;
        const { orders } = answer as { orders: { amount: unknown; createdAt: number }[] };
        expect(read.orders).toHaveLength(orders.length);
        for (const [index, { amountMicrocents, createdAtMs }] of read.orders.entries()) {
          expect(says(amountMicrocents, orders[index]?.amount)).toBe(true);
          expect(createdAtMs).toBe((orders[index]?.createdAt ?? Number.NaN) * 1000);
          expect(new Date(createdAtMs).getTime()).toBe(createdAtMs);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("nothing throws", () => {
    fc.assert(
      fc.property(body, fc.nat(600), fc.option(fc.string()), (answer, status, header) => {
        readBalance(answer);
        readErrorCode(status, answer);
        const waitMs = retryAfterMsOf(answer, header);
        expect(waitMs >= 0 && Number.isSafeInteger(waitMs)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

test("amounts are exact up to the largest that an account can hold, and unreadable beyond it", () => {
  const available = formatDecimalMoney(MAX_ACCOUNT_MICROCENTS);
  expect(readBalance({ available, currency: "USD" })).toBe(parseDecimalMoney(available));
  for (const unreadable of ["90071992.5475", "1".repeat(60), "-1.00", "1.00000", "1e3", " 1.00", ""])
    expect(readBalance({ available: unreadable, currency: "USD" })).toBeNull();
});

test("the wait that is asked for is read from details or header, details first", () => {
  const error = { error: "order_in_progress", message: "", details: { retryAfterSeconds: 3 } };
  expect(retryAfterMsOf(error, "7")).toBe(3_000);
  expect(retryAfterMsOf({ ...error, details: {} }, "7")).toBe(7_000);
  for (const unreadable of [null, "", "soon", "-1", "1.5", "Wed, 21 Oct 2026 07:28:00 GMT", "9".repeat(20)])
    expect(retryAfterMsOf("<html>", unreadable)).toBe(0);
});
test("a moment or a wait beyond all bounds cannot be read, or is cut", () => {
  const order = {
    orderId: "s-1",
    externalOrderId: "ord_1",
    status: "failed",
    amount: "1.00",
    createdAt: 2 ** 52,
  };
  expect(readPage({ orders: [order], nextCursor: null })).toBeNull();
  const details = { retryAfterSeconds: 2 ** 52 };
  expect(retryAfterMsOf({ error: "order_in_progress", message: "", details }, null)).toBe(86_400_000);
});

test.each<[string, object]>([
  ["of another order", { externalOrderId: "ord_2" }],
  ["of an order that is not delivered", { status: "processing" }],
  ["too few", { codes: ["A"] }],
  ["too many", { codes: ["A", "B", "C"] }],
  ["the same twice", { codes: ["A", "A"] }],
  ["at a price that is none", { unitPrice: "free" }],
])("codes that are %s are not taken", (_name, changes) => {
  const answer = {
    ...{ orderId: "their-1", externalOrderId: "ord_1", status: "delivered", unitPrice: "0.50" },
    ...{ codes: ["A", "B"], redeemUrl: "https://redeem.example/" },
  };
  expect(readSuppliedCodes(answer, "ord_1", 2)).toEqual({
    ...{ supplierOrderId: "their-1", unitCostMicrocents: 50_000_000n, codes: ["A", "B"] },
    redeemUrl: "https://redeem.example/",
  });
  expect(readSuppliedCodes({ ...answer, redeemUrl: "redeem.example" }, "ord_1", 2)?.redeemUrl).toBeNull();
  expect(readSuppliedCodes({ ...answer, ...changes }, "ord_1", 2)).toBeNull();
});
