import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startSupplierSimulator } from "../../simulators/supplier/supplier-simulator.ts";
import { type Answer, requestShop } from "../request-shop.ts";
import { type ServerProcess, startServerProcess } from "../server-process.ts";
import { openTestServices, type TestServices, usd } from "../test-shop.ts";
import { addOnDemandProduct } from "../test-supplier.ts";
import { faultSeed, scaled } from "./fault-runs.ts";
import { createMessageBreakpoint, MAKES_READY, type MessageBreakpoint } from "./message-breakpoint.ts";

const MAX_RECOVERY_MS = 60_000;

let services: TestServices;
let breakpoint: MessageBreakpoint;
let databaseUrl: string;
beforeEach(async () => {
  // What a killed server leaves is taken up soon.
  vi.stubEnv("SUPPLIER_TIMEOUT_MS", "400");
  vi.stubEnv("ORDER_LEASE_MS", "1000");
  services = await openTestServices();
  // Neither what the recovery loop asks from time to time, nor what changes nothing.
  breakpoint = createMessageBreakpoint(
    (request) => !MAKES_READY.test(request) && !/WHERE (?:due_at_ms|lease_expires_at_ms)/.test(request),
  );
  databaseUrl = await breakpoint.before(services.databaseTcpUrl);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  breakpoint.close();
  // Ends with the audit.
  await services.dispose();
});

/** All steps, or some of them, others with each seed. */
function someSteps(count: number): number[] {
  const chosen = Math.min(scaled(count), count);
  const offset = faultSeed() % count;
  return Array.from({ length: chosen }, (_, i) => 1 + ((offset + Math.floor((i * count) / chosen)) % count));
}

/** A server behind the breakpoint, which does not outlive a test that fails. */
async function startServer(): Promise<ServerProcess> {
  const server = await startServerProcess(databaseUrl);
  onTestFinished(() => void server.kill("SIGKILL"));
  return server;
}

/** Sends an order until it is delivered. */
async function buy(server: ServerProcess, key: string, body: unknown): Promise<Answer> {
  const post = () => requestShop(server.baseUrl, "/orders", { key, body });
  const deadline = Date.now() + MAX_RECOVERY_MS;
  let answer = await post();
  while (answer.status === 503 && Date.now() < deadline) {
    await delay(50);
    answer = await post();
  }
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer;
}

test("a server that is killed at any step of an on-demand order leaves one that is bought and paid once", async () => {
  const simulator = await startSupplierSimulator();
  const supplierUrl = await breakpoint.before(simulator.url);
  const { productId } = await addOnDemandProduct(services, { simulator, supplierUrl });
  const accountId = await services.addAccount("1000");
  const { key } = await services.addKey(accountId);
  const bought = async (externalOrderId: string, step: number) => {
    const body = { externalOrderId, productId, qty: 2 };
    const killed = await startServer();
    breakpoint.reset();
    breakpoint.fireAt(step, () => void killed.kill("SIGKILL"));
    const first = await requestShop(killed.baseUrl, "/orders", { key, body }).catch(() => null);
    expect([breakpoint.hasFired(), first?.status], breakpoint.steps().join("\n")).toEqual(
      step === 0 ? [false, 200] : [true, undefined],
    );
    const steps = breakpoint.count();
    await killed.kill("SIGKILL");

    const next = await startServer();
    const { body: order } = await buy(next, key, body);
    await next.kill("SIGTERM");
    expect(order.codes).toHaveLength(2);
    expect(order.codes).toEqual(simulator.purchases().get(order.orderId)?.deliveredCodes);
    return steps;
  };

  const steps = someSteps(await bought("counts", 0));
  for (const step of steps) await bought(`killed at ${step}`, step);
  expect(simulator.purchases().size).toBe(1 + steps.length);
  expect(await services.accounts.get(accountId)).toMatchObject({
    balanceMicrocents: usd("1000") - usd("2") * BigInt(1 + steps.length),
    reservedMicrocents: 0n,
  });
  await simulator.close();
});
