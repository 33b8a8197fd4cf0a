import { describe, expect, expectTypeOf, test } from "vitest";
import { createMemoryStore } from "./memory-store.ts";
import type { ErrorCode } from "./ordering-errors.ts";
import type { PurchaseOutcome, PurchaseStore } from "./purchase.ts";
import { PurchaseMismatchError } from "./purchases.ts";
import {
  type Answer,
  deliveredOrder,
  listOf,
  refusal,
  scriptedShop,
  WANTED,
} from "./testing/scripted-shop.ts";

const BASE_URL = "https://shop.example/shop/v1";
const delivers = () => Response.json(deliveredOrder());
const DELIVERED = {
  kind: "delivered",
  orderId: "ord_1",
  unitPrice: "1.00",
  amount: "2.00",
  codes: [
    { code: "CODE-1", redeemUrl: "https://redeem.example/pen" },
    { code: "CODE-2", redeemUrl: "https://redeem.example/pen" },
  ],
};
const POST = { method: "POST", path: "/orders", body: WANTED };
const LIST = { method: "GET", path: "/orders?externalOrderId=purchase-1", body: null };
const DETAIL = { method: "GET", path: "/orders/ord_1", body: null };

/** Answers one request after the other. */
const inTurn =
  (...answers: (() => Response | undefined)[]): Answer =>
  (_, index) =>
    answers[index]?.();

test("a purchase is stored before it is sent, and its end before it is told", async () => {
  const steps: string[] = [];
  const memory = createMemoryStore();
  const store: PurchaseStore = {
    ...memory,
    async begin(purchase) {
      const begun = await memory.begin(purchase);
      steps.push(`stored ${begun.purchase.externalOrderId}`);
      return begun;
    },
    async conclude(purchase, conclusion) {
      await memory.conclude(purchase, conclusion);
      steps.push(`concluded ${conclusion.kind}`);
    },
  };
  const shop = scriptedShop(() => {
    steps.push("sent");
    return delivers();
  }, store);
  expect(await shop.purchase(WANTED)).toEqual({ ...WANTED, ...DELIVERED });
  expect(steps).toEqual(["stored purchase-1", "sent", "concluded delivered"]);
  expect(shop.sent).toEqual([POST]);
});

test("nothing is sent when the store fails", async () => {
  const store = { ...createMemoryStore(), begin: () => Promise.reject(new Error("The disk is full.")) };
  const shop = scriptedShop(delivers, store);
  await expect(shop.purchase(WANTED)).rejects.toThrow("The disk is full.");
  expect(shop.sent).toEqual([]);
});

test("a purchase without an id gets one, and its price is sent along", async () => {
  const shop = scriptedShop(({ body }) => Response.json(deliveredOrder(body as object)));
  const outcome = await shop.purchase({ productId: "pen", qty: 2, expectedUnitPrice: "1.00" });
  expect(outcome.externalOrderId).toMatch(/^[0-9a-f-]{36}$/);
  const { externalOrderId } = outcome;
  expect(shop.sent).toEqual([
    { ...POST, body: { externalOrderId, productId: "pen", qty: 2, expectedUnitPrice: "1.00" } },
  ]);
});

test.each([
  { qty: 0 },
  { qty: 1001 },
  { qty: 1.5 },
  { productId: "" },
  { productId: "x".repeat(129) },
  { externalOrderId: "" },
  { externalOrderId: "x".repeat(65) },
  { externalOrderId: "\ud800" },
  { externalOrderId: "a\0" },
  { productId: "\0" },
  { expectedUnitPrice: "1.001" },
  { expectedUnitPrice: "-1" },
])("what the interface cannot take is neither stored nor sent: %j", async (change) => {
  const shop = scriptedShop(delivers);
  await expect(shop.purchase({ ...WANTED, ...change })).rejects.toThrow(RangeError);
  expect(await shop.store.unfinished(BASE_URL)).toEqual([]);
  expect(shop.sent).toEqual([]);
});

