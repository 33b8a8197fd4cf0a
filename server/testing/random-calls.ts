import fc from "fast-check";
import { expect } from "vitest";
import type { UsageRecord } from "../calls/call.ts";
import type { ModelPrices } from "../models/prices.ts";
import { createRandom } from "../simulators/shared/random.ts";
import { billFor } from "../simulators/upstream/bill.ts";
import type { SentAnswer } from "../simulators/upstream/sent.ts";
import { anyMessageRequest } from "./any-message-request.ts";
import { addCallingAccount, addModels, DISTINCT_PRICES, type TestAiProxy } from "./test-ai-proxy.ts";
import { usd } from "./test-shop.ts";

const TIER = { ...DISTINCT_PRICES, aboveInputTokens: 2_000, cacheWriteHourMicrocents: usd("12.01") };
/** Prices in every dimension that the simulated upstream bills. */
const PRICES: ModelPrices = {
  ...DISTINCT_PRICES,
  further: {
    cacheWriteHourMicrocents: usd("6.0007"),
    tiers: [{ ...TIER, inputMicrocents: usd("6.01"), outputMicrocents: usd("22.53") }],
    factors: { speed: { fast: 610 }, inferenceGeo: { us: 113 }, serviceTier: { priority: 127 } },
    toolUses: { web_search: usd("0.01"), web_fetch: usd("0.0003") },
  },
};
/** One is answered in a dearer service tier, one says nothing of its speed and region. */
const MODELS = ["sim-echo", "sim-priority", "sim-silent"];
const PRICE_LIST = new Map(MODELS.map((modelId) => [modelId, PRICES]));
/** From what covers nearly nothing to what covers anything, in USD. */
const BALANCES = ["0.002", "0.02", "0.2", "2", "20", "2000"];
const CALLS_AT_ONCE = 5;

/** How calls were answered, by status. */
export type Answers = Readonly<Record<number, number>>;

/** Offers the models that random calls name. */
export async function offerRandomModels(shop: TestAiProxy): Promise<void> {
  await addModels(shop, MODELS, { prices: PRICES, maxOutputTokens: 5_000 });
}

/**
 * Makes calls of every kind, several at once, on accounts that have a lot or next to nothing, and compares each charge with what
 * the upstream bills, and each balance with what is left of it, which is never below zero.
 * @param calls how many. @param seed what is chosen follows from it.
 */
export async function makeRandomCalls(
  shop: TestAiProxy,
  { calls, seed }: { readonly calls: number; readonly seed: number },
): Promise<Answers> {
  const random = createRandom(seed);
  const bodies = fc.sample(anyMessageRequest(MODELS), { seed, numRuns: calls });
  const answers: Record<number, number> = {};
  while (bodies.length > 0) {
    const together = bodies.splice(0, 1 + Math.floor(random() * CALLS_AT_ONCE));
    for (const status of await callTogether(shop, together, random))
      answers[status] = (answers[status] ?? 0) + 1;
  }
  return answers;
}

async function callTogether(
  shop: TestAiProxy,
  bodies: readonly object[],
  random: () => number,
): Promise<readonly number[]> {
  const start = BALANCES[Math.floor(random() * BALANCES.length)] ?? "0";
  const account = await addCallingAccount(shop, start);
  await shop.accounts.set(account.accountId, { lowersMaxTokens: random() < 0.5 });
  shop.upstream.forget();
  const answered = await Promise.all(
    bodies.map((body) => post(shop, account.key, { ...body, stream: random() < 0.5 })),
  );
  const made = await account.settled();
  expectBilled(made, shop.upstream.answered());
  const balance = await account.balance();
  expect(balance).toBeGreaterThanOrEqual(0n);
  expect(balance).toBe(usd(start) - made.reduce((sum, { amountMicrocents }) => sum + amountMicrocents, 0n));
  expect(made).toHaveLength(answered.filter((status) => status === 200).length);
  await expectHeld(shop, made);
  return answered;
}

function expectBilled(made: readonly UsageRecord[], sent: readonly SentAnswer[]): void {
  for (const call of made) {
    const answer = sent.find(({ requestId }) => requestId === call.upstreamRequestId);
    if (answer === undefined) throw new Error(`Nothing was sent for ${call.callId}.`);
    const request = answer.body.toString();
    expect([call.outcome, call.amountMicrocents, request]).toEqual([
      "completed",
      billFor(answer, PRICE_LIST),
      request,
    ]);
    expect(call.bill?.unpriced ?? []).toEqual([]);
  }
}

/** What was held at the beginning covers the charge: nothing had to be held beside it. */
async function expectHeld(shop: TestAiProxy, made: readonly UsageRecord[]): Promise<void> {
  for (const { callId, amountMicrocents } of made) {
    const [row] = await shop.database.rows<{ hold: bigint }>(
      "SELECT hold_microcents AS hold FROM calls WHERE call_id = ?",
      [callId],
    );
    expect(row?.hold).toBeGreaterThanOrEqual(amountMicrocents);
  }
}

/** @returns the status, when the whole answer has come. */
async function post({ proxyUrl }: TestAiProxy, key: string, body: object): Promise<number> {
  const response = await fetch(`${proxyUrl}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": key, "anthropic-version": "2023-06-01", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  // 400: what it asks for cannot be bounded; 402: its account cannot pay for it.
  if (![200, 400, 402].includes(response.status)) throw new Error(`${response.status}: ${text}`);
  return response.status;
}
