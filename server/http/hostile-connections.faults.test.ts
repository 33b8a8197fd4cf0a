import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serviceNodeOptions } from "../setup/service-node-options.mjs";
import { scaled } from "../testing/faults/fault-runs.ts";
import type { GoodBuyerInput, GoodBuyerTimes } from "../testing/faults/good-buyer.ts";
import type { HostileFigures } from "../testing/faults/hostile-clients.ts";
import { type Measured, measureProcess } from "../testing/process-figures.ts";
import { type RunningProgram, startProgram } from "../testing/program.ts";
import { requestShop } from "../testing/request-shop.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { addModels } from "../testing/test-ai-proxy.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";

const GIBIBYTE = 1024 ** 3;
/** Of each kind, as many as it takes for their 99th percentile to say something: it is that of the sixth. */
const QUIET_REQUESTS = 500;
const LEAST_REQUESTS = scaled(500);
/** More than are judged on the event loop. */
const MANY_TURNS = 5_000;
const ATTACK_MS = scaled(40) * 1_000;
const SAMPLE_MS = 250;
const HOSTILE_ACCOUNTS = 20;
/** As accounts are opened. */
const HOSTILE_RPM = 60;
const PROGRAMS = join(import.meta.dirname, "../testing/faults");
const UPSTREAM = join(import.meta.dirname, "../simulators/upstream/main.ts");

/** A good buyer at one of the processes. */
interface Place {
  readonly process: ServerProcess;
  readonly buyer: Omit<GoodBuyerInput, "requests" | "ms">;
}

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
  // What buyers need is made before: it keeps the machine busy, and the attack would be half over.
  const places = await Promise.all([server, beside].map(placeAt));
  const keys = await hostileKeys();
  await Promise.all(places.map(askLargely));
  const quiet = await buyAtAll(places, QUIET_REQUESTS, 0);
  const attackers = startAttack(new URL(server.baseUrl).origin, keys);
  await attackers.printed(/attacking/);
  const disturbed = await buyAtAll(places, LEAST_REQUESTS, ATTACK_MS);
  attackers.child.kill("SIGTERM");
  const hostile: HostileFigures = JSON.parse(await attackers.printed(/^\{/));
  await attackers.ended;
  print(quiet, disturbed, hostile);

  expect(disturbed.attacked.mostBytes).toBeLessThan(GIBIBYTE);
  const statuses = Object.values(hostile.answers).flatMap((counts) => Object.keys(counts));
  for (const status of new Set(statuses))
    expect(["200", "400", "402", "408", "429", "503", "cut"]).toContain(status);
  expect((await buyAtAll(places, 1, 0)).attacked.value.order).not.toEqual([]);
  // What is under way is answered or broken off, and the books are right.
  expect(await Promise.all([server.kill("SIGTERM"), beside.kill("SIGTERM")])).toEqual([0, 0]);
  await expect.poll(reservedByAll, { timeout: 90_000 }).toBe(0n);
  const { checks } = await services.audit.run();
  console.log(`Audit: ${checks.filter(({ ok }) => ok).length} of ${checks.length} checks hold`);
  await services.dispose();
});

/** How a good buyer fares at the process that is attacked, and at the other one in the same time. */
interface AtBoth {
  readonly attacked: Measured<GoodBuyerTimes>;
  readonly beside: Measured<GoodBuyerTimes>;
}

async function buyAtAll(places: readonly Place[], requests: number, ms: number): Promise<AtBoth> {
  const [attacked, other] = await Promise.all(places.map((place) => buyAt(place, requests, ms)));
  return { attacked, beside: other } as AtBoth;
}

async function placeAt(process: ServerProcess): Promise<Place> {
  const accountId = await services.addAccount("100000");
  const { key } = await services.addKey(accountId);
  const { key: callKey } = await services.addKey(accountId, "general");
  const { productId } = await services.addProduct({ price: "0.01", codes: 50_000 });
  return { process, buyer: { baseUrl: process.baseUrl, key, callKey, productId } };
}

