import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serviceNodeOptions } from "../setup/service-node-options.mjs";
import { startUpstreamSimulator, type UpstreamSimulator } from "../simulators/upstream/upstream-simulator.ts";
import { scaled } from "../testing/faults/fault-runs.ts";
import { type Measured, measureMemory } from "../testing/process-memory.ts";
import { startProgram } from "../testing/program.ts";
import { requestShop } from "../testing/request-shop.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { addModels, ask } from "../testing/test-ai-proxy.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";

const GIBIBYTE = 1024 ** 3;
/** As many as it takes for their 99th percentile to say something, also in a short run. */
const QUIET_REQUESTS = 300;
/** During a short attack on a busy machine. */
const LEAST_REQUESTS = 20;
const ATTACK_MS = scaled(40) * 1_000;
const SAMPLE_MS = 100;
const HOSTILE_ACCOUNTS = 20;
/** As accounts are opened. */
const HOSTILE_RPM = 60;
const ATTACKERS = join(import.meta.dirname, "../testing/faults/hostile-clients.ts");

let upstream: UpstreamSimulator;
let services: TestServices;
let server: ServerProcess;
beforeEach(async () => {
  upstream = await startUpstreamSimulator({ remember: false });
  services = await openTestServices();
  await addModels(services, ["sim-echo", "sim-huge-32", "sim-slow-tokens-2000"]);
  server = await startServerProcess(services.databaseUrl, {
    NODE_ENV: "production",
    NODE_OPTIONS: serviceNodeOptions.join(" "),
    LOG_LEVEL: "info",
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: upstream.apiKey,
    CLIENT_STALL_MS: "5000",
  });
});
afterEach(async () => {
  await server.kill("SIGKILL");
  await upstream.close();
});

test("100 hostile connections: a good buyer is served, the memory stays below a GiB, nothing dies", async () => {
  const buy = await goodBuyer();
  const quiet = await measureMemory(server, SAMPLE_MS, () =>
    repeatUntil((count) => count === QUIET_REQUESTS, buy),
  );
  const attackers = startProgram(process.execPath, [ATTACKERS], {
    input: JSON.stringify({ url: new URL(server.baseUrl).origin, keys: await hostileKeys() }),
  });
  await attackers.printed(/attacking/);
  const disturbed = await measureMemory(server, SAMPLE_MS, () => repeatFor(ATTACK_MS, buy, LEAST_REQUESTS));
  attackers.child.kill("SIGTERM");
  const answers = JSON.parse(await attackers.printed(/^\{/));
  await attackers.ended;
  print(quiet, disturbed, answers);

  expect(disturbed.mostBytes).toBeLessThan(GIBIBYTE);
  const statuses = Object.values(answers).flatMap((counts) => Object.keys(counts as object));
  for (const status of new Set(statuses))
    expect(["200", "400", "402", "429", "503", "cut"]).toContain(status);
  expect(await repeatFor(SAMPLE_MS, buy)).not.toEqual([]);
  // What is under way is answered or broken off, and the books are right.
  expect(await server.kill("SIGTERM")).toBe(0);
  await expect.poll(reservedByAll, { timeout: 90_000 }).toBe(0n);
  await services.dispose();
});

/** Someone who orders a code, calls a model and looks at the balance, and is to be answered rightly each time. */
async function goodBuyer(): Promise<() => Promise<void>> {
  const accountId = await services.addAccount("100000");
  const { key } = await services.addKey(accountId);
  const { key: callKey } = await services.addKey(accountId, "general");
  const { productId } = await services.addProduct({ price: "0.01", codes: 100_000 });
  const { origin } = new URL(server.baseUrl);
  const headers = { "anthropic-version": "2023-06-01" };
  let count = 0;
  const answered = async (asking: ReturnType<typeof requestShop>) =>
    expect(await asking).toMatchObject({ status: 200 });
  const requests = [
    () => {
      count += 1;
      const body = { externalOrderId: `good-${count}`, productId, qty: 1 };
      return answered(requestShop(server.baseUrl, "/orders", { key, body }));
    },
    () => answered(requestShop(origin, "/v1/messages", { key: callKey, headers, body: ask("Hello") })),
    () => answered(requestShop(server.baseUrl, "/balance", { key })),
  ];
  let next = 0;
  return async () => {
    const request = requests[next % requests.length];
    next += 1;
    await request?.();
  };
}

async function hostileKeys(): Promise<string[]> {
  return Promise.all(
    Array.from({ length: HOSTILE_ACCOUNTS }, async (_, index) => {
      const { accountId } = await services.accounts.create({ name: "Hostile", rpmLimit: HOSTILE_RPM });
      // Some have nothing to lose.
      if (index % 5 !== 0)
        await services.ledger.topUp({ accountId, amountMicrocents: usd("10000"), reference: "r" });
      return (await services.addKey(accountId, "general")).key;
    }),
  );
}

function repeatFor(ms: number, work: () => Promise<void>, least = 1): Promise<number[]> {
  const endMs = performance.now() + ms;
  return repeatUntil((count) => count >= least && performance.now() >= endMs, work);
}

/** Does something on and on. @returns how long each time took, in milliseconds */
async function repeatUntil(
  isEnough: (count: number) => boolean,
  work: () => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  while (!isEnough(times.length)) {
    const startedMs = performance.now();
    await work();
    times.push(performance.now() - startedMs);
  }
  return times;
}

async function reservedByAll(): Promise<bigint> {
  const [row] = await services.database.rows<{ reserved: string | null }>(
    "SELECT CAST(SUM(reserved_microcents) AS CHAR) AS reserved FROM accounts",
    [],
  );
  return BigInt(row?.reserved ?? 0);
}

type Served = Measured<readonly number[]>;

function print(quiet: Served, disturbed: Served, answers: Record<string, Record<string, number>>): void {
  const spread = (times: readonly number[]) =>
    `p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms`;
  const line = ({ value: times, loopDelaysMs }: Served) =>
    `${times.length} requests, ${spread(times)}; event loop late by ${spread(loopDelaysMs)}`;
  const lines = [
    "A good buyer beside 100 hostile connections:",
    `  before: ${line(quiet)}`,
    `  during: ${line(disturbed)}`,
    `  memory of the process: at most ${Math.round(disturbed.mostBytes / 1024 ** 2)} MiB`,
    ...Object.entries(answers).map(([kind, counts]) => `  ${kind}: ${JSON.stringify(counts)}`),
  ];
  console.log(lines.join("\n"));
}

function percentile(times: readonly number[], share: number): string {
  const sorted = [...times].sort((one, other) => one - other);
  return String(Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10);
}
