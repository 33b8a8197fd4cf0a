import { expect, onTestFinished, test } from "vitest";
import { requestShop } from "../testing/request-shop.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { addCaller, addModel, mostOutput } from "../testing/test-calls.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";
import { startTestUpstream } from "../testing/test-upstream.ts";

/** Its tokens come when the test says so. */
const HELD_BACK = "sim-slow-tokens-600000";
const LEASES = { CALL_LEASE_MS: "600000", ORDER_LEASE_MS: "600000", SUPPLIER_TIMEOUT_MS: "60000" };
const HOUR_MS = 3_600_000;

/** The environment of a process on a machine whose clock is wrong. */
function clockWrongBy(offsetMs: number): Record<string, string> {
  const script = `const now=Date.now;Date.now=()=>now()+${offsetMs}`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(script)}`;
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${preload}`.trim() };
}

test.each([
  ["begun by a process whose clock is an hour behind", -HOUR_MS, 0],
  ["seen by a process whose clock is an hour ahead", 0, HOUR_MS],
])(
  "a call and an order that live are not taken for abandoned when %s",
  async (_, workersMs, recoverersMs) => {
    const services = await openTestServices();
    const { simulator, productId } = await addOnDemandProduct(services);
    const upstream = await startTestUpstream();
    const accountId = await services.addAccount();
    const model = await addModel(services, HELD_BACK);
    const env = { ...LEASES, UPSTREAM_URL: upstream.url, UPSTREAM_API_KEY: upstream.apiKey };
    const start = async (offsetMs: number, RECOVERY_INTERVAL_MS: string): Promise<ServerProcess> => {
      const server = await startServerProcess(services.databaseUrl, {
        ...env,
        ...clockWrongBy(offsetMs),
        RECOVERY_INTERVAL_MS,
      });
      onTestFinished(() => void server.kill("SIGKILL"));
      return server;
    };
    const worker = await start(workersMs, "60000");
    const recoverer = await start(recoverersMs, "20");
    const { key } = await services.addKey(accountId, "general");
    const ordering = await services.addKey(accountId);
    void requestStream(worker, key).catch(() => {});
    await expect.poll(services.calls.countUnfinished).toMatchObject({ running: 1 });
    simulator.nextPurchases("hang_before");
    const body = { externalOrderId: "lives", productId, qty: 1 };
    void requestShop(worker.baseUrl, "/orders", { key: ordering.key, body }).catch(() => {});
    await expect.poll(() => simulator.purchases().size).toBe(1);

    expect(recoverer.log().includes("clock is")).toBe(recoverersMs !== 0);
    const caller = await addCaller(services, accountId);
    const abandoned = await services.calls.begin({
      caller,
      model,
      requestId: "abandoned",
      most: mostOutput(1),
    });
    const { callId } = abandoned;
    await services.database.change("UPDATE calls SET lease_expires_at_ms = 1 WHERE call_id = ?", [callId]);
    // It has looked for both kinds since.
    await expect
      .poll(() => runningCalls(services))
      .toEqual([{ request_id: expect.not.stringMatching("abandoned") }]);
    expect(await services.database.rows("SELECT leased, attempts FROM purchases")).toEqual([
      { leased: 1, attempts: 1 },
    ]);
    expect(simulator.purchases().size).toBe(1);
    await worker.kill("SIGKILL");
    await recoverer.kill("SIGKILL");
    await simulator.close();
    await services.dispose();
  },
);

const runningCalls = ({ database }: TestServices) =>
  database.rows("SELECT request_id FROM calls WHERE outcome IS NULL");

async function requestStream({ baseUrl }: ServerProcess, key: string): Promise<void> {
  const headers = {
    "x-api-key": key,
    "anthropic-version": "2023-06-01",
    "content-type": "application/json",
  };
  const messages = [{ role: "user", content: "one two" }];
  const body = JSON.stringify({ model: HELD_BACK, max_tokens: 100, messages, stream: true });
  const response = await fetch(new URL("/v1/messages", baseUrl), { method: "POST", headers, body });
  await response.text();
}
