import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startUpstreamSimulator } from "../simulators/upstream/upstream-simulator.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { addModel, chargesOf, fundsOf } from "../testing/test-calls.ts";
import { openTestServices, usd } from "../testing/test-shop.ts";

const ROUNDS = 3;
const CALLS_PER_ROUND = 24;
/** From the first of a round's calls to the kill; the last is later than most of them take. */
const KILLED_AFTER_MS = [120, 350, 900];
const MODELS = ["sim-echo", "sim-slow-start-200", "sim-slow-tokens-20"];

const TEXT = "one two three four five six seven eight nine ten";
/** What the upstream counts of it. */
const INPUT_TOKENS = 13;

/** Sends a call and reads its answer, as long as there is one. */
async function call({ baseUrl }: ServerProcess, key: string, index: number): Promise<void> {
  const body = {
    model: MODELS[index % MODELS.length],
    max_tokens: 200,
    messages: [{ role: "user", content: TEXT }],
    stream: index % 2 === 0,
  };
  const answer = await fetch(`${new URL(baseUrl).origin}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json", "anthropic-version": "2023-06-01" },
    body: JSON.stringify(body),
  });
  await answer.text();
}

test("what a killed process had begun is ended by another, charged for what was recorded", async () => {
  const services = await openTestServices();
  const upstream = await startUpstreamSimulator();
  onTestFinished(() => upstream.close());
  const accountId = await services.addAccount("100");
  const { key } = await services.addKey(accountId, "general");
  for (const model of MODELS) await addModel(services, model);
  const env = {
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: upstream.apiKey,
    CALL_LEASE_MS: "1000",
    RECOVERY_INTERVAL_MS: "50",
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startServerProcess(services.databaseUrl, env);
    const calls = Array.from({ length: CALLS_PER_ROUND }, (_, index) => call(server, key, index));
    const settled = Promise.allSettled(calls);
    await delay(KILLED_AFTER_MS[round]);
    await server.kill("SIGKILL");
    await settled;
  }

  const next = await startServerProcess(services.databaseUrl, env);
  await expect
    .poll(services.calls.countUnfinished, { timeout: 20_000 })
    .toEqual({ running: 0, abandoned: 0 });
  await next.kill("SIGTERM");

  const records = await services.calls.list(accountId, 1_000);
  const outcomes = Object.groupBy(records, ({ outcome }) => outcome ?? "running");
  expect(outcomes.completed?.length).toBeGreaterThan(0);
  expect(outcomes.upstream_failed?.length).toBeGreaterThan(0);
  const sent = new Map(upstream.answered().map(({ requestId, usage }) => [requestId, usage]));
  let sum = 0n;
  for (const { callId, outcome, usage, amountMicrocents, upstreamRequestId } of records) {
    expect(await chargesOf(services, callId)).toEqual(amountMicrocents === 0n ? [] : [-amountMicrocents]);
    sum += amountMicrocents;
    if (outcome === "completed") expect(usage).toEqual(sent.get(upstreamRequestId ?? ""));
    // Of the others nothing was recorded, or what the upstream had begun to send.
    else expect([0, INPUT_TOKENS]).toContain(usage.inputTokens);
  }
  expect(await fundsOf(services, accountId)).toEqual({ balance: usd("100") - sum, reserved: 0n });
  // Ends with the audit.
  await services.dispose();
}, 120_000);
