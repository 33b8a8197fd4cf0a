import { strict as assert } from "node:assert";
import fc from "fast-check";
import {
  addCallingAccount,
  addModels,
  DISTINCT_PRICES,
  type TestAiProxy,
} from "../../../server/testing/test-ai-proxy.ts";
import { usd } from "../../../server/testing/test-shop.ts";
import type { Ask, OpenAsk } from "../../fuzz/ask.ts";
import type { FuzzedSequence } from "../../fuzz/fuzzed-interface.ts";
import { texts } from "../../fuzz/values.ts";

/** What a caller of models does. */
type Step =
  | { readonly does: "call"; readonly text: string; readonly maxTokens: number; readonly stream: boolean }
  | { readonly does: "usage" | "ledger"; readonly limit: number }
  | { readonly does: "count"; readonly text: string }
  | { readonly does: "account" };

/** A caller with an own account, and what is done with it. */
interface CallPlan {
  readonly steps: readonly Step[];
}

const START = "0.05";
/** What the plans call; its prices come to fractions of a microcent, which are rounded up. */
const CALLED_MODEL = {
  modelId: "sim-echo",
  prices: { ...DISTINCT_PRICES, inputMicrocents: usd("3.0001"), outputMicrocents: usd("15.0003") },
};
const VERSION = { "anthropic-version": "2023-06-01" };
const USD_DECIMALS = 8;
const SHOWN_STEP = 10_000n;
const TOKENS_PRICED = 1_000_000n;

/** Calls, whole and streamed, on a small balance, and what the caller is shown of them. */
export const callSequence: FuzzedSequence<CallPlan> = {
  prepare: (shop) => addModels(shop, [CALLED_MODEL.modelId], CALLED_MODEL),
  plans: callPlans,
  runPlan: runCallPlan,
  describe: describeCalls,
};

/** Plans that call a model, whole and streamed, on a small balance. */
function callPlans(): fc.Arbitrary<CallPlan> {
  const text = texts("any", 1, 400);
  const call = fc.record({
    does: fc.constant("call" as const),
    text,
    // A thousand tokens are held at 0.015.
    maxTokens: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 4_000 })),
    stream: fc.boolean(),
  });
  const lists = fc.record({
    does: fc.constantFrom("usage" as const, "ledger" as const),
    limit: fc.integer({ min: 1, max: 30 }),
  });
  const step = fc.oneof(
    { arbitrary: call, weight: 4 },
    { arbitrary: lists, weight: 2 },
    { arbitrary: fc.record({ does: fc.constant("count" as const), text }), weight: 1 },
    { arbitrary: fc.record({ does: fc.constant("account" as const) }), weight: 1 },
  );
  return fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 20, size: "max" }) });
}

/** A plan as a person reads it. */
function describeCalls({ steps }: CallPlan): string {
  return steps.map((step, index) => `${index + 1}. ${JSON.stringify(step)}`).join("\n");
}

/**
 * Carries a plan out and compares the books that the caller is shown with what the answers say.
 * @throws when an answer is not as it should be.
 */
async function runCallPlan({ steps }: CallPlan, shop: TestAiProxy, openAsk: OpenAsk): Promise<void> {
  const { key } = await addCallingAccount(shop, START);
  const asks = { ask: openAsk(key), askShop: openAsk(key, "ordering") };
  const costs: bigint[] = [];
  const end: Step[] = [{ does: "usage", limit: 30 }, { does: "ledger", limit: 30 }, { does: "account" }];
  for (const [index, step] of [...steps, ...end].entries()) {
    await take(step, costs, asks).catch((error: Error) => {
      throw new Error(`Step ${index + 1}, ${JSON.stringify(step)}: ${error.message}`, { cause: error });
    });
  }
}

/** The same key asks both interfaces, which show the one balance each in its own way. */
interface Asks {
  readonly ask: Ask;
  readonly askShop: Ask;
}

