import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { compose, type Services } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import type { Model } from "../models/model.ts";
import type { ModelPrices } from "../models/prices.ts";
import {
  createMessageBreakpoint,
  MAKES_READY,
  type MessageBreakpoint,
} from "../testing/faults/message-breakpoint.ts";
import {
  addCaller,
  addModel,
  chargesOf,
  completedWith,
  endAbandonedCalls,
  fundsOf,
  mostOutput,
  outputOf,
  UNIT_PRICES,
} from "../testing/test-calls.ts";
import { openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import type { UsageRecord } from "./call.ts";

const LEASE_MS = 60_000;
const HELD = 1_000;
const RECORDED = 30;
/** Of what is recorded, where the input is told. */
const INPUT = 20;
const COST = 70;

let aheadMs = 0;
const clock = () => Date.now() + aheadMs;

let services: TestServices;
let accountId: AccountId;
let caller: Caller;
let model: Model;
beforeEach(async () => {
  aheadMs = 0;
  services = await openTestServices(clock, { callLeaseMs: LEASE_MS });
  accountId = await services.addAccount("100");
  caller = await addCaller(services, accountId);
  model = await addModel(services, "test-model", { prices: FAST });
});
// Ends with the audit.
afterEach(() => services.dispose());

/** Whether a call is charged by its tokens alone, or item by item. */
const SORTS = [
  { sort: "plain", factor: 1n },
  { sort: "itemized", factor: 6n },
  { sort: "lowered", factor: 1n },
] as const;
type Sort = (typeof SORTS)[number];
const FAST: ModelPrices = {
  ...UNIT_PRICES,
  further: {
    ...{ cacheWriteHourMicrocents: null, tiers: [], toolUses: {} },
    factors: { speed: { fast: 600 }, inferenceGeo: {}, serviceTier: {} },
  },
};

/** What a process does for one call. */
async function makeCall({ calls }: Services, { sort }: Sort): Promise<void> {
  const asked = sort === "itemized" ? { speed: "fast", inferenceGeo: null } : undefined;
  const most = { ...mostOutput(HELD), inputTokens: sort === "lowered" ? 5 * HELD : 0 };
  const call = await calls.begin({ caller, model, asked, requestId: "r", most });
  const inputTokens = sort === "lowered" ? INPUT : 0;
  await calls.record(call, { ...outputOf(RECORDED - inputTokens), inputTokens });
  await calls.end(call, completedWith(COST));
}

/** Makes a call in a program that crashes at that message between it and the database. */
async function crashAt(step: number, sort: Sort): Promise<MessageBreakpoint> {
  const breakpoint = createMessageBreakpoint((request) => !MAKES_READY.test(request));
  onTestFinished(() => breakpoint.close());
  const crashing = compose(testConfig(await breakpoint.before(services.databaseTcpUrl)), clock);
  const crashed = Promise.withResolvers<void>();
  breakpoint.fireAt(step, () => {
    breakpoint.shut();
    crashed.resolve();
  });
  const calling = makeCall(crashing, sort).catch(() => {});
  await Promise.race([calling, crashed.promise]);
  await closeCrashed(crashing);
  await calling;
  return breakpoint;
}

/** Lets go of connections, most of which are cut. */
async function closeCrashed({ database }: Services): Promise<void> {
  await closeDatabase(database).catch(() => {});
}

async function recoverAll(): Promise<void> {
  aheadMs += LEASE_MS;
  await endAbandonedCalls(services);
}

test.each(SORTS)(
  "a process that crashes at whatever step of a call ($sort) leaves one charge at most, for what was recorded",
  async (sort) => {
    const seen = new Set<string>();
    let spent = 0n;
    for (let step = 1; ; step += 1) {
      const breakpoint = await crashAt(step, sort);
      const { callId } = (await services.calls.list(accountId, 1))[0] ?? { callId: null };
      await recoverAll();
      const [call] = await services.calls.list(accountId, 1);
      expect(call?.callId ?? null).toBe(callId);
      // The list shows the call of the step before where this one has left none.
      const fresh = call !== undefined && !seen.has(call.callId) ? call : null;
      const cost = fresh === null ? 0n : await expectPolicy(fresh, sort);
      if (fresh !== null) seen.add(fresh.callId);
      spent += cost;
      expect(await fundsOf(services, accountId), breakpoint.steps().join("\n")).toEqual({
        balance: usd("100") - spent,
        reserved: 0n,
      });
      if (!breakpoint.hasFired()) break;
    }
    const outcomes = (await services.calls.list(accountId, 1_000)).map((call) => [
      call.outcome,
      call.amountMicrocents,
    ]);
    // Crashes after the beginning, after the record and after the end were among them.
    expect(outcomes).toContainEqual(["upstream_failed", 0n]);
    expect(outcomes).toContainEqual(["upstream_failed", BigInt(RECORDED) * sort.factor]);
    expect(outcomes).toContainEqual(["completed", BigInt(COST) * sort.factor]);
  },
);

/** @returns what the call was charged, which is as its state was when its process crashed. */
async function expectPolicy(call: UsageRecord, { factor }: Sort): Promise<bigint> {
  const { callId, outcome, usage, amountMicrocents } = call;
  const expected = outcome === "completed" ? [COST] : [0, RECORDED];
  const tokens = usage.inputTokens + usage.outputTokens;
  expect(["completed", "upstream_failed"]).toContain(outcome);
  expect(expected).toContain(tokens);
  expect(amountMicrocents).toBe(BigInt(tokens) * factor);
  expect(await chargesOf(services, callId)).toEqual(amountMicrocents === 0n ? [] : [-amountMicrocents]);
  return amountMicrocents;
}

test("a recovery that crashes at whatever step leaves the rest to the next, and nothing is charged twice", async () => {
  const calls = 5;
  let rounds = 0;
  for (let step = 1, fired = true; fired; step += 1, rounds += 1) {
    for (let index = 0; index < calls; index += 1) {
      const call = await services.calls.begin({ caller, model, requestId: "r", most: mostOutput(HELD) });
      await services.calls.record(call, outputOf(RECORDED));
    }
    aheadMs += LEASE_MS;
    const breakpoint = createMessageBreakpoint((request) => !MAKES_READY.test(request));
    const crashing = compose(testConfig(await breakpoint.before(services.databaseTcpUrl)), clock);
    breakpoint.fireAt(step, () => breakpoint.shut());
    const recovery = crashing.calls.startRecovery({ intervalMs: 10 });
    const done = async () => breakpoint.hasFired() || (await services.calls.countUnfinished()).running === 0;
    await expect.poll(done).toBe(true);
    fired = breakpoint.hasFired();
    await closeCrashed(crashing);
    await recovery.stop();
    breakpoint.close();
    await recoverAll();
    expect(await fundsOf(services, accountId)).toEqual({
      balance: usd("100") - BigInt(calls * RECORDED * (rounds + 1)),
      reserved: 0n,
    });
  }
  expect(rounds).toBeGreaterThan(8);
});