describe("after an outcome that is not certain", () => {
  const cases: Record<string, () => Response | undefined> = {
    "a connection that fails": () => undefined,
    "a gateway's error": () => new Response("<html>", { status: 502 }),
    "a 200 that cannot be read": () => new Response("<html>"),
    "a 200 without a body": () => new Response(null),
    "a 200 with too few codes": () => Response.json(deliveredOrder({ codes: ["CODE-1"] })),
    "a 200 with a code twice": () => Response.json(deliveredOrder({ codes: ["CODE-1", "CODE-1"] })),
    "a 200 with another order": () => Response.json(deliveredOrder({ externalOrderId: "purchase-2" })),
    "a 200 without the address": () => Response.json(deliveredOrder({ redeemUrl: null })),
    "a 200 that is not delivered": () => Response.json(deliveredOrder({ status: "processing" })),
  };

  test.each(Object.entries(cases))("such as %s, the same order is sent again", async (_, answer) => {
    const shop = scriptedShop(inTurn(answer, answer, delivers));
    expect(await shop.purchase(WANTED)).toMatchObject(DELIVERED);
    expect(shop.sent).toEqual([POST, POST, POST]);
    expect(shop.waitsMs).toHaveLength(2);
  });

  test("the pauses grow, and differ", async () => {
    const shop = scriptedShop((_, index) => (index < 9 ? refusal("server_error") : delivers()));
    await shop.purchase(WANTED);
    const longestMs = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000];
    for (const [index, longest] of longestMs.entries()) {
      expect(shop.waitsMs[index]).toBeGreaterThanOrEqual(longest / 2);
      expect(shop.waitsMs[index]).toBeLessThanOrEqual(longest);
    }
  });

  const nothing = () => undefined;
  const empty = () => listOf();
  const REFUSALS: [ErrorCode, string][] = [
    ["price_changed", "price_changed"],
    ["not_found", "refused"],
    ["key_order_limit_exceeded", "refused"],
    ["insufficient_scope", "refused"],
    ["unauthorized", "refused"],
    ["out_of_stock", "refused"],
    ["supplier_price_changed", "refused"],
    ["supplier_not_configured", "refused"],
    ["insufficient_balance", "refused"],
    ["key_daily_limit_exceeded", "refused"],
    ["invalid_input", "refused"],
    ["bad_request", "refused"],
  ];
  const refuses = (error: ErrorCode) => () =>
    refusal(
      error,
      error === "price_changed" ? { expectedUnitPrice: "1.00", actualUnitPrice: "2.00" } : undefined,
    );

  test.each(REFUSALS)(
    "%s is believed when nothing is found after the longest that an order takes",
    async (error, kind) => {
      const shop = scriptedShop(inTurn(nothing, refuses(error), empty, empty));
      expect(await shop.purchase(WANTED)).toMatchObject({ kind });
      expect(shop.sent).toEqual([POST, POST, LIST, LIST]);
      expect(shop.waitsMs).toHaveLength(2);
      expect(shop.waitsMs[1]).toBeGreaterThan(50_000);
      expect(shop.waitsMs[1]).toBeLessThanOrEqual(60_000);
    },
  );

  test.each(REFUSALS)("%s is corrected when the first attempt delivers meanwhile", async (error) => {
    const found = () => listOf(deliveredOrder({ codes: [] }));
    const shop = scriptedShop(inTurn(nothing, refuses(error), empty, found, delivers));
    expect(await shop.purchase(WANTED)).toMatchObject(DELIVERED);
    expect(shop.sent).toEqual([POST, POST, LIST, LIST, DETAIL]);
  });

  test("a refusal leaves it unresolved when there is no time to be certain", async () => {
    const shop = scriptedShop(inTurn(nothing, refuses("price_changed"), empty), undefined, 30_000);
    expect(await shop.purchase(WANTED)).toMatchObject({ kind: "unresolved", reason: "given_up" });
    expect(shop.sent).toEqual([POST, POST, LIST]);
    expect(await shop.store.unfinished(BASE_URL)).toHaveLength(1);
  });

  test("a refusal is believed at once when the id stands for an order that is closed", async () => {
    const closed = () => listOf(deliveredOrder({ status: "failed", codes: [] }));
    const shop = scriptedShop(inTurn(nothing, refuses("unauthorized"), closed));
    expect(await shop.purchase(WANTED)).toMatchObject({ kind: "refused" });
    expect(shop.sent).toEqual([POST, POST, LIST]);
  });

  test("a refusal is corrected when the look-up finds the codes", async () => {
    const found = () => listOf(deliveredOrder({ codes: [] }));
    const shop = scriptedShop(
      inTurn(
        () => undefined,
        () => refusal("unauthorized"),
        found,
        delivers,
      ),
    );
    expect(await shop.purchase(WANTED)).toMatchObject(DELIVERED);
    expect(shop.sent).toEqual([POST, POST, LIST, DETAIL]);
  });

  test.each([
    ["is still open", () => listOf(deliveredOrder({ status: "processing", codes: [] }))],
    ["cannot be looked up", () => refusal("unauthorized")],
  ])("a refusal leaves a purchase that %s unresolved", async (_, found) => {
    const shop = scriptedShop(
      inTurn(
        () => undefined,
        () => refusal("unauthorized"),
        found,
      ),
    );
    expect(await shop.purchase(WANTED)).toMatchObject({
      kind: "unresolved",
      reason: "stopped",
      error: { error: "unauthorized" },
    });
    expect(await shop.store.unfinished(BASE_URL)).toHaveLength(1);
  });

  test("it is given back unresolved when the time is up, and stays in the store", async () => {
    const shop = scriptedShop(() => refusal("order_in_progress", { retryAfterSeconds: 86_400 }));
    expect(await shop.purchase(WANTED)).toMatchObject({ kind: "unresolved", reason: "given_up" });
    expect(shop.sent).toEqual([POST]);
    expect(await shop.store.unfinished(BASE_URL)).toHaveLength(1);
  });

  test("it is given back unresolved when the caller breaks off", async () => {
    const controller = new AbortController();
    const shop = scriptedShop(() => {
      controller.abort();
      return undefined;
    });
    const outcome = await shop.purchase(WANTED, { signal: controller.signal });
    expect(outcome).toMatchObject({ kind: "unresolved", reason: "aborted" });
    expect(shop.sent).toEqual([POST]);
  });
});

