import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serviceNodeOptions } from "../setup/service-node-options.mjs";
import { startUpstreamSimulator, type UpstreamSimulator } from "../simulators/upstream/upstream-simulator.ts";
import { measureProcess } from "../testing/process-figures.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { addCallingAccount, addModels, ask, type CallingAccount } from "../testing/test-ai-proxy.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";

const MEBIBYTE = 1_048_576;
const SAMPLE_MS = 50;
/** What the garbage of a busy server may come to between two collections. */
const LEEWAY_BYTES = 80 * MEBIBYTE;
const BODY_LIMIT_BYTES = 32 * MEBIBYTE;
const BODIES = 12;
const STREAM_BODY_BYTES = 6 * MEBIBYTE;
/** So many show what the garbage of one after the other comes to. */
const STREAMS_BEFORE = 10;
const OPEN_STREAMS = 160;

let upstream: UpstreamSimulator;
let services: TestServices;
let server: ServerProcess;
let caller: CallingAccount;
beforeEach(async () => {
  upstream = await startUpstreamSimulator({ remember: false });
  services = await openTestServices();
  await addModels(services, ["sim-echo", "sim-long", "sim-huge-256", "sim-slow-tokens-60000"]);
  caller = await addCallingAccount(services, "10000");
  server = await startServerProcess(services.databaseUrl, {
    NODE_ENV: "production",
    NODE_OPTIONS: serviceNodeOptions.join(" "),
    LOG_LEVEL: "info",
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: upstream.apiKey,
    CALL_READ_ON_MS: "0",
    CALLS_IN_FLIGHT_LIMIT: "1000",
  });
});
afterEach(async () => {
  await server.kill("SIGTERM");
  await upstream.close();
  // Ends with the audit.
  await services.dispose();
});

test("a stream of 200,000 events takes no memory", async () => {
  const read = async () => {
    const answer = await open({ ...ask("a", "sim-long"), stream: true });
    let events = 0;
    for await (const chunk of answer) events += chunk.toString("latin1").split("\nevent: ").length - 1;
    return events;
  };
  await read();
  const { value: events, grownBytes } = await measured(read);
  expect(events).toBeGreaterThan(199_000);
  expect(grownBytes).toBeLessThan(LEEWAY_BYTES);
  const [last] = await caller.settled();
  expect(last).toMatchObject({ outcome: "completed", usage: { outputTokens: 199_994 } });
});

test("a client that reads a byte a second, or a megabyte, keeps the upstream waiting and takes no memory", async () => {
  const answer = await open({ ...ask("a", "sim-huge-256"), stream: true });
  const { grownBytes } = await measured(async () => {
    answer.pause();
    for (let second = 0; second < 5; second += 1) {
      answer.read(1);
      await delay(1_000);
    }
    for (let tenth = 0; tenth < 50; tenth += 1) {
      answer.read(Math.min(MEBIBYTE / 10, answer.readableLength));
      await delay(100);
    }
  });
  expect(grownBytes).toBeLessThan(LEEWAY_BYTES);
  answer.destroy();
  const [call] = await caller.settled();
  expect(call).toMatchObject({ outcome: "client_aborted", estimated: true });
  // Of 256 MiB, which the upstream would send at once.
  expect((call?.usage.outputTokens ?? 0) * 4).toBeLessThan(64 * MEBIBYTE);
});

test("bodies of 32 MiB are let go", async () => {
  const empty = JSON.stringify(ask(""));
  const body = JSON.stringify(ask("x".repeat(BODY_LIMIT_BYTES - empty.length)));
  const send = async () => {
    const answer = await open(body);
    expect(answer.statusCode).toBe(200);
    for await (const _ of answer);
  };
  const sendAll = async (count: number) => {
    for (let times = 0; times < count; times += 1) await send();
  };
  // One body alone takes four times its size while it is read: in pieces, whole, as a text and as a value. After as many before,
  // the most of it has been seen that may wait for its collection.
  const { mostBytes } = await measured(() => sendAll(BODIES));
  const { mostBytes: mostBytesOfMore } = await measured(() => sendAll(BODIES));
  expect(mostBytesOfMore - mostBytes).toBeLessThan(LEEWAY_BYTES);
  expect(await caller.settled()).toHaveLength(2 * BODIES);
});

test("160 streams that are open do not hold their requests of 6 MiB", async () => {
  const body = JSON.stringify(ask("x".repeat(STREAM_BODY_BYTES), "sim-slow-tokens-60000"));
  const openStreams = async (count: number) => {
    const answers: IncomingMessage[] = [];
    for (let stream = 0; stream < count; stream += 1)
      answers.push(await open(body.replace(/}$/, ',"stream":true}')));
    return answers;
  };
  const first = await openStreams(STREAMS_BEFORE);
  const { value, grownBytes } = await measured(() => openStreams(OPEN_STREAMS));
  expect(grownBytes).toBeLessThan(2 * LEEWAY_BYTES);
  for (const answer of [...first, ...value]) {
    expect(answer.statusCode).toBe(200);
    answer.destroy();
  }
  await caller.settled();
});

const measured = <T>(work: () => Promise<T>) => measureProcess(server, SAMPLE_MS, work);

/** Sends a request and waits for the head of its answer. */
async function open(body: object | string): Promise<IncomingMessage> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const sending = request(`${new URL(server.baseUrl).origin}/v1/messages`, {
    method: "POST",
    headers: {
      "x-api-key": caller.key,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      "anthropic-version": "2023-06-01",
    },
  });
  sending.end(text);
  const [answer] = await once(sending, "response");
  return answer;
}
