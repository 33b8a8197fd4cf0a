import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { newId } from "../ids.ts";
import { connectToSupplier } from "../testing/connect-to-supplier.ts";
import { usd } from "../testing/test-shop.ts";
import type { SupplierAdapter } from "./supplier.ts";
import { createTransport } from "./transport.ts";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that answers as the test says; it keeps the requests that it got. */
async function serve(listener: RequestListener): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    request.resume().on("end", () => listener(request, response));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop/v1`, requests };
}

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };

/** No limit ends what the answers should: a busy machine may take seconds to connect. */
const PATIENT = { timeouts: { purchaseMs: 60_000, readMs: 60_000 } };

const request = { requestId: newId("ord"), supplierProductId: "pen", qty: 2, unitCostMicrocents: usd("1") };
const buy = (adapter: SupplierAdapter) => adapter.purchase(request);

const order = {
  orderId: "s-1",
  externalOrderId: request.requestId,
  productId: "pen",
  productName: "Pen",
  qty: 2,
  unitPrice: "1.00",
  amount: "2.00",
  currency: "USD",
  status: "delivered",
  codes: ["A", "B"],
  redeemUrl: "https://redeem.example",
  errorCode: null,
  createdAt: 1_750_000_000,
  deliveredAt: 1_750_000_000,
  reused: false,
};

describe("an answer", () => {
  test("may have fields that nobody knows", async () => {
    const { url, requests } = await serve(answering(200, { ...order, surprise: [1], errorCode: undefined }));
    expect(await buy(connectToSupplier({ url, apiKey: "svc_sk_a" }).adapter)).toMatchObject({
      kind: "delivered",
      supplied: { supplierOrderId: "s-1", codes: ["A", "B"], redeemUrl: "https://redeem.example" },
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: "POST",
      url: "/shop/v1/orders",
      headers: { authorization: "Bearer svc_sk_a", "content-type": "application/json" },
    });
  });

  test.each([null, "javascript:alert(1)", "not a URL", `https://redeem.example/${"a".repeat(2_000)}`])(
    "with %j for a redeem URL gives none",
    async (redeemUrl) => {
      const { url } = await serve(answering(200, { ...order, redeemUrl }));
      expect(await buy(connectToSupplier({ url }).adapter)).toMatchObject({ supplied: { redeemUrl: null } });
    },
  );

  // It is looked up after a pause.
  test.concurrent.each<[string, object]>([
    ["that is processing", { status: "processing" }],
    ["that is refunded", { status: "refunded" }],
    ["of another id", { externalOrderId: newId("ord") }],
    ["without an id", { orderId: "" }],
    ["without a price", { unitPrice: undefined }],
    ["with a price that is a number", { unitPrice: 1 }],
    ["with a price below zero", { unitPrice: "-1.00" }],
    ["with a price beyond all bounds", { unitPrice: "99999999999999999999.00" }],
    ["without codes", { codes: undefined }],
    ["with an empty code", { codes: ["A", ""] }],
    ["with a code of spaces", { codes: ["A", "  "] }],
    ["with a code that is a number", { codes: ["A", 7] }],
    ["with a code twice", { codes: ["A", "A"] }],
    ["with a code too few", { codes: ["A"] }],
    ["with a code too many", { codes: ["A", "B", "C"] }],
    ["with a code of more than 2,000 bytes", { codes: ["A", "é".repeat(1_001)] }],
    ["with NUL in a code", { codes: ["A", "B\0"] }],
    ["with half a character in a code", { codes: ["A", "B\ud800"] }],
  ])("with an order %s leaves the purchase in doubt", async (_, changes) => {
    const { url } = await serve(answering(200, { ...order, ...changes }));
    const { adapter } = connectToSupplier({ url }, PATIENT);
    expect(await buy(adapter)).toEqual({
      kind: "unknown",
      answered: false,
      message: "answered 200, and not with what was asked for",
    });
  });

  test.concurrent.each<[number, unknown]>([
    [400, "<html>"],
    [401, ""],
    [403, "<html>"],
    [404, "<html>"],
    [404, { error: "not_found" }],
    [409, "<html>"],
    [409, { error: "something_new", message: "" }],
    [200, { error: "out_of_stock", message: "" }],
    [400, { error: "out_of_stock", message: "" }],
    [500, { error: "out_of_stock", message: "" }],
    [502, { error: "not_found", message: "" }],
    [502, { error: "supplier_unavailable", message: "" }],
    [503, { error: "something_new", message: "" }],
    [504, { error: "supplier_not_configured", message: "" }],
    [429, ""],
    [201, order],
    [204, ""],
    [418, ""],
  ])(
    "of status %i with %j is not in the contract's words and leaves the purchase in doubt",
    async (status, body) => {
      const { url } = await serve(answering(status, body));
      const { adapter } = connectToSupplier({ url }, PATIENT);
      expect(await buy(adapter)).toMatchObject({ kind: "unknown", answered: false });
    },
  );

  test("never shows itself in a message", async () => {
    const secret = "CODE-1234";
    const answers = [
      [200, secret],
      [200, { ...order, codes: [secret] }],
      [409, { error: secret.toLowerCase(), message: secret }],
      [409, { error: "out_of_stock", message: secret, details: secret }],
      [500, { error: "abcdef", message: secret }],
      [502, secret],
    ] as const;
    const outcomes = answers.map(async ([status, body]) => {
      const { url } = await serve(answering(status, body));
      const { adapter } = connectToSupplier({ url }, PATIENT);
      return Promise.all([buy(adapter), adapter.balance(), adapter.lookUp(request.requestId, 2)]);
    });
    expect(JSON.stringify(await Promise.all(outcomes))).not.toMatch(/code-1234|abcdef/i);
  });

  test.each([
    ["with other orders than were asked for", [{ ...order, externalOrderId: newId("ord"), codes: [] }], null],
    ["with nothing that goes on", [], "next"],
  ])("of a look-up %s says nothing", async (_, orders, nextCursor) => {
    const { url } = await serve(answering(200, { orders, hasMore: nextCursor !== null, nextCursor }));
    const { adapter } = connectToSupplier({ url });
    expect(await adapter.lookUp(request.requestId, 2)).toMatchObject({ kind: "unknown" });
  });

  test.each([
    ["that repeats a page for ever", [order]],
    ["that goes on with nothing for ever", []],
  ])("with a history %s ends it", async (_, orders) => {
    const { url, requests } = await serve(answering(200, { orders, hasMore: true, nextCursor: "next" }));
    const read = async () => {
      for await (const _ of connectToSupplier({ url }).adapter.history(0));
    };
    await expect(read()).rejects.toMatchObject({ name: "SupplierUnavailableError" });
    expect(requests.length).toBeLessThanOrEqual(2);
  });

  test("in another currency is no quote", async () => {
    const quote = { unitPrice: "1.00", currency: "EUR", available: true };
    const { url } = await serve(answering(200, quote));
    const { adapter } = connectToSupplier({ url }, PATIENT);
    await expect(adapter.quote("pen", 1)).rejects.toMatchObject({ name: "SupplierUnavailableError" });
  });
});

