import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serviceNodeOptions } from "../setup/service-node-options.mjs";
import { scaled } from "../testing/faults/fault-runs.ts";
import type { GoodBuyerInput } from "../testing/faults/good-buyer.ts";
import { type Measured, measureProcess } from "../testing/process-figures.ts";
import { type RunningProgram, startProgram } from "../testing/program.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { addModels } from "../testing/test-ai-proxy.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";

const GIBIBYTE = 1024 ** 3;
/** As many as it takes for their 99th percentile to say something, also in a short run. */
const QUIET_REQUESTS = 300;
/** During a short attack on a busy machine. */
const LEAST_REQUESTS = 20;
const ATTACK_MS = scaled(40) * 1_000;
const SAMPLE_MS = 250;
const HOSTILE_ACCOUNTS = 20;
/** As accounts are opened. */
const HOSTILE_RPM = 60;
const PROGRAMS = join(import.meta.dirname, "../testing/faults");
const UPSTREAM = join(import.meta.dirname, "../simulators/upstream/main.ts");

let upstream: RunningProgram;
let services: TestServices;
/** The process that is attacked. */
let server: ServerProcess;
/** Another one, which nobody attacks. What is slower here during the attack is slow since the machine is busy with it. */
let beside: ServerProcess;
beforeEach(async () => {
  upstream = startProgram(process.execPath, [UPSTREAM, "--port", "0", "--json"]);
  const { url, apiKey } = JSON.parse(await upstream.printed(/^\{/));
  services = await openTestServices();
  await addModels(services, ["sim-echo", "sim-huge-32", "sim-slow-tokens-2000"]);
  const start = () =>
    startServerProcess(services.databaseUrl, {
      NODE_ENV: "production",
      NODE_OPTIONS: serviceNodeOptions.join(" "),
      LOG_LEVEL: "info",
      UPSTREAM_URL: url,
      UPSTREAM_API_KEY: apiKey,
      CLIENT_STALL_MS: "5000",
    });
  [server, beside] = await Promise.all([start(), start()]);
});
afterEach(async () => {
  await Promise.all([server.kill("SIGKILL"), beside.kill("SIGKILL"), upstream.kill("SIGKILL")]);
});

test("100 hostile connections: a good buyer is served, the memory stays below a GiB, nothing dies", async () => {
  const quiet = await buyAtBoth(QUIET_REQUESTS, 0);
  const attackers = startProgram(process.execPath, [join(PROGRAMS, "hostile-clients.ts")], {
    input: JSON.stringify({ url: new URL(server.baseUrl).origin, keys: await hostileKeys() }),
  });
  await attackers.printed(/attacking/);
  const disturbed = await buyAtBoth(LEAST_REQUESTS, ATTACK_MS);
  attackers.child.kill("SIGTERM");
  const answers = JSON.parse(await attackers.printed(/^\{/));
  await attackers.ended;
  print(quiet, disturbed, answers);

  expect(disturbed.attacked.mostBytes).toBeLessThan(GIBIBYTE);
  const statuses = Object.values(answers).flatMap((counts) => Object.keys(counts as object));
  for (const status of new Set(statuses))
    expect(["200", "400", "402", "408", "429", "503", "cut"]).toContain(status);
  expect((await buyAtBoth(1, 0)).attacked.value).not.toEqual([]);
  // What is under way is answered or broken off, and the books are right.
  expect(await Promise.all([server.kill("SIGTERM"), beside.kill("SIGTERM")])).toEqual([0, 0]);
  await expect.poll(reservedByAll, { timeout: 90_000 }).toBe(0n);
  const { checks } = await services.audit.run();
  console.log(`Audit: ${checks.filter(({ ok }) => ok).length} of ${checks.length} checks hold`);
  await services.dispose();
});

/** How a good buyer fares at the process that is attacked, and at the other one in the same time. */
interface AtBoth {
  readonly attacked: Measured<readonly number[]>;
  readonly beside: Measured<readonly number[]>;
}

async function buyAtBoth(requests: number, ms: number): Promise<AtBoth> {
  const [attacked, other] = await Promise.all([server, beside].map((one) => buyAt(one, requests, ms)));
  return { attacked, beside: other } as AtBoth;
}

/** A good buyer at one of the processes, in a program of its own. @returns how long each request took */
async function buyAt(at: ServerProcess, requests: number, ms: number): Promise<Measured<readonly number[]>> {
  const accountId = await services.addAccount("100000");
  const { key } = await services.addKey(accountId);
  const { key: callKey } = await services.addKey(accountId, "general");
  const { productId } = await services.addProduct({ price: "0.01", codes: 50_000 });
  const { baseUrl } = at;
  const input: GoodBuyerInput = { baseUrl, key, callKey, productId, requests, ms };
  return measureProcess(at, SAMPLE_MS, async () => {
    const buyer = startProgram(process.execPath, [join(PROGRAMS, "good-buyer.ts")], {
      input: JSON.stringify(input),
    });
    return JSON.parse(await buyer.printed(/^\[/));
  });
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

async function reservedByAll(): Promise<bigint> {
  const [row] = await services.database.rows<{ reserved: string | null }>(
    "SELECT CAST(SUM(reserved_microcents) AS CHAR) AS reserved FROM accounts",
    [],
  );
  return BigInt(row?.reserved ?? 0);
}

function print(quiet: AtBoth, disturbed: AtBoth, answers: Record<string, Record<string, number>>): void {
  const spread = (times: readonly number[]) =>
    `p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms`;
  const line = ({ value: times, loopDelaysMs, cpuShare }: Measured<readonly number[]>) =>
    `${times.length} requests, ${spread(times)}; event loop late by ${spread(loopDelaysMs)} (the most ` +
    `in every ${SAMPLE_MS} ms); ${Math.round(cpuShare * 100)} % of a core`;
  const lines = [
    "A good buyer beside 100 hostile connections:",
    `  before: ${line(quiet.attacked)}`,
    `  during: ${line(disturbed.attacked)}`,
    "The same on the same machine, at a process that nobody attacks:",
    `  before: ${line(quiet.beside)}`,
    `  during: ${line(disturbed.beside)}`,
    `Memory of the attacked process: at most ${Math.round(disturbed.attacked.mostBytes / 1024 ** 2)} MiB`,
    ...Object.entries(answers).map(([kind, counts]) => `  ${kind}: ${JSON.stringify(counts)}`),
  ];
  console.log(lines.join("\n"));
}

function percentile(times: readonly number[], share: number): string {
  const sorted = [...times].sort((one, other) => one - other);
  return String(Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10);
}
