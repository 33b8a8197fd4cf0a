import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { closeDatabase, openDatabase } from "../../database/database.ts";
import { migrateToLatest } from "../../database/migrate.ts";
import { createRandom } from "../../simulators/shared/random.ts";
import { startSupplierSimulator } from "../../simulators/supplier/supplier-simulator.ts";
import {
  startUpstreamSimulator,
  type UpstreamSimulator,
} from "../../simulators/upstream/upstream-simulator.ts";
import { faultSeed } from "../faults/fault-runs.ts";
import {
  createMixedOrders,
  expectMixedOrdersStored,
  type MixedOrder,
  sendMixedOrder,
} from "../faults/mixed-orders.ts";
import { type Answer, requestShop } from "../request-shop.ts";
import { type ServerProcess, startServerProcess } from "../server-process.ts";
import { expectSalesToAgree, orderUntilDelivered, waitUntilAllEnded } from "../supplied-orders.ts";
import { addCallingAccount, addModels, type CallingAccount } from "../test-ai-proxy.ts";
import { openTestServicesOn, type TestServices } from "../test-shop.ts";

/** Something that befalls a cluster, and its end. */
export interface ClusterFault {
  readonly name: string;
  /** Resolves when the cluster is whole again. */
  happen(): Promise<void>;
}

/** The shop's database wherever it is, on all nodes that are to agree. */
interface Databases {
  readonly nodes: readonly { readonly url: string }[];
}

interface ClusterRun {
  readonly cluster: Databases;
  /** The database of each of the shop's processes: nodes, or what leads to one. */
  readonly urls: readonly string[];
  readonly faults: readonly ClusterFault[];
}

const ORDER_WORKERS = 8;
const CALL_WORKERS = 4;
const MAX_ORDERS = 5_000;
/** So many orders are delivered before the first fault, and after each. */
const DELIVERED_BETWEEN = 40;
const MAX_PAUSE_MS = 50;
const MAX_WAIT_MS = 5 * 60_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MODEL = "sim-echo";
const TIMES = {
  SUPPLIER_TIMEOUT_MS: "2000",
  ORDER_LEASE_MS: "6000",
  CALL_LEASE_MS: "40000",
  RECOVERY_INTERVAL_MS: "200",
};
/** An outage has a name: never 500. */
const ANSWERS = [200, 503];

/**
 * Orders from stock and on demand, and calls, through one process for each of `urls`, while the faults happen one after the
 * other. Fails the test unless every answer was true and all nodes hold the same sound books. Prints figures.
 */
export async function shopThroughFaults({ cluster, urls, faults }: ClusterRun): Promise<void> {
  const random = createRandom(faultSeed());
  const services = await openClusterServices(cluster);
  const supplier = await startSupplierSimulator();
  const upstream = await startUpstreamSimulator();
  const next = await createMixedOrders(services, supplier, { most: MAX_ORDERS, random });
  await addModels(services, [MODEL]);
  const caller = await addCallingAccount(services, "100000");
  const processes = await Promise.all(urls.map((url) => startProcess(url, upstream)));
  const anyProcess = () => processes[Math.floor(random() * processes.length)] as ServerProcess;

  const figures = new Figures();
  const sent: MixedOrder[] = [];
  let done = false;
  const buying = Array.from({ length: ORDER_WORKERS }, async () => {
    while (!done) {
      const order = next();
      sent.push(order);
      await buy(order, { anyProcess, figures });
    }
  });
  const answered: string[] = [];
  const calling = Array.from({ length: CALL_WORKERS }, async () => {
    while (!done) {
      const requestId = await call(anyProcess(), caller, figures);
      if (requestId !== null) answered.push(requestId);
      else await delay(random() * MAX_PAUSE_MS);
    }
  });
  const untilMoreDelivered = async () => {
    const enough = figures.delivered + DELIVERED_BETWEEN;
    await expect.poll(() => figures.delivered, { timeout: MAX_WAIT_MS }).toBeGreaterThanOrEqual(enough);
  };

  const working = Promise.all([...buying, ...calling]);
  // A worker that fails ends the test where it is waited for.
  working.catch(() => {});
  await untilMoreDelivered();
  for (const fault of faults) {
    figures.begin(fault.name);
    await fault.happen();
    await untilMoreDelivered();
  }
  done = true;
  await working;

  await waitUntilAllEnded(services, MAX_WAIT_MS);
  await caller.settled();
  for (const process of processes) await process.kill("SIGTERM");
  await expectMixedOrdersStored(services, sent);
  await expectSalesToAgree(services, supplier);
  await expectCallsStored(services, caller, answered);
  await closeDatabase(services.database);
  await expectNodesToAgree(cluster);
  await supplier.close();
  await upstream.close();
  console.log(figures.toString());
  expect(figures.wrong).toEqual([]);
}

/** The use cases on the cluster's first node, with the newest schema. */
export async function openClusterServices({ nodes }: Databases): Promise<TestServices> {
  const url = nodes[0]?.url as string;
  const database = openDatabase({ url, poolSize: 2 });
  await migrateToLatest(database).finally(() => closeDatabase(database));
  return openTestServicesOn({ url, tcpUrl: url, drop: async () => {} });
}

