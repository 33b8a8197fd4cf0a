import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { newId, type OrderId } from "../ids.ts";
import type { ErrorCode } from "../simulators/supplier/answer.ts";
import type { FaultInput } from "../simulators/supplier/faults.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { connectToSupplier } from "../testing/connect-to-supplier.ts";
import { usd } from "../testing/test-shop.ts";
import type { PurchaseRequest, RefusalReason, SupplierAdapter } from "./supplier.ts";

let simulator: SupplierSimulator;
let adapter: SupplierAdapter;

beforeEach(async () => {
  simulator = await startSupplierSimulator({
    products: [
      { productId: "pen", unitPrice: "1.00" },
      { productId: "few", unitPrice: "2.50", stock: 5 },
    ],
  });
  adapter = connectToSupplier(simulator).adapter;
});
afterEach(() => simulator.close());

function penOrder(changes: Partial<PurchaseRequest> = {}): PurchaseRequest {
  return {
    requestId: newId("ord"),
    supplierProductId: "pen",
    qty: 2,
    unitCostMicrocents: usd("1.00"),
    ...changes,
  };
}

const purchaseOf = ({ requestId }: PurchaseRequest) => simulator.purchases().get(requestId);

/** The adapter with less time. */
const hasty = () => connectToSupplier(simulator, { timeouts: { purchaseMs: 300, readMs: 300 } }).adapter;

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
  const startMs = performance.now();
  return { result: await work(), tookMs: performance.now() - startMs };
}

