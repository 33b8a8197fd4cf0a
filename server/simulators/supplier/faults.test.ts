import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestBuyer, IMPATIENT_MS, type TestBuyer } from "../../testing/test-buyer.ts";
import { FAULT_KINDS, type FaultInput, type FaultKind } from "./faults.ts";
import { type SupplierSimulator, startSupplierSimulator } from "./supplier-simulator.ts";

/** Until the test ends the delay. */
const FOR_LONG_MS = 600_000;

let simulator: SupplierSimulator;
let buyer: TestBuyer;

beforeEach(async () => {
  simulator = await startSupplierSimulator({
    products: [
      { productId: "pen", unitPrice: "1.00" },
      { productId: "few", unitPrice: "2.00", stock: 5 },
    ],
  });
  buyer = createTestBuyer(simulator.url, simulator.apiKey);
});
afterEach(() => simulator.close());

const statusOf = (id: string) => simulator.purchases().get(id)?.status;

describe("one exchange", () => {
  test.each<[FaultInput, number | "cut" | "timeout", "none" | "delivered"]>([
    ["refuse", 503, "none"],
    [{ kind: "late", delayMs: 20 }, 200, "delivered"],
    [{ kind: "late", delayMs: FOR_LONG_MS }, "timeout", "delivered"],
    [{ kind: "late_effect", delayMs: 20 }, 200, "delivered"],
    [{ kind: "late_effect", delayMs: FOR_LONG_MS }, "timeout", "none"],
    ["cut_before", "cut", "none"],
    ["cut_after", "cut", "delivered"],
    ["cut_midway", "cut", "delivered"],
    ["hang_before", "timeout", "none"],
    ["hang_after", "timeout", "delivered"],
    ["garbage", 200, "delivered"],
    [{ kind: "garbage", effect: false }, 200, "none"],
    ["garbage_shape", 200, "delivered"],
    [{ kind: "garbage_shape", effect: false }, 200, "none"],
    ["error_before", 500, "none"],
    [{ kind: "error_before", status: 502 }, 502, "none"],
    [{ kind: "error_before", status: 503 }, 503, "none"],
    ["error_after", 500, "delivered"],
    [{ kind: "error_after", status: 502 }, 502, "delivered"],
    [{ kind: "error_after", status: 503 }, 503, "delivered"],
  ])("%j", async (fault, outcome, status) => {
    simulator.nextPurchases(fault);
    const patience = outcome === "timeout" ? () => statusOf("a") === status : undefined;
    expect(await buyer.outcomeOf("a", { qty: 3 }, patience)).toBe(outcome);
    await expect.poll(() => statusOf("a")).toBe(status);
    const again = await buyer.buy("a", { qty: 3 });
    expect(again).toMatchObject({ status: 200, body: { reused: status === "delivered" } });
    expect(simulator.purchases().get("a")).toMatchObject({ requests: 2, deliveredCodes: again.body.codes });
  });

  test("late_effect comes also when the buyer has hung up, and only once", async () => {
    simulator.nextPurchases({ kind: "late_effect", delayMs: FOR_LONG_MS });
    expect(await buyer.outcomeOf("a", {}, () => statusOf("a") === "none")).toBe("timeout");
    expect((await buyer.call("/orders?externalOrderId=a")).body.orders).toEqual([]);
    simulator.endDelays();
    await expect.poll(() => statusOf("a")).toBe("delivered");
    expect((await buyer.buy("a")).body.reused).toBe(true);
  });

  test("cut_midway sends the head and a part of the body", async () => {
    simulator.nextPurchases("cut_midway");
    const response = await fetch(`${simulator.url}/orders`, {
      method: "POST",
      headers: { Authorization: `Bearer ${simulator.apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({ externalOrderId: "a", productId: "pen", qty: 1 }),
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test("garbage is no JSON, garbage_shape is other JSON, 502 is a gateway's page", async () => {
    simulator.nextPurchases("garbage", "garbage_shape", { kind: "error_after", status: 502 });
    expect((await buyer.buy("a")).body).toBeUndefined();
    expect((await buyer.buy("b")).body).not.toHaveProperty("orderId");
    const gateway = await buyer.buy("c");
    expect(gateway.text).toContain("<html>");
    expect(gateway.headers.get("content-type")).toBe("text/html");
  });

  test.each<[FaultKind, (codes: string[]) => unknown[]]>([
    ["too_few_codes", ([first, second]) => [first, second]],
    ["too_many_codes", ([first, second, third]) => [first, second, third, `${first}-EXTRA`]],
    ["repeated_code", ([first, second]) => [first, second, first]],
  ])("%s is wrong once, and the order is right", async (kind, expected) => {
    simulator.nextPurchases(kind);
    const wrong = await buyer.buy("a", { qty: 3 });
    const { codes } = (await buyer.buy("a", { qty: 3 })).body;
    expect(wrong.body.codes).toEqual(expected(codes));
    expect((await buyer.call(`/orders/${wrong.body.orderId}`)).body.codes).toEqual(codes);
  });

  test("price_change raises the price first; an expected price is refused", async () => {
    simulator.nextPurchases({ kind: "price_change", unitPrice: "3.50" }, "price_change");
    expect((await buyer.buy("a", { expectedUnitPrice: "1.00" })).body).toMatchObject({
      error: "price_changed",
      details: { expectedUnitPrice: "1.00", actualUnitPrice: "3.50" },
    });
    expect((await buyer.buy("b")).body.unitPrice).toBe("3.51");
    expect((await buyer.call("/products/pen/availability")).body.unitPrice).toBe("3.51");
  });

  test("closed records a failed order for ever", async () => {
    simulator.nextPurchases("closed");
    for (let count = 0; count < 2; count += 1) {
      expect(await buyer.buy("a", { productId: "few", qty: 5 })).toMatchObject({
        status: 409,
        body: {
          error: "idempotency_conflict",
          details: { status: "failed", errorCode: "supplier_unavailable" },
        },
      });
    }
    expect((await buyer.call("/products/few/availability?qty=5")).body.available).toBe(true);
    expect(simulator.purchases().get("a")).toMatchObject({ status: "failed", deliveredCodes: [] });
  });
});

describe("processing_then", () => {
  const order = { productId: "few", qty: 5 };
  const begin = async (end: "delivered" | "retryable" | "failed") => {
    simulator.setBalance("10.00");
    simulator.nextPurchases({ kind: "processing_then", delayMs: FOR_LONG_MS, end, retryAfterSeconds: 2 });
    const begun = await buyer.buy("a", order);
    expect(begun).toMatchObject({
      status: 503,
      body: { error: "order_in_progress", details: { retryAfterSeconds: 2 } },
    });
    expect(begun.headers.get("retry-after")).toBe("2");
    const [listed] = (await buyer.call("/orders?externalOrderId=a")).body.orders;
    expect(listed).toMatchObject({ status: "processing", codes: [], deliveredAt: null, redeemUrl: null });
    expect((await buyer.call("/balance")).body).toMatchObject({ reserved: "10.00", available: "0.00" });
    expect((await buyer.buy("a", order)).body.error).toBe("order_in_progress");
    expect((await buyer.buy("b", order)).body.error).toBe("out_of_stock");
    simulator.endDelays();
    await expect.poll(() => statusOf("a")).toBe(end);
    return (await buyer.call(`/orders/${listed.orderId}`)).body;
  };

  test("delivers in the background", async () => {
    const shown = await begin("delivered");
    expect(shown).toMatchObject({ status: "delivered", codes: { length: 5 } });
    expect((await buyer.buy("a", order)).body).toEqual({ ...shown, reused: true });
    expect((await buyer.call("/balance")).body).toMatchObject({ balance: "0.00", reserved: "0.00" });
  });

  test("ends as retryable and is bought afresh", async () => {
    const shown = await begin("retryable");
    expect(shown).toMatchObject({ status: "retryable", codes: [], errorCode: "supplier_unavailable" });
    simulator.setPrice("few", "1.00");
    const bought = await buyer.buy("a", order);
    expect(bought.body).toMatchObject({
      orderId: shown.orderId,
      amount: "5.00",
      reused: false,
      errorCode: null,
    });
    expect((await buyer.call("/balance")).body).toMatchObject({ balance: "5.00", reserved: "0.00" });
  });

  test("ends as failed and stays closed", async () => {
    await begin("failed");
    expect((await buyer.buy("a", order)).body).toMatchObject({ details: { status: "failed" } });
    expect((await buyer.call("/balance")).body).toMatchObject({ balance: "10.00", reserved: "0.00" });
  });
});

describe("whom a fault hits", () => {
  test("the queue goes in order, one purchase each", async () => {
    simulator.nextPurchases("cut_before", "error_before");
    const outcomes = ["a", "b", "c"].map((id) => () => buyer.outcomeOf(id));
    expect([await outcomes[0]?.(), await outcomes[1]?.(), await outcomes[2]?.()]).toEqual(["cut", 500, 200]);
  });

  test("an id or a product alone, so often", async () => {
    simulator.fault({ kind: "error_before", externalOrderId: "a", times: 2 });
    simulator.fault({ kind: "error_before", status: 503, productId: "few", times: null });
    expect(await buyer.outcomeOf("b")).toBe(200);
    expect([await buyer.outcomeOf("a"), await buyer.outcomeOf("a"), await buyer.outcomeOf("a")]).toEqual([
      500, 500, 200,
    ]);
    expect([
      await buyer.outcomeOf("c", { productId: "few" }),
      await buyer.outcomeOf("c", { productId: "few" }),
    ]).toEqual([503, 503]);
    simulator.clearFaults();
    expect(await buyer.outcomeOf("c", { productId: "few" })).toBe(200);
  });

  test("every purchase of a product that has it, less than a rule", async () => {
    simulator.setProduct({
      productId: "cursed",
      unitPrice: "1.00",
      fault: { kind: "error_after", status: 502 },
    });
    simulator.fault({ kind: "refuse", code: "out_of_stock", externalOrderId: "b" });
    expect(await buyer.outcomeOf("a", { productId: "cursed" })).toBe(502);
    expect(await buyer.outcomeOf("a", { productId: "cursed" })).toBe(502);
    expect(await buyer.outcomeOf("b", { productId: "cursed" })).toBe(409);
    expect(await buyer.outcomeOf("c")).toBe(200);
    simulator.setProductFault("cursed", null);
    expect(await buyer.outcomeOf("a", { productId: "cursed" })).toBe(200);
  });

  test("reads: each operation for itself", async () => {
    const { orderId } = (await buyer.buy("a", { qty: 2 })).body;
    const read = (path: string, options = {}) =>
      buyer.call(path, options).then(
        ({ status, body }) => (body === undefined ? "garbage" : status),
        (error: Error) => (error.name === "TimeoutError" ? "timeout" : "cut"),
      );
    simulator.fault({ kind: "hang_before", operation: "checkAvailability", productId: "pen" });
    simulator.fault({ kind: "garbage", operation: "listProducts" });
    simulator.fault({ kind: "error_before", operation: "listOrders", externalOrderId: "a" });
    simulator.fault({ kind: "cut_midway", operation: "getOrder", externalOrderId: "a" });
    simulator.fault({ kind: "late", operation: "getBalance", delayMs: FOR_LONG_MS });
    simulator.fault({ kind: "refuse", code: "rate_limited", operation: "getPricing" });
    expect(await read("/products/few/availability")).toBe(200);
    const impatient = { timeoutMs: IMPATIENT_MS };
    expect(await read("/products/pen/availability", impatient)).toBe("timeout");
    expect(await read("/products")).toBe("garbage");
    expect(await read("/orders")).toBe(200);
    expect(await read("/orders?externalOrderId=a")).toBe(500);
    expect(await read(`/orders/${orderId}`)).toBe("cut");
    expect(await read("/balance", impatient)).toBe("timeout");
    expect(await read("/pricing")).toBe(429);
    simulator.fault({ kind: "too_few_codes", operation: "getOrder" });
    expect((await buyer.call(`/orders/${orderId}`)).body.codes).toHaveLength(1);
    for (const path of [
      "/products",
      "/balance",
      "/pricing",
      `/orders/${orderId}`,
      "/orders?externalOrderId=a",
    ]) {
      expect(await read(path)).toBe(200);
    }
  });

  test("a fault that cannot be is refused when it is asked for", () => {
    expect(() => simulator.nextPurchases("nothing" as FaultKind)).toThrow();
    expect(() => simulator.nextPurchases({ kind: "late", delayMs: -1 })).toThrow();
    expect(() => simulator.fault({ kind: "closed", operation: "getOrder" })).toThrow("does not apply");
    expect(() => simulator.fault({ kind: "late", times: 0 })).toThrow();
    expect(() => simulator.randomFaults({ rate: 2, kinds: ["late"] })).toThrow();
    expect(() => simulator.randomFaults({ rate: 1, kinds: ["closed"], operations: ["getOrder"] })).toThrow();
  });
});

test("random faults hit their share, the same ones for the same seed, until they are switched off", async () => {
  const run = async (prefix: string) => {
    simulator.randomFaults({
      rate: 0.3,
      kinds: ["error_before", { kind: "error_after", status: 503 }],
      seed: 7,
    });
    const outcomes: unknown[] = [];
    for (let count = 0; count < 200; count += 1) outcomes.push(await buyer.outcomeOf(`${prefix}-${count}`));
    simulator.randomFaults(null);
    return outcomes;
  };
  const first = await run("a");
  expect(await run("b")).toEqual(first);
  const faulty = first.filter((outcome) => outcome !== 200);
  expect(faulty.length).toBeGreaterThan(40);
  expect(faulty.length).toBeLessThan(80);
  expect(new Set(faulty)).toEqual(new Set([500, 503]));
  expect(await buyer.outcomeOf("c")).toBe(200);
});

test("the README names every fault", () => {
  const readme = readFileSync(join(import.meta.dirname, "README.md"), "utf8");
  const named = [...readme.matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind);
  expect(named).toEqual(FAULT_KINDS);
});
