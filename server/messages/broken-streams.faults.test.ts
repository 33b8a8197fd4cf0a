import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { UsageRecord } from "../calls/call.ts";
import { costOf, NO_TOKENS, type TokenCounts, type TokenUsage } from "../calls/token-usage.ts";
import { createRandom } from "../simulators/shared/random.ts";
import type { SentAnswer } from "../simulators/upstream/sent.ts";
import { faultSeed, scaled } from "../testing/faults/fault-runs.ts";
import { fastTimingEnvironment, type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import {
  addCallingAccount,
  addModels,
  ask,
  type CallingAccount,
  DISTINCT_PRICES,
} from "../testing/test-ai-proxy.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { startTestUpstream } from "../testing/test-upstream.ts";

const STREAMS = scaled(500);
const KILLS = scaled(20);
const UNDISTURBED_STREAMS = 3;
const LEASE = { CALL_LEASE_MS: "2000", RECOVERY_INTERVAL_MS: "50" };
/** After some of a round's streams have ended, the server is killed within this time. */
const MAX_PAUSE_MS = 40;
const CUTS = [0, 1, 2, 3, 5, 9, 17, 33, 65];
const BREAKING = CUTS.flatMap((events) => [`sim-cut-${events}`, `sim-error-event-${events}`]);
const WHOLE = [
  "sim-events-6",
  "sim-events-60",
  "sim-events-600",
  "sim-echo",
  "sim-no-usage",
  "sim-cut-early",
];
const SLOW = ["sim-slow-tokens-0", "sim-slow-tokens-5", "sim-slow-start-30", "sim-events-3000"];

/** A stream as its client knows it. */
interface Attempt {
  readonly id: string;
  readonly model: string;
  /** When the client goes away; null: it stays to the end. */
  readonly maxWaitMs: number | null;
  /** What the client has got. */
  received: string;
  /** Whether the server was killed meanwhile. */
  killed: boolean;
}

interface Stage {
  readonly services: TestServices;
  readonly caller: CallingAccount;
  readonly environment: Readonly<Record<string, string>>;
}

test("500 streams with clients and upstream cut at random, under 20 kills of the server, are charged by the policy", async () => {
  const random = createRandom(faultSeed());
  const upstream = await startTestUpstream();
  const services = await openTestServices();
  await addModels(services, [...BREAKING, ...WHOLE, ...SLOW]);
  const caller = await addCallingAccount(services);
  const environment = {
    ...LEASE,
    ...fastTimingEnvironment(),
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: upstream.apiKey,
    CALL_READ_ON_MS: "0",
  };
  const stage = { services, caller, environment };
  await (await startServer(stage)).kill("SIGTERM");
  const attempts = Array.from({ length: STREAMS }, (_, number) => attemptOf(number, random));
  const perRound = Math.ceil(STREAMS / KILLS);
  for (let first = 0; first < STREAMS; first += perRound) {
    await runAndKill(stage, attempts.slice(first, first + perRound), random);
  }

  const server = await startServer(stage);
  const undisturbed = Array.from({ length: UNDISTURBED_STREAMS }, (_, number) =>
    wholeAttempt(STREAMS + number),
  );
  for (const attempt of undisturbed) await stream(new URL(server.baseUrl).origin, caller.key, attempt);
  const calls = new Map((await settledCalls(stage)).map((call) => [call.requestId, call]));
  await server.kill("SIGTERM");
  const sent = new Map(upstream.answered().map((answer) => [idIn(answer), answer]));
  expect(upstream.answered()).toHaveLength(sent.size);
  for (const { id } of undisturbed) expect(calls.get(id)).toMatchObject({ outcome: "completed" });
  for (const attempt of [...attempts, ...undisturbed])
    expectPolicy(attempt, calls.get(attempt.id), sent.get(attempt.id));
  const charged = [...calls.values()].reduce((sum, { amountMicrocents }) => sum + amountMicrocents, 0n);
  expect(charged).toBe(10_000_000_000n - (await caller.balance()));
  // Ends with the audit.
  await services.dispose();
});

/** A stream that nothing stands against. */
function wholeAttempt(number: number): Attempt {
  return { id: `stream-${number}`, model: "sim-events-60", maxWaitMs: null, received: "", killed: false };
}

function attemptOf(number: number, random: () => number): Attempt {
  const pick = (names: readonly string[]) => names[Math.floor(random() * names.length)] as string;
  const kind = random();
  const model = kind < 0.4 ? pick(BREAKING) : kind < 0.6 ? pick(WHOLE) : pick(SLOW);
  const maxWaitMs = kind < 0.5 ? null : random() * 120;
  return { id: `stream-${number}`, model, maxWaitMs, received: "", killed: false };
}

/** Runs streams together and kills the server when some of them have ended. */
async function runAndKill(stage: Stage, attempts: readonly Attempt[], random: () => number): Promise<void> {
  const server = await startServer(stage);
  let missing = Math.floor(random() * attempts.length);
  const reached = Promise.withResolvers<void>();
  const running = new Set(attempts);
  const streams = attempts.map(async (attempt) => {
    await delay(random() * 50);
    await stream(new URL(server.baseUrl).origin, stage.caller.key, attempt);
    running.delete(attempt);
    if (missing === 0) reached.resolve();
    missing -= 1;
  });
  await reached.promise;
  await delay(random() * MAX_PAUSE_MS);
  // Of streams that ended just now, the end may not be written.
  for (const attempt of attempts) attempt.killed = running.has(attempt) || attempt.maxWaitMs !== null;
  await server.kill("SIGKILL");
  await Promise.all(streams);
}

/** Reads a stream, or as much of it as there is and the client has patience for. */
async function stream(proxyUrl: string, key: string, attempt: Attempt): Promise<void> {
  const { id, model, maxWaitMs } = attempt;
  const gone = new AbortController();
  const timer = maxWaitMs === null ? undefined : setTimeout(() => gone.abort(), maxWaitMs);
  const decoder = new TextDecoder();
  try {
    const response = await fetch(`${proxyUrl}/v1/messages`, {
      method: "POST",
      headers: {
        "x-api-key": key,
        "content-type": "application/json",
        "anthropic-version": "2023-06-01",
        "x-request-id": id,
      },
      body: JSON.stringify({ ...ask(`<${id}> ${"and another word ".repeat(20)}`, model), stream: true }),
      signal: gone.signal,
    });
    for await (const chunk of response.body ?? [])
      attempt.received += decoder.decode(chunk, { stream: true });
  } catch {
    // The client has gone, or the server.
  }
  clearTimeout(timer);
}

/** Holds what was charged against what the upstream sent and what the client got. */
function expectPolicy(attempt: Attempt, call: UsageRecord | undefined, sent: SentAnswer | undefined): void {
  const facts = { attempt, call, sent: sent && { ...sent, body: null, headers: null } };
  if (call === undefined) {
    // The server was killed before the call began: nothing was asked for, nothing came.
    expect(sent, explain(facts)).toBeUndefined();
    expect(attempt.received, explain(facts)).toBe("");
    return;
  }
  const most = sent === undefined ? NO_TOKENS : policyUsage(sent);
  expect(call.amountMicrocents, explain(facts)).toBe(costOf(call.usage, DISTINCT_PRICES));
  if (isCertain(attempt, call, sent)) {
    expect(call.usage, explain(facts)).toEqual(most);
    return;
  }
  // How far the server had read or recorded cannot be told: not more than was sent, and while it lived not less than
  // what it had passed on.
  const least =
    attempt.killed && call.outcome === "upstream_failed" ? NO_TOKENS : usageReceived(attempt, most);
  for (const kind of Object.keys(NO_TOKENS) as (keyof TokenCounts)[]) {
    expect(call.usage[kind], explain(facts)).toBeLessThanOrEqual(most[kind]);
    expect(call.usage[kind], explain(facts)).toBeGreaterThanOrEqual(least[kind]);
  }
}

/** Whether the server has read all that was sent, and lived to write it down. */
function isCertain({ killed }: Attempt, { outcome }: UsageRecord, sent: SentAnswer | undefined): boolean {
  if (outcome === "completed") return true;
  return outcome === "upstream_failed" && !killed && sent?.end !== "client_gone";
}

/** What the billing policy says of an answer that was seen as far as it was sent. */
function policyUsage({ usage, usageIsFinal, contentBytes }: SentAnswer): TokenUsage {
  if (usage === null || usageIsFinal) return usage ?? NO_TOKENS;
  return { ...usage, outputTokens: Math.max(usage.outputTokens, Math.ceil(contentBytes / 4)) };
}

function usageReceived({ received }: Attempt, { inputTokens }: TokenUsage): TokenUsage {
  if (!received.includes("event: message_start")) return NO_TOKENS;
  const pieces = [...received.matchAll(/"text_delta","text":("[^"]*")\}\}\n\n/g)];
  const text = pieces.map(([, json = ""]) => JSON.parse(json)).join("");
  return { ...NO_TOKENS, inputTokens, outputTokens: Math.max(1, Math.ceil(text.length / 4)) };
}

function idIn({ body }: SentAnswer): string {
  return /<(stream-\d+)>/.exec(body.toString())?.[1] ?? "";
}

function explain(facts: object): string {
  return JSON.stringify(facts, (_, value) => (typeof value === "bigint" ? String(value) : value)).slice(
    0,
    3_000,
  );
}

async function settledCalls({ services, caller }: Stage): Promise<UsageRecord[]> {
  await caller.settled();
  return services.calls.list(caller.accountId, 2 * STREAMS);
}

/** A server that does not outlive a test that fails. */
async function startServer({ services, environment }: Stage): Promise<ServerProcess> {
  const server = await startServerProcess(services.databaseUrl, environment);
  onTestFinished(() => void server.kill("SIGKILL"));
  return server;
}
