import { expect } from "vitest";
import type { UsageBounds } from "../calls/highest-charge.ts";
import type { TokenUsage } from "../calls/token-usage.ts";
import type { Services } from "../compose.ts";
import type { AccountId, CallId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import type { Model } from "../models/model.ts";
import type { TokenPrices } from "../models/prices.ts";
import { type Microcents, microcents } from "../money/microcents.ts";
import type { TestServices } from "./test-shop.ts";

/** One microcent a token of each kind, and a thousandth of that for what is read from the cache. */
export const UNIT_PRICES: TokenPrices = {
  inputMicrocents: microcents(1_000_000n),
  outputMicrocents: microcents(1_000_000n),
  cacheWriteMicrocents: microcents(1_000_000n),
  cacheReadMicrocents: microcents(1_000n),
};

/** A model, at {@link UNIT_PRICES} unless told otherwise: tokens of input and output cost as many microcents. */
export function addModel(
  { models }: Pick<Services, "models">,
  modelId = "test-model",
  settings: ModelSettings = {},
): Promise<Model> {
  return models.set({
    modelId,
    name: `Model ${modelId}`,
    prices: UNIT_PRICES,
    maxOutputTokens: null,
    ...settings,
  });
}

/** What a test sets otherwise of a model. */
export type ModelSettings = Partial<Pick<Model, "maxOutputTokens" | "prices" | "facts">>;

/** Who calls models for an account, with a new key. */
export async function addCaller(services: TestServices, accountId: AccountId): Promise<Caller> {
  const { key } = await services.addKey(accountId, "general");
  const caller = await services.keys.authenticate(key);
  if (caller === null) throw new Error("The key is not known.");
  return caller;
}

/** That many tokens of output, and nothing else. */
export function outputOf(outputTokens: number | Microcents): TokenUsage {
  return { inputTokens: 0, outputTokens: Number(outputTokens), cacheWriteTokens: 0, cacheReadTokens: 0 };
}

/** At most that many tokens of output, and nothing else. */
export function mostOutput(outputTokens: number | Microcents): UsageBounds {
  return {
    inputTokens: 0,
    outputTokens: Number(outputTokens),
    cacheWrites: [],
    terms: { speed: [], inferenceGeo: [], serviceTier: [] },
    toolUses: {},
    isOneRun: true,
  };
}

/** What is told of a call that succeeded with so much output. */
export function completedWith(outputTokens: number) {
  return {
    outcome: "completed",
    usage: outputOf(outputTokens),
    estimated: false,
    upstreamRequestId: null,
  } as const;
}

/** Lets recovery end the calls whose leases have run out, and waits until none is left. */
export async function endAbandonedCalls({ calls }: Pick<Services, "calls">): Promise<void> {
  const recovery = calls.startRecovery({ intervalMs: 10 });
  await expect.poll(calls.countUnfinished).toEqual({ running: 0, abandoned: 0 });
  await recovery.stop();
}

/** What an account has, in microcents. */
export async function fundsOf(
  { accounts }: Pick<Services, "accounts">,
  accountId: AccountId,
): Promise<{ balance: bigint; reserved: bigint }> {
  const { balanceMicrocents, reservedMicrocents } = await accounts.get(accountId);
  return { balance: balanceMicrocents, reserved: reservedMicrocents };
}

/** The entries of the ledger that charge a call. */
export async function chargesOf({ database }: Pick<Services, "database">, callId: CallId): Promise<bigint[]> {
  const rows = await database.rows<{ amount: bigint }>(
    "SELECT amount_microcents AS amount FROM ledger_entries WHERE type = 'call' AND reference = ?",
    [Buffer.from(callId)],
  );
  return rows.map(({ amount }) => amount);
}
