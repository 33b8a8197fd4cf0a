import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type RunningProgram, runProgram, startProgram } from "../../testing/program.ts";
import { createTestBuyer, IMPATIENT_MS, type TestBuyer } from "../../testing/test-buyer.ts";
import { type SupplierSimulator, startSupplierSimulator } from "./supplier-simulator.ts";

const MAIN = join(import.meta.dirname, "main.ts");

let simulator: SupplierSimulator;
let buyer: TestBuyer;
let control: TestBuyer;

beforeEach(async () => {
  simulator = await startSupplierSimulator({ products: [{ productId: "pen", unitPrice: "1.00" }] });
  buyer = createTestBuyer(simulator.url, simulator.apiKey);
  control = createTestBuyer(new URL("/control", simulator.url).href, "");
});
afterEach(() => simulator.close());

const act = async (path: string, body: unknown, method?: string) => {
  const answer = await control.call(path, {
    ...(body === undefined ? {} : { body }),
    ...(method ? { method } : {}),
  });
  expect(answer.status).toBe(200);
  return answer.body;
};

test("faults are asked for, shown and forgotten", async () => {
  await act("/faults", [{ kind: "error_before" }, { kind: "late", operation: "getOrder", times: null }]);
  expect(await buyer.outcomeOf("a")).toBe(500);
  expect((await act("/faults", undefined)).faults).toEqual([
    { operation: "getOrder", times: null, fault: { kind: "late", delayMs: 100 } },
  ]);
  await act("/random-faults", { rate: 1, kinds: ["error_before"] });
  expect(await buyer.outcomeOf("a")).toBe(500);
  await act("/random-faults", undefined, "DELETE");
  expect(await buyer.outcomeOf("a")).toBe(200);
  await act("/faults", undefined, "DELETE");
  expect((await act("/faults", undefined)).faults).toEqual([]);
});

test("products are changed and added, the balance and the latency set", async () => {
  await act("/products/pen", { unitPrice: "2.00", stock: 1, name: "Pen" });
  await act("/products/new%20one", { unitPrice: "3.00", fault: "error_before" });
  expect((await buyer.call("/products")).body.products).toMatchObject([
    { id: "pen", name: "Pen", price: "2.00", stock: 1 },
    { id: "new one", price: "3.00", stock: null },
  ]);
  expect(await buyer.outcomeOf("a", { productId: "new one" })).toBe(500);
  await act("/products/new%20one", { fault: null });
  expect(await buyer.outcomeOf("a", { productId: "new one" })).toBe(200);
  await act("/settings", { balance: "1.99", latencyMs: 600_000 });
  expect(await buyer.outcomeOf("b", {}, IMPATIENT_MS)).toBe("timeout");
  await act("/settings", { latencyMs: 0 });
  expect(await buyer.outcomeOf("b")).toBe(402);
});

test("purchases are shown without their codes, and refunded", async () => {
  const { codes } = (await buyer.buy("a/1", { qty: 2 })).body;
  await buyer.buy("a/1", { qty: 2 });
  await buyer.buy("b", { productId: "none" });
  const shown = await control.call("/purchases");
  expect(shown.body.purchases).toEqual([
    {
      externalOrderId: "a/1",
      status: "delivered",
      productId: "pen",
      qty: 2,
      unitPrice: "1.00",
      amount: "2.00",
      requests: 2,
    },
    {
      externalOrderId: "b",
      status: "none",
      productId: "none",
      qty: 1,
      unitPrice: null,
      amount: null,
      requests: 1,
    },
  ]);
  for (const code of codes) expect(shown.text).not.toContain(code);
  await act("/orders/a%2F1/refund", {});
  expect(await act("/purchases/a%2F1", undefined)).toMatchObject({ status: "refunded" });
});

test("an outage lasts as long as it was asked for", async () => {
  await act("/down", { forMs: 600_000 });
  await expect.poll(() => buyer.outcomeOf("a")).toBe("cut");
  simulator.endDelays();
  await expect.poll(() => buyer.outcomeOf("a")).toBe(200);
});

test.each([
  ["/faults", { kind: "nothing" }],
  ["/faults", { kind: "late", delay: 5 }],
  ["/faults", "{"],
  ["/faults", "null"],
  ["/random-faults", { rate: 1 }],
  ["/random-faults", "null"],
  ["/products/pen", { unitPrice: "-1" }],
  ["/products/pen", { stock: -1 }],
  ["/products/none", { stock: 1 }],
  ["/settings", { latency: 1 }],
  ["/orders/none/refund", {}],
  ["/down", {}],
])("%s refuses %j and says why", async (path, body) => {
  expect(await control.call(path, { body })).toMatchObject({
    status: 400,
    body: { error: expect.any(String) },
  });
});

test("unknown control paths name the known ones", async () => {
  const answer = await control.call("/nothing");
  expect(answer).toMatchObject({ status: 404, body: { error: expect.stringContaining("POST /faults") } });
});

test("a process of its own sells, proxies and ends on SIGTERM", async () => {
  const [supplier, sold] = await startProcess(
    "--product",
    "pen=1.50:2",
    "--key",
    "svc_sk_mine",
    "--port",
    "0",
  );
  expect(sold.apiKey).toBe("svc_sk_mine");
  const [proxy, proxied] = await startProcess(
    "inject",
    "--target",
    sold.url,
    "--port",
    "0",
    "--fault-rate",
    "1",
    "--fault-kinds",
    "error_after",
  );
  const through = createTestBuyer(proxied.url, sold.apiKey);
  expect(await through.outcomeOf("a", { qty: 2 })).toBe(500);
  const bought = await fetch(`${sold.controlUrl}/purchases/a`);
  expect(await bought.json()).toMatchObject({ status: "delivered", amount: "3.00" });
  for (const running of [proxy, supplier]) expect((await running.kill("SIGTERM")).exitCode).toBe(0);
});

test.each([
  [["--product", "pen"], "--product pen must be"],
  [["proxy"], "needs --target"],
  [["--port", "x"], "--port must be"],
  [["other"], "Unknown: other"],
])("the command line refuses %j", async (args, message) => {
  const { exitCode, stderr } = await runProgram(process.execPath, [MAIN, ...args]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(message);
});

interface Started {
  url: string;
  controlUrl: string;
  apiKey: string;
}

async function startProcess(...args: string[]): Promise<[RunningProgram, Started]> {
  const running = startProgram(process.execPath, [MAIN, "--json", ...args]);
  onTestFinished(async () => void (await running.kill("SIGTERM")));
  return [running, JSON.parse(await running.printed(/^\{/))];
}
