import Anthropic, { type ClientOptions } from "@anthropic-ai/sdk";
import { expect } from "vitest";
import type { UsageRecord } from "../calls/call.ts";
import type { Clock } from "../clock.ts";
import type { Services } from "../compose.ts";
import type { AccountId } from "../ids.ts";
import type { TokenPrices } from "../models/prices.ts";
import type { Microcents } from "../money/microcents.ts";
import { startUpstreamSimulator, type UpstreamSimulator } from "../simulators/upstream/upstream-simulator.ts";
import { addModel, type ModelSettings } from "./test-calls.ts";
import { startTestShop, type TestServices, type TestSettings, type TestShop, usd } from "./test-shop.ts";

/** What a million tokens cost in tests; no two kinds cost the same, and none of them divides another. */
export const DISTINCT_PRICES: TokenPrices = {
  inputMicrocents: usd("3"),
  outputMicrocents: usd("15"),
  cacheWriteMicrocents: usd("3.75"),
  cacheReadMicrocents: usd("0.31"),
};

/** A running shop that forwards calls to a simulated upstream. */
export interface TestAiProxy extends TestShop {
  /** The root of the AI proxy's interface. */
  readonly proxyUrl: string;
  readonly upstream: UpstreamSimulator;
}

/** Starts a shop in front of a simulated upstream; `stop` stops both. */
export async function startTestAiProxy(
  settings: TestSettings = {},
  clock: Clock = Date.now,
): Promise<TestAiProxy> {
  const upstream = await startUpstreamSimulator();
  const shop = await startTestShop(clock, {
    upstreamUrl: upstream.url,
    upstreamApiKey: upstream.apiKey,
    ...settings,
  });
  return {
    ...shop,
    proxyUrl: new URL(shop.baseUrl).origin,
    upstream,
    async stop() {
      await upstream.close();
      await shop.stop();
    },
  };
}

/** Sells models, at {@link DISTINCT_PRICES} unless told otherwise. */
export async function addModels(
  services: Pick<Services, "models">,
  modelIds: readonly string[],
  settings: ModelSettings = {},
): Promise<void> {
  for (const modelId of modelIds) await addModel(services, modelId, { prices: DISTINCT_PRICES, ...settings });
}

/** A caller of models: an account with a key of kind general. */
export interface CallingAccount {
  readonly accountId: AccountId;
  readonly key: string;
  /** The account's calls, newest first, when none of them runs any more and nothing is held. */
  settled(): Promise<readonly UsageRecord[]>;
  balance(): Promise<Microcents>;
}

/** A new account with that much money. */
export async function addCallingAccount(services: TestServices, balance = "100"): Promise<CallingAccount> {
  const accountId = await services.addAccount(balance);
  const { key } = await services.addKey(accountId, "general");
  return {
    accountId,
    key,
    async settled() {
      const reserved = async () => (await services.accounts.get(accountId)).reservedMicrocents;
      await expect.poll(reserved).toBe(0n);
      return services.calls.list(accountId, 200);
    },
    balance: async () => (await services.accounts.get(accountId)).balanceMicrocents,
  };
}

/** The vendor's client, as a program uses it that has its base URL and key changed; it does not retry by itself. */
export function clientOf(proxyUrl: string, apiKey: string, options: ClientOptions = {}): Anthropic {
  return new Anthropic({ baseURL: proxyUrl, apiKey, maxRetries: 0, ...options });
}

/** A request for a message that says that text. */
export function ask(content: string, model = "sim-echo") {
  return { model, max_tokens: 100, messages: [{ role: "user" as const, content }] };
}