/** A supplier that answers as the test says. */
async function serve(listener: RequestListener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop/v1`, server };
}

describe("a purchase", () => {
  test("is delivered with its codes and what it cost", async () => {
    const order = penOrder();
    expect(await adapter.purchase(order)).toEqual({
      kind: "delivered",
      supplied: {
        supplierOrderId: expect.any(String),
        unitCostMicrocents: usd("1.00"),
        codes: purchaseOf(order)?.deliveredCodes,
        redeemUrl: expect.stringMatching(/^https:/),
      },
    });
    expect(purchaseOf(order)).toMatchObject({ qty: 2, requests: 1, deliveredCodes: { length: 2 } });
  });

  test("that is sent again is the same purchase", async () => {
    const order = penOrder();
    expect(await adapter.purchase(order)).toEqual(await adapter.purchase(order));
    expect(purchaseOf(order)).toMatchObject({ requests: 2, deliveredCodes: { length: 2 } });
  });

  test("may be of a thousand codes", async () => {
    const outcome = await adapter.purchase(penOrder({ qty: 1_000 }));
    expect(outcome).toMatchObject({ kind: "delivered", supplied: { codes: { length: 1_000 } } });
  });

  test.each<[ErrorCode, RefusalReason]>([
    ["invalid_input", "not_accepted"],
    ["bad_request", "not_accepted"],
    ["unauthorized", "not_accepted"],
    ["insufficient_balance", "not_accepted"],
    ["key_daily_limit_exceeded", "not_accepted"],
    ["insufficient_scope", "not_accepted"],
    ["key_order_limit_exceeded", "not_accepted"],
    ["not_found", "not_accepted"],
    ["supplier_not_configured", "not_accepted"],
    ["price_changed", "cost_changed"],
    ["supplier_price_changed", "cost_changed"],
    ["out_of_stock", "out_of_stock"],
    ["idempotency_conflict", "closed"],
  ])("that is refused with %s is sent once and refused as %s", async (code, reason) => {
    simulator.nextPurchases({ kind: "refuse", code });
    const order = penOrder();
    const message = expect.stringMatching(new RegExp(`^answered \\d{3} ${code}$`));
    expect(await adapter.purchase(order)).toEqual({ kind: "refused", reason, message });
    expect(purchaseOf(order)).toMatchObject({ status: "none", requests: 1 });
  });

  test.each<[string, Partial<PurchaseRequest>, RefusalReason]>([
    [
      "of more codes than there are",
      { supplierProductId: "few", qty: 6, unitCostMicrocents: usd("2.5") },
      "out_of_stock",
    ],
    ["at another cost", { unitCostMicrocents: usd("0.99") }, "cost_changed"],
    ["of an unknown product", { supplierProductId: "gone" }, "not_accepted"],
    ["of too many codes", { qty: 1_001 }, "not_accepted"],
  ])("%s is refused", async (_, changes, reason) => {
    expect(await adapter.purchase(penOrder(changes))).toMatchObject({ kind: "refused", reason });
  });

  test("whose id is closed there is refused as closed, also after an uncertain answer", async () => {
    const order = penOrder();
    simulator.nextPurchases("cut_before", "closed");
    expect(await adapter.purchase(order)).toMatchObject({ kind: "refused", reason: "closed" });
    expect(await adapter.purchase(order)).toMatchObject({ kind: "refused", reason: "closed" });
    expect(purchaseOf(order)).toMatchObject({ status: "failed", requests: 3 });
  });

  test("whose id stands for another one there is refused as closed", async () => {
    const order = penOrder();
    await adapter.purchase(order);
    expect(await adapter.purchase({ ...order, qty: 3 })).toMatchObject({ kind: "refused", reason: "closed" });
  });

  test("with a key that is not accepted is refused, without a word of the key", async () => {
    const outcome = await connectToSupplier({ ...simulator, apiKey: "svc_sk_wrong" }).adapter.purchase(
      penOrder(),
    );
    expect(outcome).toEqual({
      kind: "refused",
      reason: "not_accepted",
      message: "answered 401 unauthorized",
    });
  });

  test("at a supplier that is down is refused as unreachable", async () => {
    await simulator.down();
    const order = penOrder();
    expect(await adapter.purchase(order)).toEqual({
      kind: "refused",
      reason: "unreachable",
      message: "no connection: ECONNREFUSED",
    });
    expect(purchaseOf(order)).toBeUndefined();
    await simulator.up();
    expect(await adapter.purchase(order)).toMatchObject({ kind: "delivered" });
  });

  test("at a host that does not exist is refused as unreachable", async () => {
    const nowhere = connectToSupplier({ url: "http://nowhere.invalid/shop/v1", apiKey: "key" });
    const outcome = await nowhere.adapter.purchase(penOrder());
    expect(outcome).toMatchObject({ kind: "refused", reason: "unreachable" });
  });
});

describe("a purchase in doubt", () => {
  test.each<FaultInput>([
    { kind: "late", delayMs: 50 },
    { kind: "late_effect", delayMs: 50 },
    "cut_before",
    "cut_after",
    "cut_midway",
    "garbage",
    { kind: "garbage", effect: false },
    "garbage_shape",
    { kind: "garbage_shape", effect: false },
    "too_few_codes",
    "too_many_codes",
    "repeated_code",
    "error_before",
    { kind: "error_before", status: 502 },
    { kind: "error_before", status: 503 },
    "error_after",
    { kind: "error_after", status: 502 },
    { kind: "error_after", status: 503 },
    { kind: "refuse", code: "server_error" },
    { kind: "refuse", code: "supplier_unavailable" },
    { kind: "refuse", code: "order_commit_pending" },
    { kind: "refuse", code: "order_in_progress" },
    { kind: "refuse", code: "rate_limited" },
    { kind: "processing_then", delayMs: 50 },
  ])("after %j is sent again and delivered once", async (fault) => {
    simulator.nextPurchases(fault);
    const order = penOrder();
    const outcome = await adapter.purchase(order);
    expect(outcome).toMatchObject({
      kind: "delivered",
      supplied: { codes: purchaseOf(order)?.deliveredCodes },
    });
    const isLate = typeof fault === "object" && fault.kind.startsWith("late");
    expect(purchaseOf(order)).toMatchObject({ requests: isLate ? 1 : 2, deliveredCodes: { length: 2 } });
  });

  test.each<[FaultInput, boolean]>([
    ["cut_before", false],
    ["cut_after", false],
    ["cut_midway", false],
    ["garbage", false],
    ["garbage_shape", false],
    ["too_few_codes", false],
    ["too_many_codes", false],
    ["repeated_code", false],
    [{ kind: "error_before", status: 502 }, false],
    [{ kind: "refuse", code: "server_error" }, false],
    [{ kind: "refuse", code: "supplier_unavailable" }, true],
    [{ kind: "refuse", code: "order_commit_pending" }, true],
  ])("that ends in %j every time stays unknown; answered by the supplier: %j", async (fault, answered) => {
    simulator.setProductFault("pen", fault);
    const order = penOrder();
    const outcome = await (answered ? adapter : hasty()).purchase(order);
    expect(outcome).toEqual({ kind: "unknown", answered, message: expect.any(String) });
    const { deliveredCodes = [] } = purchaseOf(order) ?? {};
    for (const secret of [...deliveredCodes, simulator.apiKey])
      expect(JSON.stringify(outcome)).not.toContain(secret);
  });

  test("is sent five times at most", async () => {
    simulator.setProductFault("pen", "cut_after");
    const order = penOrder();
    expect(await adapter.purchase(order)).toMatchObject({ kind: "unknown" });
    expect(purchaseOf(order)).toMatchObject({ requests: 5, deliveredCodes: { length: 2 } });
  });

  test.each<FaultInput>(["hang_before", "hang_after"])(
    "that meets %s ends when its time is up",
    async (fault) => {
      simulator.nextPurchases(fault);
      const { result, tookMs } = await timed(() => hasty().purchase(penOrder()));
      expect(result).toEqual({ kind: "unknown", answered: false, message: "no answer in time" });
      expect(tookMs).toBeGreaterThanOrEqual(299);
    },
  );

  test.each<ErrorCode>([
    "out_of_stock",
    "price_changed",
    "unauthorized",
    "insufficient_balance",
    "not_found",
    "supplier_not_configured",
  ])("is not made certain by a later %s", async (code) => {
    simulator.nextPurchases("cut_before", { kind: "refuse", code });
    const outcome = await adapter.purchase(penOrder());
    expect(outcome).toEqual({
      kind: "unknown",
      answered: false,
      message: expect.stringContaining(code),
    });
  });

  test("is not made certain by a connection that is refused then", async () => {
    const error = { error: "order_in_progress", message: "", details: { retryAfterSeconds: 1 } };
    const { url, server } = await serve((_, response) => {
      server.close();
      response.writeHead(503, { Connection: "close" }).end(JSON.stringify(error));
    });
    const outcome = await connectToSupplier({ url }).adapter.purchase(penOrder());
    expect(outcome).toMatchObject({ kind: "unknown", message: "no connection: ECONNREFUSED" });
  });

  test("is one in which nobody answered, as soon as one sending got no answer", async () => {
    simulator.nextPurchases("cut_after", { kind: "refuse", code: "supplier_unavailable" });
    simulator.setProductFault("pen", { kind: "refuse", code: "supplier_unavailable" });
    expect(await adapter.purchase(penOrder())).toMatchObject({ kind: "unknown", answered: false });
  });

  test("is none when it was only asked to slow down before it was refused", async () => {
    simulator.nextPurchases(
      { kind: "refuse", code: "rate_limited" },
      { kind: "refuse", code: "out_of_stock" },
    );
    expect(await adapter.purchase(penOrder())).toMatchObject({ kind: "refused", reason: "out_of_stock" });
  });
});

describe("a supplier that asks to wait", () => {
  test.each<ErrorCode>(["rate_limited", "order_in_progress"])("with %s is given the time", async (code) => {
    simulator.nextPurchases({ kind: "refuse", code, retryAfterSeconds: 1 });
    const { result, tookMs } = await timed(() => adapter.purchase(penOrder()));
    expect(result).toMatchObject({ kind: "delivered" });
    expect(tookMs).toBeGreaterThanOrEqual(1_000);
  });

  test("for longer than there is time is not waited for", async () => {
    // Longer than this test may take, too.
    simulator.setProductFault("pen", { kind: "refuse", code: "rate_limited", retryAfterSeconds: 3_600 });
    const order = penOrder();
    const patient = connectToSupplier(simulator, {
      timeouts: { purchaseMs: 3_600_000, readMs: 3_600_000 },
    }).adapter;
    expect(await patient.purchase(order)).toMatchObject({ kind: "refused", reason: "unreachable" });
    expect(purchaseOf(order)?.requests).toBe(1);
  });
});

describe("a look-up", () => {
  test("finds nothing where nothing was bought", async () => {
    const { requestId, qty } = penOrder();
    expect(await adapter.lookUp(requestId, qty)).toEqual({ kind: "none" });
  });

  test("finds what was delivered", async () => {
    const order = penOrder();
    const bought = await adapter.purchase(order);
    expect(await adapter.lookUp(order.requestId, order.qty)).toEqual(bought);
  });

  test.each(["retryable", "failed", "delivered"] as const)(
    "follows an order that is processing and ends as %s",
    async (end) => {
      const order = penOrder();
      // The supplier asks to wait for longer than there is time.
      const fault = { kind: "processing_then", delayMs: 600_000, retryAfterSeconds: 600, end } as const;
      simulator.nextPurchases(fault);
      expect(await adapter.purchase(order)).toMatchObject({ kind: "unknown", answered: true });
      const kind = async () => (await adapter.lookUp(order.requestId, order.qty)).kind;
      expect(await kind()).toBe("processing");
      simulator.endDelays();
      expect(await kind()).toBe(end === "failed" ? "closed" : end);
    },
  );

  test("finds a refunded order closed", async () => {
    const order = penOrder();
    await adapter.purchase(order);
    simulator.refund(order.requestId);
    expect(await adapter.lookUp(order.requestId, order.qty)).toEqual({ kind: "closed" });
  });

  test.each([
    ["with another's order says nothing, whatever became of that", [{ externalOrderId: "other" }], null],
    ["that goes on and holds no order says nothing", [], "cursor"],
  ])("%s", async (_name, orders, nextCursor) => {
    const order = { orderId: "1", status: "failed", amount: "1.00", createdAt: 1 };
    const listed = orders.map((one) => ({ ...order, ...one }));
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ orders: listed, hasMore: nextCursor !== null, nextCursor }));
    });
    const { adapter } = connectToSupplier({ url });
    const { requestId, qty } = penOrder();
    expect(await adapter.lookUp(requestId, qty)).toMatchObject({ kind: "unknown" });
  });

  test.each(["too_few_codes", "too_many_codes", "repeated_code", "garbage", "garbage_shape"] as const)(
    "takes no codes from an answer with %s",
    async (kind) => {
      const order = penOrder();
      await adapter.purchase(order);
      simulator.fault({ kind, operation: "getOrder", times: null });
      const { qty, requestId } = order;
      expect(await hasty().lookUp(requestId, qty)).toEqual({ kind: "unknown", message: expect.any(String) });
    },
  );

  test("of another quantity than was bought takes no codes", async () => {
    const order = penOrder();
    await adapter.purchase(order);
    expect(await hasty().lookUp(order.requestId, 3)).toMatchObject({ kind: "unknown" });
  });

  test.each<["listOrders" | "getOrder", ErrorCode]>([
    ["listOrders", "unauthorized"],
    ["listOrders", "insufficient_scope"],
    ["listOrders", "server_error"],
    ["getOrder", "not_found"],
    ["getOrder", "server_error"],
  ])("that %s answers with %s says nothing", async (operation, code) => {
    const order = penOrder();
    await adapter.purchase(order);
    simulator.fault({ kind: "refuse", code, operation, times: null });
    const message = expect.stringContaining(code);
    expect(await adapter.lookUp(order.requestId, order.qty)).toEqual({ kind: "unknown", message });
  });

  test("is made again after a fault that passes", async () => {
    const order = penOrder();
    await adapter.purchase(order);
    simulator.fault({ kind: "cut_before", operation: "listOrders" });
    simulator.fault({ kind: "error_before", status: 502, operation: "getOrder" });
    expect(await adapter.lookUp(order.requestId, order.qty)).toMatchObject({ kind: "delivered" });
  });

  test("has one time for both of its requests", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { requestId, qty } = penOrder();
    const orders = [await listedAs(requestId)];
    const askedAgain = Promise.withResolvers<void>();
    const { url } = await serve((request, response) => {
      if (!request.url?.includes("externalOrderId=")) return askedAgain.resolve();
      vi.advanceTimersByTime(800);
      response.end(JSON.stringify({ orders, hasMore: false, nextCursor: null }));
    });
    const hurried = connectToSupplier({ url }, { timeouts: { purchaseMs: 1_000, readMs: 1_000 } }).adapter;
    const lookingUp = hurried.lookUp(requestId, qty);
    await askedAgain.promise;
    vi.advanceTimersByTime(200);
    expect(await lookingUp).toEqual({ kind: "unknown", message: "no answer in time" });
  });

  /** A delivered order as the supplier lists it. */
  async function listedAs(requestId: OrderId): Promise<unknown> {
    await adapter.purchase(penOrder({ requestId }));
    const headers = { Authorization: `Bearer ${simulator.apiKey}` };
    const answer = await fetch(`${simulator.url}/orders?externalOrderId=${requestId}`, { headers });
    return ((await answer.json()) as { orders: unknown[] }).orders[0];
  }
});

describe("what a supplier sells", () => {
  test("is quoted for a quantity", async () => {
    expect(await adapter.quote("few", 5)).toEqual({ unitCostMicrocents: usd("2.50"), available: true });
    expect(await adapter.quote("few", 6)).toEqual({ unitCostMicrocents: usd("2.50"), available: false });
  });

  test("is listed with quotes for one code", async () => {
    simulator.setStock("few", 0);
    expect(await adapter.catalog()).toEqual(
      new Map([
        ["pen", { unitCostMicrocents: usd("1.00"), available: true }],
        ["few", { unitCostMicrocents: usd("2.50"), available: false }],
      ]),
    );
  });

  test("is asked for again after a fault that passes", async () => {
    simulator.fault({ kind: "garbage_shape", operation: "checkAvailability" });
    simulator.fault({ kind: "cut_midway", operation: "checkAvailability" });
    expect(await adapter.quote("pen", 1)).toMatchObject({ available: true });
  });

  test.each<[ErrorCode, string]>([
    ["invalid_input", "SupplierNotConfiguredError"],
    ["unauthorized", "SupplierNotConfiguredError"],
    ["insufficient_scope", "SupplierNotConfiguredError"],
    ["not_found", "SupplierNotConfiguredError"],
    ["supplier_not_configured", "SupplierNotConfiguredError"],
    ["server_error", "SupplierUnavailableError"],
    ["supplier_unavailable", "SupplierUnavailableError"],
  ])("is not told by a supplier that answers %s: %s", async (code, name) => {
    for (const operation of ["checkAvailability", "listProducts", "listOrders"] as const)
      simulator.fault({ kind: "refuse", code, operation, times: null });
    await expect(adapter.quote("pen", 1)).rejects.toMatchObject({ name });
    await expect(adapter.catalog()).rejects.toMatchObject({ name });
    await expect(adapter.history(0)[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name });
  });

  test("is not told by a supplier that hangs, and not for longer than a read may take", async () => {
    simulator.fault({ kind: "hang_before", operation: "listProducts" });
    await expect(hasty().catalog()).rejects.toMatchObject({ name: "SupplierUnavailableError" });
  });
});

describe("the balance at a supplier", () => {
  test("is what can be spent", async () => {
    simulator.setBalance("12.3456");
    expect(await adapter.balance()).toEqual({ kind: "known", availableMicrocents: usd("12.3456") });
  });

  test("is unknown with the reason", async () => {
    simulator.fault({ kind: "refuse", code: "unauthorized", operation: "getBalance" });
    expect(await adapter.balance()).toEqual({ kind: "unknown", message: "answered 401 unauthorized" });
    await simulator.down();
    expect(await adapter.balance()).toEqual({ kind: "unknown", message: "no connection: ECONNREFUSED" });
  });
});

describe("a supplier's history", () => {
  const read = async (sinceMs: number) => {
    const orders = [];
    for await (const order of adapter.history(sinceMs)) orders.push(order);
    return orders;
  };

  test("is read page by page, newest first", async () => {
    const placed = Array.from({ length: 230 }, () => penOrder({ qty: 1 }));
    for (const order of placed) await adapter.purchase(order);
    simulator.fault({ kind: "cut_before", operation: "listOrders" });
    const found = await read(0);
    expect(found.map(({ requestId }) => requestId)).toEqual(
      placed.map(({ requestId }) => requestId).reverse(),
    );
    expect(found[0]).toEqual({
      requestId: placed.at(-1)?.requestId,
      supplierOrderId: expect.any(String),
      status: "delivered",
      amountMicrocents: usd("1.00"),
      createdAtMs: expect.any(Number),
    });
  });

  test("ends where it is old enough", async () => {
    await adapter.purchase(penOrder());
    const [order] = await read(Date.now() - 60_000);
    expect(await read(order?.createdAtMs ?? 0)).toEqual([order]);
    expect(await read((order?.createdAtMs ?? 0) + 1)).toEqual([]);
    expect(await read(Date.now() + 60_000)).toEqual([]);
  });
});

test("purchases leave no timer behind, however they end", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  await adapter.purchase(penOrder());
  const before = timers();
  simulator.randomFaults({ rate: 0.3, kinds: ["cut_after", "error_before", "garbage"], seed: 1 });
  const buy = (count: number, by: SupplierAdapter) =>
    Promise.all(Array.from({ length: count }, () => by.purchase(penOrder({ qty: 1 }))));
  const delivered = await buy(900, adapter);
  simulator.setProductFault("pen", "hang_after");
  const unknown = await buy(100, hasty());
  expect(delivered.map(({ kind }) => kind)).toContain("delivered");
  expect(new Set(unknown.map(({ kind }) => kind))).toEqual(new Set(["unknown"]));
  expect(timers() - before).toBeLessThan(5);
});