/** Asks what the attack asks first: the first such request to a process makes the path's validator and starts a thread. */
async function askLargely({ process, buyer }: Place): Promise<void> {
  const messages = Array.from({ length: MANY_TURNS }, () => ({ role: "user", content: "x" }));
  const { status } = await requestShop(process.ownUrl, "/v1/messages/count_tokens", {
    key: buyer.callKey,
    headers: { "anthropic-version": "2023-06-01" },
    body: { model: "sim-echo", messages },
  });
  expect(status).toBe(200);
}

/** A program of its own buys. @returns how long each request took */
async function buyAt(
  { process: at, buyer }: Place,
  requests: number,
  ms: number,
): Promise<Measured<GoodBuyerTimes>> {
  const input: GoodBuyerInput = { ...buyer, requests, ms };
  return measureProcess(at, SAMPLE_MS, async () => {
    const program = startProgram(process.execPath, [join(PROGRAMS, "good-buyer.ts")], {
      input: JSON.stringify(input),
    });
    return JSON.parse(await program.printed(/^\{/));
  });
}

/**
 * Begins the attack. Its clients stand for other machines: their work is not the shop's, so it gets what processor the shop and
 * its buyers leave. What the shop does for them has the priority that it always has.
 */
function startAttack(url: string, keys: readonly string[]): RunningProgram {
  const program = [process.execPath, join(PROGRAMS, "hostile-clients.ts")];
  return startProgram("nice", ["-n", "19", ...program], { input: JSON.stringify({ url, keys }) });
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

function print(quiet: AtBoth, disturbed: AtBoth, { answers, seconds, cpuShare }: HostileFigures): void {
  const count = sumOf(Object.values(answers).flatMap((counts) => Object.values(counts)));
  const lines = [
    "A good buyer beside 100 hostile connections:",
    `  before: ${lineOf(quiet.attacked)}`,
    `  during: ${lineOf(disturbed.attacked)}`,
    "The same on the same machine, at a process that nobody attacks:",
    `  before: ${lineOf(quiet.beside)}`,
    `  during: ${lineOf(disturbed.beside)}`,
    `The p99 is ${growth(quiet.attacked, disturbed.attacked)} times what it was; at the process beside it, ${growth(quiet.beside, disturbed.beside)} times`,
    `Memory of the attacked process: at most ${Math.round(disturbed.attacked.mostBytes / 1024 ** 2)} MiB`,
    `The attackers took ${Math.round(cpuShare * 100)} % of a core, at the lowest priority: they stand for other machines.`,
    `They were answered ${count} times, ${Math.round(count / seconds)} times a second:`,
    ...Object.entries(answers).map(([kind, counts]) => `  ${kind}: ${JSON.stringify(counts)}`),
  ];
  console.log(lines.join("\n"));
}

function lineOf({ value, loopDelaysMs, cpuShare }: Measured<GoodBuyerTimes>): string {
  const spread = (times: readonly number[]) =>
    `p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms`;
  const all = Object.values(value).flat();
  const kinds = Object.entries(value).map(([kind, times]) => `${kind} ${percentile(times, 0.99)}`);
  return (
    `${all.length} requests, ${spread(all)} (${kinds.join(", ")}); event loop late by ${spread(loopDelaysMs)} ` +
    `(the most in every ${SAMPLE_MS} ms); ${Math.round(cpuShare * 100)} % of a core`
  );
}

/** How many times the 99th percentile of all requests is what it was. */
function growth(before: Measured<GoodBuyerTimes>, during: Measured<GoodBuyerTimes>): number {
  const p99 = ({ value }: Measured<GoodBuyerTimes>) => Number(percentile(Object.values(value).flat(), 0.99));
  return Math.round((p99(during) / p99(before)) * 100) / 100;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function percentile(times: readonly number[], share: number): string {
  const sorted = [...times].sort((one, other) => one - other);
  return String(Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10);
}
