import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { listCalls } from "../../calls/call-store.ts";
import type { AccountId, CallId } from "../../ids.ts";
import { createRandom } from "../../simulators/shared/random.ts";
import { startSupplierSimulator } from "../../simulators/supplier/supplier-simulator.ts";
import { startUpstreamSimulator } from "../../simulators/upstream/upstream-simulator.ts";
import { type Answer, requestShop } from "../request-shop.ts";
import { type ServerProcess, startServerProcess } from "../server-process.ts";
import { expectSalesToAgree, orderUntilDelivered, waitUntilAllEnded } from "../supplied-orders.ts";
import { addCallingAccount, addModels, type CallingAccount } from "../test-ai-proxy.ts";
import type { TestServices } from "../test-shop.ts";
import { BusyFigures, type BusyKind } from "./busy-figures.ts";
import { faultSeed } from "./fault-runs.ts";
import {
  createMixedOrders,
  expectMixedOrdersStored,
  type MixedOrder,
  sendMixedOrder,
} from "./mixed-orders.ts";

/** How many are at work at the same time, kind by kind. */
export type BusyWorkers = Readonly<Partial<Record<BusyKind, number>>>;

interface BusyShopOptions {
  /** The use cases on the shop's database, which is empty. */
  readonly services: TestServices;
  /** The database of each of the shop's processes. */
  readonly urls: readonly string[];
  readonly workers: BusyWorkers;
  readonly mostOrders: number;
}

/** Processes of the shop, with buyers and callers who are at work all the time. */
export interface BusyShop {
  readonly figures: BusyFigures;
  readonly processes: readonly ServerProcess[];
  /** Resolves when so many more orders have been delivered. */
  untilMoreDelivered(count: number): Promise<void>;
  /**
   * Ends the work and the processes, and fails the test unless every answer was true: delivered orders with their codes, each
   * sold once; answered calls with their charge; and nothing that is still held.
   */
  stop(): Promise<void>;
}

const MAX_PAUSE_MS = 50;
const MAX_WAIT_MS = 5 * 60_000;
const REQUEST_TIMEOUT_MS = 60_000;
const MODEL = "sim-echo";
const WORDS = "One word after the other. ".repeat(20);
const BYTE_PAUSE_MS = 5;
const ERRORS_SHOWN = 20;
const CALLS_AT_ONCE = 1_000;
const TIMES = {
  SUPPLIER_TIMEOUT_MS: "2000",
  ORDER_LEASE_MS: "6000",
  CALL_LEASE_MS: "40000",
  RECOVERY_INTERVAL_MS: "200",
};

/** Starts the processes, and the work. */
export async function startBusyShop(options: BusyShopOptions): Promise<BusyShop> {
  const { services, urls, workers, mostOrders } = options;
  const random = createRandom(faultSeed());
  const [supplier, upstream] = [
    await startSupplierSimulator(),
    await startUpstreamSimulator({ remember: false }),
  ];
  const next = await createMixedOrders(services, supplier, { most: mostOrders, random });
  await addModels(services, [MODEL]);
  const caller = await addCallingAccount(services, "100000");
  const environment = { ...TIMES, UPSTREAM_URL: upstream.url, UPSTREAM_API_KEY: upstream.apiKey };
  const processes = await Promise.all(urls.map((url) => startServerProcess(url, environment)));
  onTestFinished(async () => {
    for (const process of processes) await process.kill("SIGKILL");
  });

  const figures = new BusyFigures();
  const sent: MixedOrder[] = [];
  const answered: string[] = [];
  const anyProcess = () => processes[Math.floor(random() * processes.length)] as ServerProcess;
  const pieces: Readonly<Record<BusyKind, () => Promise<void>>> = {
    order: async () => {
      const order = next();
      sent.push(order);
      await buy(order, { anyProcess, figures });
    },
    call: async () => {
      const requestId = await call(anyProcess(), caller, figures);
      if (requestId !== null) answered.push(requestId);
    },
    stream: () => readStream("stream", { process: anyProcess(), caller, figures }),
    "slow stream": () => readStream("slow stream", { process: anyProcess(), caller, figures }),
    abort: () => readStream("abort", { process: anyProcess(), caller, figures }),
  };
  let done = false;
  const working = Promise.all(
    Object.entries(workers).flatMap(([kind, count]) =>
      Array.from({ length: count }, async () => {
        while (!done) {
          await pieces[kind as BusyKind]();
          await delay(random() * MAX_PAUSE_MS);
        }
      }),
    ),
  );
  // A worker that fails ends the test where it is waited for.
  working.catch(() => {});
  return {
    figures,
    processes,
    async untilMoreDelivered(count) {
      const enough = figures.delivered + count;
      const wait = { timeout: MAX_WAIT_MS };
      await expect.poll(() => figures.delivered, wait).toBeGreaterThanOrEqual(enough);
    },
    async stop() {
      done = true;
      await working;
      await waitUntilAllEnded(services, MAX_WAIT_MS);
      await expect
        .poll(services.calls.countUnfinished, { timeout: MAX_WAIT_MS })
        .toMatchObject({ running: 0 });
      for (const process of processes) await process.kill("SIGTERM");
      console.log(figures.toString());
      await expectMixedOrdersStored(services, sent);
      await expectSalesToAgree(services, supplier);
      await expectCallsStored(services, caller, answered);
      await supplier.close();
      await upstream.close();
      const logged = figures.wrong.length === 0 ? [] : processes.flatMap(errorsIn).slice(0, ERRORS_SHOWN);
      expect(figures.wrong, logged.join("\n")).toEqual([]);
    },
  };
}

