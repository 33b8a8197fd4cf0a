import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { CallRequest } from "../calls/calls.ts";
import { highestChargeOf } from "../calls/highest-charge.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import { microcents } from "../money/microcents.ts";
import { UNIT_PRICES } from "../testing/test-calls.ts";
import { beginCall } from "./begin-call.ts";
import type { RequestFacts } from "./request-facts.ts";
import type { Upstream } from "./upstream.ts";

const MODEL = {
  ...{ modelId: "m", name: "M", prices: UNIT_PRICES, maxOutputTokens: null, enabled: true },
  createdAtMs: 0,
};
const FACTS = {
  ...{ inputTokens: 100, hasDocuments: false, hasAddresses: false, cacheWrite: null, hourField: null },
  ...{ speed: null, inferenceGeo: null, serviceTier: null, serverTools: [], compactionField: null },
};

/** Begins a call whose account has so much available and lets it be lowered. @returns the `max_tokens` that it runs with */
async function lowered(
  availableMicrocents: number,
  asked: object,
  { facts = FACTS, upstream = null }: { facts?: RequestFacts; upstream?: Upstream | null } = {},
): Promise<number> {
  const funds = {
    availableMicrocents: microcents(BigInt(availableMicrocents)),
    reservedMicrocents: microcents(0n),
  };
  const begin = async ({ most }: CallRequest) => {
    const hold = highestChargeOf(most, UNIT_PRICES);
    if (hold > funds.availableMicrocents) throw InsufficientBalanceError.ofCall(hold, funds);
    return {} as never;
  };
  const { maxTokens } = await beginCall(
    { calls: { begin }, upstream },
    {
      caller: { accountId: "acc_1", keyId: "key_1", lowersMaxTokens: true },
      ...{ requestId: "r", headers: {}, json: asked, model: MODEL, facts },
      signal: new AbortController().signal,
    },
  );
  return maxTokens;
}

const UNPAID = { code: "insufficient_balance" };

// A token costs a microcent, so 100 are for the input.
test("a call is lowered to as many tokens as the balance pays for, and to one at the least", async () => {
  expect(await lowered(1_100, { max_tokens: 1_000 })).toBe(1_000);
  expect(await lowered(1_099, { max_tokens: 1_000 })).toBe(999);
  expect(await lowered(101, { max_tokens: 1_000 })).toBe(1);
  await expect(lowered(100, { max_tokens: 1_000 })).rejects.toMatchObject(UNPAID);
});

test("a call that thinks is lowered to one token more than its budget for that, and not further", async () => {
  const asked = { max_tokens: 9_000, thinking: { type: "enabled", budget_tokens: 1_024 } };
  expect(await lowered(100 + 1_025, asked)).toBe(1_025);
  await expect(lowered(100 + 1_024, asked)).rejects.toMatchObject(UNPAID);
});

/** An upstream that counts so many tokens in whatever it is asked about. */
function counting(tokens: number): Upstream {
  const answer = Readable.from([Buffer.from(JSON.stringify({ input_tokens: tokens }))]);
  const send = async () => Object.assign(answer, { statusCode: 200, complete: true }) as IncomingMessage;
  return { idleMs: 1_000, send, close() {} };
}

test("the upstream's count holds where it is lower than ours, and always of documents, which ours leaves out", async () => {
  const asked = { max_tokens: 1_000 };
  // 5 % and 100 tokens are added to 200.
  const facts = { ...FACTS, inputTokens: 311 };
  expect(await lowered(1_300, asked, { facts, upstream: counting(200) })).toBe(990);
  const less = { ...FACTS, inputTokens: 309 };
  expect(await lowered(1_300, asked, { facts: less, upstream: counting(200) })).toBe(991);
  const documents = { ...less, hasDocuments: true };
  await expect(lowered(1_300, asked, { facts: documents, upstream: counting(200) })).resolves.toBe(990);
});
