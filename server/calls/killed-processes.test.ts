import { expect, onTestFinished, test } from "vitest";
import { startUpstreamSimulator } from "../simulators/upstream/upstream-simulator.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { addModel, chargesOf, fundsOf } from "../testing/test-calls.ts";
import { openTestServices, usd } from "../testing/test-shop.ts";
import type { UsageRecord } from "./call.ts";

/** They answer at once, never, and with a beginning that nothing follows. */
const MODELS = ["sim-echo", "sim-slow-start-600000", "sim-slow-tokens-600000"];
const CALLS_OF_EACH = 8;

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

/** What another process could know of a call. */
function stateOf({ outcome, usage }: UsageRecord): string {
  return outcome ?? (usage.inputTokens > 0 ? "recorded" : "begun");
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
    // What was seen of an answer is recorded with every third of the lease.
    CALL_LEASE_MS: "500",
    RECOVERY_INTERVAL_MS: "60000",
  };
  const allCalls = () => services.calls.list(accountId, 1_000);
  // The kills hit calls that have just begun, and calls in every state in which a process can leave one.
  for (const wanted of [["begun"], ["begun", "recorded", "completed"]]) {
    const callsBefore = (await allCalls()).length;
    const server = await startServerProcess(services.databaseUrl, env);
    const calls = Array.from({ length: MODELS.length * CALLS_OF_EACH }, (_, index) =>
      call(server, key, index),
    );
    const settled = Promise.allSettled(calls);
    const states = async () => (await allCalls()).toReversed().slice(callsBefore).map(stateOf);
    await expect.poll(states, { interval: 5 }).toEqual(expect.arrayContaining(wanted));
    await server.kill("SIGKILL");
    await settled;
  }

  await services.database.change("UPDATE calls SET lease_expires_at_ms = 1 WHERE outcome IS NULL", []);
  const next = await startServerProcess(services.databaseUrl, { ...env, RECOVERY_INTERVAL_MS: "50" });
  await expect.poll(services.calls.countUnfinished).toEqual({ running: 0, abandoned: 0 });
  await next.kill("SIGTERM");

  const records = await allCalls();
  const outcomes = Object.groupBy(records, ({ outcome }) => outcome ?? "running");
  expect(outcomes.completed?.length).toBeGreaterThan(0);
  expect(outcomes.upstream_failed?.map(({ usage }) => usage.inputTokens)).toEqual(
    expect.arrayContaining([0, INPUT_TOKENS]),
  );
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
});