describe("a supplier that does not answer", () => {
  const breaker = { consecutiveFailures: 3, halfOpenAfterMs: 1_000 };

  // The breaker's clock stands still until a test lets its pause end.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  function endPause(): void {
    vi.setSystemTime(Date.now() + breaker.halfOpenAfterMs);
  }

  async function failUntilOpen({ adapter, transport }: ReturnType<typeof connectToSupplier>): Promise<void> {
    while (transport.breakerState() !== "open")
      expect(await buy(adapter)).toMatchObject({ kind: "unknown", answered: false });
  }

  test("is left alone for a while, then tried with one request", async () => {
    let isWell = false;
    const answers: (() => void)[] = [];
    const { url, requests } = await serve((received, response) =>
      isWell
        ? void answers.push(() => answering(200, order)(received, response))
        : answering(502, "<html>")(received, response),
    );
    const connection = connectToSupplier({ url }, { breaker });
    const { adapter, transport } = connection;
    expect(transport.breakerState()).toBe("closed");
    await failUntilOpen(connection);
    expect(requests).toHaveLength(3);

    expect(await buy(adapter)).toEqual({
      kind: "refused",
      reason: "unreachable",
      message: "not asked: it has not answered for a while",
    });
    for (const read of [
      adapter.quote("pen", 1),
      adapter.catalog(),
      adapter.history(0)[Symbol.asyncIterator]().next(),
    ])
      await expect(read).rejects.toMatchObject({ name: "SupplierUnavailableError" });
    expect(await adapter.lookUp(request.requestId, 2)).toMatchObject({ kind: "unknown" });
    expect(requests).toHaveLength(3);

    isWell = true;
    endPause();
    const trying = buy(adapter);
    await expect.poll(() => answers.length).toBe(1);
    expect(transport.breakerState()).toBe("half-open");
    expect(await buy(adapter)).toMatchObject({ kind: "refused", reason: "unreachable" });
    expect(requests).toHaveLength(4);
    answers[0]?.();
    expect(await trying).toMatchObject({ kind: "delivered" });
    expect(transport.breakerState()).toBe("closed");
  });

  test("is left alone again when the request that tries it fails", async () => {
    const { url, requests } = await serve(answering(502, "<html>"));
    const connection = connectToSupplier({ url }, { breaker });
    const { adapter, transport } = connection;
    await failUntilOpen(connection);
    endPause();
    expect(await buy(adapter)).toMatchObject({ kind: "unknown" });
    expect(requests).toHaveLength(4);
    expect(transport.breakerState()).toBe("open");
  });

  test("is known to be back, whatever becomes of what was sent to it before", async () => {
    const waiting: (() => void)[] = [];
    const answers: (() => void)[] = [];
    let isWell = false;
    const { url, requests } = await serve((received, response) => {
      if (isWell) return void answers.push(() => answering(200, order)(received, response));
      return requests.length <= 3
        ? void waiting.push(() => received.socket.destroy())
        : received.socket.destroy();
    });
    const { adapter, transport } = connectToSupplier({ url }, { breaker });
    const old = [buy(adapter), buy(adapter), buy(adapter)];
    await expect.poll(() => waiting.length).toBe(3);
    await buy(adapter);
    expect(transport.breakerState()).toBe("open");

    isWell = true;
    endPause();
    const trying = buy(adapter);
    await expect.poll(() => answers.length).toBe(1);
    for (const cut of waiting) cut();
    await Promise.all(old);
    expect(transport.breakerState()).toBe("half-open");
    answers[0]?.();
    expect(await trying).toMatchObject({ kind: "delivered" });
    expect(transport.breakerState()).toBe("closed");
  });

  test.each<[string, RequestListener]>([
    ["cuts connections", (received) => received.socket.destroy()],
    ["answers with garbage", answering(200, "<html>")],
    ["answers with another shape", answering(200, { status: "ok" })],
    ["breaks down", answering(500, { error: "server_error", message: "" })],
    ["never answers", () => {}],
  ])("counts as such when it %s", async (_, listener) => {
    const { url } = await serve(listener);
    const { adapter, transport } = connectToSupplier(
      { url },
      { timeouts: { purchaseMs: 100, readMs: 100 }, breaker },
    );
    for (let sent = 0; sent < 3; sent++) await buy(adapter);
    expect(transport.breakerState()).toBe("open");
  });

  test("is not one that refuses in the contract's words", async () => {
    const codes: [number, string][] = [
      [401, "unauthorized"],
      [409, "out_of_stock"],
      [429, "rate_limited"],
      [503, "supplier_unavailable"],
      [503, "order_in_progress"],
    ];
    for (const [status, error] of codes) {
      const transport = createTransport(breaker);
      const call = async () => ({
        error: { error, message: "" },
        response: { status, headers: new Headers() },
      });
      for (let sent = 0; sent < 4; sent++)
        expect(await transport.send(call, () => null)).toMatchObject({ kind: "error", errorCode: error });
      expect(transport.breakerState()).toBe("closed");
    }
  });
});

test("that it has too many requests is passed on with how long it wants to be left alone, and nothing else is", async () => {
  const told = vi.fn();
  const transport = createTransport({ consecutiveFailures: 9, halfOpenAfterMs: 9 }, told);
  for (const [status, error] of [
    [429, "rate_limited"],
    [503, "supplier_unavailable"],
  ] as const) {
    const response = { status, headers: new Headers({ "retry-after": "7" }) };
    await transport.send(
      async () => ({ error: { error, message: "" }, response }),
      () => null,
    );
  }
  expect(told.mock.calls).toEqual([[7_000]]);
});

test("a look is not sent again to a supplier that has too many requests", async () => {
  for (const [status, error, times] of [
    [429, "rate_limited", 1],
    [503, "supplier_unavailable", 2],
  ] as const) {
    const { url, requests } = await serve((request, response) => {
      answering(
        requests.length < 2 ? status : 409,
        { error, message: "" },
        { "retry-after": "0" },
      )(request, response);
    });
    const quote = connectToSupplier({ url }).adapter.quote("pen", 1, "look");
    await expect(quote).rejects.toMatchObject({ code: "supplier_unavailable" });
    expect(requests).toHaveLength(times);
  }
});