async function take(step: Step, costs: bigint[], { ask, askShop }: Asks): Promise<void> {
  switch (step.does) {
    case "call":
      return call(step, costs, ask);
    case "count":
      return void (await ask("countTokens", [200], { headers: VERSION, body: bodyOf(step.text) }));
    case "usage": {
      const { body } = await ask("listUsage", [200], { query: { limit: step.limit } });
      const amounts = body.data.map((row: { amount_microcents: number }) => row.amount_microcents);
      return assert.deepEqual(amounts, costs.map(Number).toReversed().slice(0, step.limit));
    }
    case "ledger": {
      const { body } = await ask("listLedger", [200], { query: { limit: step.limit } });
      const amounts = body.data.map((row: { amount_microcents: number }) => row.amount_microcents);
      const expected = [Number(usd(START)), ...costs.map((cost) => -Number(cost))];
      return assert.deepEqual(amounts, expected.toReversed().slice(0, step.limit));
    }
    case "account": {
      const { body } = await ask("getAccount", [200]);
      const { balance_microcents: balance, reserved_microcents: reserved } = body.account;
      assert.deepEqual([BigInt(balance), reserved], [balanceAfter(costs), 0]);
      const shown = (await askShop("getBalance", [200])).body;
      const printed = [shown.balance, shown.available, shown.reserved].map(microcentsIn);
      return assert.deepEqual(printed, [shownOf(balance), shownOf(balance), 0n]);
    }
  }
}

/** What an amount in USD says, digit by digit. */
function microcentsIn(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(USD_DECIMALS, "0"));
}

/** What the ordering interface shows of a balance: four decimals, rounded down, and nothing below zero. */
function shownOf(balanceMicrocents: number): bigint {
  const balance = BigInt(balanceMicrocents);
  return balance < 0n ? 0n : balance - (balance % SHOWN_STEP);
}

/** One call; what it cost is added. One that the balance may not bear may be refused. */
async function call(
  { text, maxTokens, stream }: Step & { does: "call" },
  costs: bigint[],
  ask: Ask,
): Promise<void> {
  const body = { ...bodyOf(text), max_tokens: maxTokens, stream };
  const ofOutput = (BigInt(maxTokens) * CALLED_MODEL.prices.outputMicrocents) / TOKENS_PRICED;
  const mostInput = BigInt(Buffer.byteLength(JSON.stringify(body)));
  const ofInput = (mostInput * CALLED_MODEL.prices.cacheWriteMicrocents) / TOKENS_PRICED;
  const left = balanceAfter(costs);
  const statuses = [...(left >= ofOutput ? [200] : []), ...(left < ofOutput + ofInput ? [402] : [])];
  const {
    status,
    body: message,
    text: answer,
  } = await ask("createMessage", statuses, { headers: VERSION, body });
  if (status === 200) costs.push(costOf(stream ? usageOfStream(answer) : message.usage));
}

function bodyOf(text: string) {
  return { model: CALLED_MODEL.modelId, messages: [{ role: "user", content: text }] };
}

function balanceAfter(costs: readonly bigint[]): bigint {
  return costs.reduce<bigint>((left, cost) => left - cost, usd(START));
}

type Usage = Readonly<Record<string, number | null>>;

/** The counts that the events of a stream tell; those of later ones count. */
function usageOfStream(text: string): Usage {
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
  assert.equal(events.at(-1)?.type, "message_stop");
  const told = events.map((event) => event.message?.usage ?? event.usage ?? {});
  return Object.assign({}, ...told.map((usage: Usage) => dropNulls(usage)));
}

function dropNulls(usage: Usage): Usage {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== null));
}

/** What a call costs by its counts, rounded up once. */
function costOf(usage: Usage): bigint {
  const { inputMicrocents, outputMicrocents, cacheWriteMicrocents, cacheReadMicrocents } =
    CALLED_MODEL.prices;
  const count = (name: string) => BigInt(usage[name] ?? 0);
  const parts = [
    count("input_tokens") * inputMicrocents,
    count("output_tokens") * outputMicrocents,
    count("cache_creation_input_tokens") * cacheWriteMicrocents,
    count("cache_read_input_tokens") * cacheReadMicrocents,
  ];
  const sum = parts.reduce((total, part) => total + part, 0n);
  return (sum + TOKENS_PRICED - 1n) / TOKENS_PRICED;
}