describe("a purchase with an id that is stored", () => {
  test("is answered from the store when it was delivered", async () => {
    const shop = scriptedShop(inTurn(delivers));
    const first = await shop.purchase(WANTED);
    expect(await shop.purchase(WANTED)).toEqual(first);
    expect(shop.sent).toEqual([POST]);
  });

  test.each([{ productId: "ink" }, { qty: 3 }, { expectedUnitPrice: "1.00" }])(
    "is refused with %j, and nothing is sent",
    async (change) => {
      const shop = scriptedShop(inTurn(delivers));
      await shop.purchase(WANTED);
      await expect(shop.purchase({ ...WANTED, ...change })).rejects.toThrow(PurchaseMismatchError);
      expect(shop.sent).toEqual([POST]);
    },
  );

  test("is sent again when its refusal may have passed", async () => {
    const shop = scriptedShop(inTurn(() => refusal("out_of_stock"), delivers));
    expect(await shop.purchase(WANTED)).toMatchObject({ kind: "refused", mayRepeat: true });
    expect(await shop.purchase(WANTED)).toMatchObject(DELIVERED);
    expect(shop.sent).toEqual([POST, POST]);
  });

  test("is in doubt when another user of the store has opened it again", async () => {
    const store = createMemoryStore();
    await scriptedShop(
      inTurn(() => refusal("out_of_stock")),
      store,
    ).purchase(WANTED);
    const slow = { ...store, reopen: async () => false };
    const found = () => listOf(deliveredOrder({ codes: [] }));
    const shop = scriptedShop(
      inTurn(() => refusal("not_found"), found, delivers),
      slow,
    );
    expect(await shop.purchase(WANTED)).toMatchObject(DELIVERED);
    expect(shop.sent).toEqual([POST, LIST, DETAIL]);
  });

  test("is not sent again when the id is used up", async () => {
    const shop = scriptedShop(inTurn(() => refusal("idempotency_conflict")));
    const refused = await shop.purchase(WANTED);
    expect(refused).toMatchObject({ kind: "refused", mayRepeat: false });
    expect(await shop.purchase(WANTED)).toEqual(refused);
    expect(shop.sent).toEqual([POST]);
  });
});

