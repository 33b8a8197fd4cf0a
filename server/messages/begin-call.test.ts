import { expect, test } from "vitest";
import type { CallRequest } from "../calls/calls.ts";
import { highestChargeOf } from "../calls/highest-charge.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import { microcents } from "../money/microcents.ts";
import { UNIT_PRICES } from "../testing/test-calls.ts";
import { beginCall } from "./begin-call.ts";

const MODEL = {
  ...{ modelId: "m", name: "M", prices: UNIT_PRICES, maxOutputTokens: null, enabled: true },
  createdAtMs: 0,
};
const FACTS = {
  ...{ inputTokens: 100, hasDocuments: false, hasAddresses: false, cacheWrite: null, hourField: null },
  ...{ speed: null, inferenceGeo: null, serviceTier: null, serverTools: [], compactionField: null },
};

/** Begins a call whose account has so much available and lets it be lowered. @returns the `max_tokens` that it runs with */
async function lowered(availableMicrocents: number, asked: object): Promise<number> {
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
    { calls: { begin }, upstream: null },
    {
      caller: { accountId: "acc_1", keyId: "key_1", lowersMaxTokens: true },
      ...{ requestId: "r", headers: {}, json: asked, model: MODEL, facts: FACTS },
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
