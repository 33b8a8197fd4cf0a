import { afterEach, beforeEach, expect, test } from "vitest";
import type { Answer } from "../../testing/request-shop.ts";
import { createTestBuyer, type TestBuyer } from "../../testing/test-buyer.ts";
import { type FaultInjector, startFaultInjector } from "./fault-injector.ts";
import type { FaultInput } from "./faults.ts";
import { type SupplierSimulator, startSupplierSimulator } from "./supplier-simulator.ts";

let supplier: SupplierSimulator;
let injector: FaultInjector;
let buyer: TestBuyer;

beforeEach(async () => {
  supplier = await startSupplierSimulator({ products: [{ productId: "pen", unitPrice: "1.00" }] });
  injector = await startFaultInjector({ target: supplier.url });
  buyer = createTestBuyer(injector.url, supplier.apiKey);
});
afterEach(async () => {
  await injector.close();
  await supplier.close();
});

test("requests and answers pass as they are", async () => {
  const direct = createTestBuyer(supplier.url, supplier.apiKey);
  const headers = { "X-Request-Id": "mine" };
  const paths = [
    "/pricing",
    "/products",
    "/balance",
    "/orders?limit=0",
    "/nothing",
    "/products/pen/availability?qty=2",
  ];
  for (const path of paths) {
    const [through, straight] = [await buyer.call(path, { headers }), await direct.call(path, { headers })];
    const undated = ({ headers }: Answer) => ({ ...Object.fromEntries(headers), date: "" });
    expect(undated(through)).toEqual(undated(straight));
    expect([through.status, through.text]).toEqual([straight.status, straight.text]);
  }
  expect(await buyer.call("/balance", { key: "wrong" })).toMatchObject({ status: 401 });
  expect(await buyer.call("/orders", { method: "DELETE" })).toMatchObject({ status: 405 });
  const bought = await buyer.buy("a", { qty: 1000 });
  expect(bought).toMatchObject({ status: 200, body: { codes: { length: 1000 } } });
  expect((await direct.buy("a", { qty: 1000 })).body).toEqual({ ...bought.body, reused: true });
  expect(injector.posts()).toEqual(new Map([["a", 1]]));
});

test.each<[FaultInput, number | "cut" | "timeout", "delivered" | undefined]>([
  ["refuse", 503, undefined],
  [{ kind: "late", delayMs: 600_000 }, "timeout", "delivered"],
  [{ kind: "late_effect", delayMs: 600_000 }, "timeout", undefined],
  ["cut_before", "cut", undefined],
  ["cut_after", "cut", "delivered"],
  ["cut_midway", "cut", "delivered"],
  ["hang_before", "timeout", undefined],
  ["hang_after", "timeout", "delivered"],
  ["error_before", 500, undefined],
  ["error_after", 500, "delivered"],
  [{ kind: "error_after", status: 502 }, 502, "delivered"],
  ["garbage", 200, "delivered"],
  [{ kind: "garbage", effect: false }, 200, undefined],
])("%j", async (fault, outcome, status) => {
  injector.nextPurchases(fault);
  const hasCome = () => injector.posts().get("a") === 1 && supplier.purchases().get("a")?.status === status;
  expect(await buyer.outcomeOf("a", {}, outcome === "timeout" ? hasCome : undefined)).toBe(outcome);
  await expect.poll(() => injector.posts().get("a")).toBe(1);
  await expect.poll(() => supplier.purchases().get("a")?.status).toBe(status);
  expect(await buyer.outcomeOf("a")).toBe(200);
  expect(injector.posts().get("a")).toBe(2);
});

test("faults fit ids, products and reads, and come at random", async () => {
  injector.fault({ kind: "error_before", externalOrderId: "b" });
  injector.fault({ kind: "error_before", operation: "checkAvailability", productId: "pen" });
  injector.fault({ kind: "error_before", operation: "listOrders", externalOrderId: "a" });
  expect([await buyer.outcomeOf("a"), await buyer.outcomeOf("b")]).toEqual([200, 500]);
  expect((await buyer.call("/products/pen/availability")).status).toBe(500);
  expect((await buyer.call("/orders?externalOrderId=a")).status).toBe(500);
  injector.randomFaults({ rate: 1, kinds: ["cut_before"] });
  expect(await buyer.outcomeOf("c")).toBe("cut");
  expect((await buyer.call("/products")).status).toBe(200);
  injector.randomFaults(null);
  expect(await buyer.outcomeOf("c")).toBe(200);
  expect(() => injector.nextPurchases("processing_then")).toThrow("does not apply");
});

test("a target that is down is a connection that is cut", async () => {
  await supplier.down();
  expect(await buyer.outcomeOf("a")).toBe("cut");
  await supplier.up();
  expect(await buyer.outcomeOf("a")).toBe(200);
  await injector.down();
  expect(await buyer.outcomeOf("b")).toBe("cut");
  await injector.up();
  expect(await buyer.outcomeOf("b")).toBe(200);
});

test("it is controlled over HTTP as well", async () => {
  const control = createTestBuyer(new URL("/control", injector.url).href, "");
  expect(await control.call("/faults", { body: { kind: "error_before" } })).toMatchObject({ status: 200 });
  expect(await buyer.outcomeOf("a")).toBe(500);
  expect(await control.call("/purchases")).toMatchObject({ status: 404 });
});