/** A process of the shop on one database. */
async function startProcess(
  url: string,
  { url: upstreamUrl, apiKey }: UpstreamSimulator,
): Promise<ServerProcess> {
  const upstream = { UPSTREAM_URL: upstreamUrl, UPSTREAM_API_KEY: apiKey };
  const process = await startServerProcess(url, { ...TIMES, ...upstream });
  onTestFinished(() => void process.kill("SIGKILL"));
  return process;
}

/** A persistent buyer sends the order again, to any process, until it is delivered. */
async function buy(
  order: MixedOrder,
  { anyProcess, figures }: { anyProcess: () => ServerProcess; figures: Figures },
): Promise<void> {
  const begunMs = performance.now();
  const post = async (): Promise<Answer> => {
    const answer = await sendMixedOrder(anyProcess(), order);
    figures.count("orders", answer);
    if (answer === null) throw new Error("The connection broke.");
    return answer;
  };
  if (!order.persistent) await post().catch(() => null);
  else {
    const isFinal = ({ status }: Answer) => status === 200;
    await orderUntilDelivered(post, { isFinal, maxWaitMs: MAX_WAIT_MS });
  }
  if (order.bought !== null) figures.deliver(performance.now() - begunMs);
}

/** @returns the request's id when it was answered with a message. */
async function call(
  { ownUrl }: ServerProcess,
  { key }: CallingAccount,
  figures: Figures,
): Promise<string | null> {
  const body = { model: MODEL, max_tokens: 50, messages: [{ role: "user", content: "Say something." }] };
  const headers = { "anthropic-version": "2023-06-01" };
  const request = { key, body, headers, timeoutMs: REQUEST_TIMEOUT_MS };
  const answer = await requestShop(ownUrl, "/v1/messages", request).catch(() => null);
  figures.count("calls", answer);
  return answer?.status === 200 ? answer.headers.get("x-request-id") : null;
}

/** Every call that was answered is a row of its own, charged and completed. */
async function expectCallsStored(
  { calls }: TestServices,
  { accountId }: CallingAccount,
  answered: readonly string[],
): Promise<void> {
  const completed = (await calls.list(accountId, 1_000_000)).filter(({ outcome }) => outcome === "completed");
  const stored = new Set(completed.map(({ requestId }) => requestId));
  expect(answered.filter((requestId) => !stored.has(requestId))).toEqual([]);
  for (const { amountMicrocents } of completed) expect(amountMicrocents).toBeGreaterThan(0n);
}

/** The audit finds nothing on any node, nothing is reserved, and all tables are the same everywhere. */
async function expectNodesToAgree({ nodes }: Databases): Promise<void> {
  const sums: unknown[] = [];
  for (const { url } of nodes) {
    const services = openTestServicesOn({ url, tcpUrl: url, drop: async () => {} });
    await services.expectCleanAudit();
    const reserved = await services.database.rows(
      "SELECT account_id FROM accounts WHERE reserved_microcents <> 0",
    );
    expect(reserved).toEqual([]);
    sums.push(await checksums(services));
    await closeDatabase(services.database);
  }
  for (const sum of sums) expect(sum).toEqual(sums[0]);
}

async function checksums({ database }: TestServices): Promise<unknown> {
  const [tables] = await database.pool.query("SHOW TABLES");
  const names = (tables as Record<string, string>[]).flatMap((row) => Object.values(row));
  const [rows] = await database.pool.query(`CHECKSUM TABLE ${names.map((name) => `\`${name}\``).join(", ")}`);
  return (rows as { Table: string; Checksum: bigint | null }[]).map(({ Table, Checksum }) => [
    Table,
    String(Checksum),
  ]);
}

interface Phase {
  readonly name: string;
  longestMs: number;
  readonly answers: Map<string, number>;
}

/** What buyers and callers have seen, fault by fault. */
class Figures {
  delivered = 0;
  /** Answers that no fault of a node excuses. */
  readonly wrong: string[] = [];
  readonly #phases: Phase[] = [];

  constructor() {
    this.begin("before");
  }

  begin(name: string): void {
    this.#phases.push({ name, longestMs: 0, answers: new Map() });
  }

  count(kind: "orders" | "calls", answer: Answer | null): void {
    const { answers } = this.#current();
    const name = `${kind} ${answer?.status ?? "cut"}`;
    answers.set(name, (answers.get(name) ?? 0) + 1);
    if (answer !== null && !ANSWERS.includes(answer.status))
      this.wrong.push(`${this.#current().name}: ${answer.status} ${answer.text}`);
  }

  deliver(tookMs: number): void {
    this.delivered += 1;
    const phase = this.#current();
    phase.longestMs = Math.max(phase.longestMs, tookMs);
  }

  toString(): string {
    return this.#phases
      .map(({ name, longestMs, answers }) => {
        const counts = [...answers].toSorted().map(([answer, count]) => `${answer}: ${count}`);
        return `${name}: longest until delivered ${Math.round(longestMs)} ms; ${counts.join(", ")}`;
      })
      .join("\n");
  }

  #current(): Phase {
    return this.#phases.at(-1) as Phase;
  }
}