/** What a process has logged of requests that it answered with 500. */
function errorsIn({ log }: ServerProcess): string[] {
  const lines = log().split("\n");
  const failed = lines.flatMap((line) => /"requestId":"([^"]+)".*"status":500/.exec(line)?.[1] ?? []);
  return lines.filter((line) => line.includes('"err"') && failed.some((id) => line.includes(id)));
}

interface Asking {
  readonly process: ServerProcess;
  readonly caller: CallingAccount;
  readonly figures: BusyFigures;
}

/** A persistent buyer sends the order again, to any process, until it is delivered. */
async function buy(
  order: MixedOrder,
  { anyProcess, figures }: { anyProcess: () => ServerProcess; figures: BusyFigures },
): Promise<void> {
  const begunMs = performance.now();
  const trail: string[] = [];
  const post = async (): Promise<Answer> => {
    const sentMs = performance.now();
    const process = anyProcess();
    const answer = await sendMixedOrder(process, order);
    const tookMs = performance.now() - sentMs;
    figures.count("order", answer, tookMs);
    const what = answer === null ? "cut" : [answer.status, answer.body?.error ?? ""].join(" ").trim();
    trail.push(`${what} at :${new URL(process.baseUrl).port} after ${Math.round(tookMs)}`);
    if (answer === null) throw new Error("The connection broke.");
    return answer;
  };
  if (!order.persistent) await post().catch(() => null);
  else {
    const isFinal = ({ status }: Answer) => status === 200;
    await orderUntilDelivered(post, { isFinal, maxWaitMs: MAX_WAIT_MS });
  }
  if (order.bought !== null) figures.deliver(performance.now() - begunMs, trail);
}

const VERSION = { "anthropic-version": "2023-06-01" };
const messageOf = (stream: boolean) => ({
  model: MODEL,
  max_tokens: 300,
  stream,
  messages: [{ role: "user", content: WORDS }],
});

/** @returns the request's id when it was answered with a message. */
async function call(
  { ownUrl }: ServerProcess,
  { key }: CallingAccount,
  figures: BusyFigures,
): Promise<string | null> {
  const sentMs = performance.now();
  const request = { key, body: messageOf(false), headers: VERSION, timeoutMs: REQUEST_TIMEOUT_MS };
  const answer = await requestShop(ownUrl, "/v1/messages", request).catch(() => null);
  figures.count("call", answer, performance.now() - sentMs);
  return answer?.status === 200 ? answer.headers.get("x-request-id") : null;
}

/** Reads a stream to its end, or slowly, or leaves when it has begun. */
async function readStream(
  kind: "stream" | "slow stream" | "abort",
  { process: { ownUrl }, caller: { key }, figures }: Asking,
): Promise<void> {
  const sentMs = performance.now();
  const leaving = new AbortController();
  let status: number | null = null;
  let text = "";
  try {
    const response = await fetch(`${ownUrl}/v1/messages`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...VERSION },
      body: JSON.stringify(messageOf(true)),
      signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    status = response.status;
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (kind === "abort") leaving.abort();
      if (kind === "slow stream") await delay(BYTE_PAUSE_MS);
    }
  } catch {
    if (kind !== "abort") status = null;
  }
  figures.count(kind, status === null ? null : { status, text }, performance.now() - sentMs);
}

/** Every call that was answered is a row of its own, charged and completed. */
async function expectCallsStored(
  { database }: TestServices,
  { accountId }: CallingAccount,
  answered: readonly string[],
): Promise<void> {
  const missing = new Set(answered);
  for await (const { outcome, requestId, amountMicrocents } of allCalls(database, accountId)) {
    if (outcome !== "completed") continue;
    missing.delete(requestId);
    expect(amountMicrocents).toBeGreaterThan(0n);
  }
  expect([...missing]).toEqual([]);
}

/** Portion by portion, since no statement may take longer than the service allows. */
async function* allCalls(database: TestServices["database"], accountId: AccountId) {
  for (let before: CallId | undefined; ; ) {
    const calls = await listCalls(database, accountId, CALLS_AT_ONCE, before);
    yield* calls;
    if (calls.length < CALLS_AT_ONCE) return;
    before = calls.at(-1)?.callId;
  }
}