describe("a price that has changed", () => {
  const prices = { expectedUnitPrice: "1.00", actualUnitPrice: "1.1" };
  const wanted = { ...WANTED, expectedUnitPrice: "1.00" };
  const shopOf = () =>
    scriptedShop(({ body }) => {
      const order = body as typeof wanted;
      if (order.expectedUnitPrice === "1.00") return refusal("price_changed", prices);
      return Response.json(deliveredOrder(order));
    });

  test("is told, and nothing more is sent", async () => {
    const shop = shopOf();
    expect(await shop.purchase(wanted)).toEqual({ ...WANTED, kind: "price_changed", ...prices });
    await shop.purchase(wanted);
    expect(shop.sent).toEqual([{ ...POST, body: wanted }]);
  });

  test("is confirmed by a call, which buys under a new id, once", async () => {
    const shop = shopOf();
    const changed = await shop.purchase(wanted);
    if (changed.kind !== "price_changed") throw new Error("The price was not refused.");
    const bought = await shop.confirmPrice(changed);
    expect(bought).toMatchObject({ kind: "delivered" });
    expect(bought.externalOrderId).not.toBe(WANTED.externalOrderId);
    expect(await shop.confirmPrice(changed)).toEqual(bought);
    const { externalOrderId } = bought;
    expect(shop.sent.map(({ body }) => body)).toEqual([
      wanted,
      { ...wanted, externalOrderId, expectedUnitPrice: "1.10" },
    ]);
  });

  test("is not confirmed for a purchase that ended otherwise", async () => {
    const shop = scriptedShop(delivers);
    const outcome = await shop.purchase(WANTED);
    await expect(shop.confirmPrice({ ...outcome, kind: "price_changed", ...prices })).rejects.toThrow(
      RangeError,
    );
  });
});

describe("resuming", () => {
  /** A store with a purchase that may have been sent. */
  const interrupted = async () => {
    const shop = scriptedShop(() => undefined);
    const controller = new AbortController();
    controller.abort();
    await shop.purchase(WANTED, { signal: controller.signal });
    return shop.store;
  };

  test("reads the codes of what was delivered, without another order", async () => {
    const found = () => listOf(deliveredOrder({ codes: [] }));
    const shop = scriptedShop(inTurn(found, delivers), await interrupted());
    expect(await shop.resumePurchases()).toEqual([{ ...WANTED, ...DELIVERED }]);
    expect(shop.sent).toEqual([LIST, DETAIL]);
    expect(await shop.resumePurchases()).toEqual([]);
  });

  test.each([
    ["that never arrived", () => listOf()],
    ["that is still open", () => listOf(deliveredOrder({ status: "processing", codes: [] }))],
    ["that may be sent again", () => listOf(deliveredOrder({ status: "retryable", codes: [] }))],
    ["that cannot be looked up", () => undefined],
  ])("sends again what %s", async (_, found) => {
    const shop = scriptedShop(inTurn(found, delivers), await interrupted());
    expect(await shop.resumePurchases()).toMatchObject([DELIVERED]);
    expect(shop.sent).toEqual([LIST, POST]);
  });

  test("tells of an order that is closed", async () => {
    const details = { orderId: "ord_1", status: "failed", errorCode: "out_of_stock" };
    const closed = () => listOf(deliveredOrder({ status: "failed", codes: [] }));
    const answers = inTurn(closed, () => refusal("idempotency_conflict", details), closed);
    const shop = scriptedShop(answers, await interrupted());
    expect(await shop.resumePurchases()).toMatchObject([
      { kind: "refused", error: "idempotency_conflict", details, mayRepeat: false },
    ]);
    expect(await shop.store.unfinished(BASE_URL)).toEqual([]);
  });

  test("leaves the purchases of another shop alone", async () => {
    const store = await interrupted();
    const [purchase] = await store.unfinished(BASE_URL);
    if (purchase === undefined) throw new Error("Nothing is stored.");
    const other = createMemoryStore();
    await other.begin({ ...purchase, baseUrl: "https://other.example/shop/v1" });
    expect(await scriptedShop(delivers, other).resumePurchases()).toEqual([]);
  });
});

test("codes cannot be had without looking at the outcome, nor without their address", () => {
  const read = (outcome: PurchaseOutcome) => {
    // @ts-expect-error only a delivered purchase has codes
    outcome.codes;
    if (outcome.kind !== "delivered") return;
    expectTypeOf(outcome.codes[0]).toEqualTypeOf<
      { readonly code: string; readonly redeemUrl: string } | undefined
    >();
  };
  expectTypeOf(read).toBeFunction();
  const { purchase } = scriptedShop(delivers);
  // @ts-expect-error a required field is missing
  () => purchase({ productId: "pen" });
  // @ts-expect-error there is no such field
  () => purchase({ ...WANTED, quantity: 2 });
});
