import { afterEach, beforeEach, expect, test } from "vitest";
import { compose, type Services } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import type { Model } from "../models/model.ts";
import { holdLock } from "../testing/database/held-lock.ts";
import { type CommitCutter, startCommitCutter } from "../testing/faults/commit-cutter.ts";
import { startInterceptor } from "../testing/faults/interceptor.ts";
import {
  addCaller,
  addModel,
  chargesOf,
  completedWith,
  fundsOf,
  mostOutput,
  outputOf,
} from "../testing/test-calls.ts";
import { openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";

const ROUNDS = 15;
const TOGETHER = 40;

let services: TestServices;
let cutter: CommitCutter;
let behindCutter: Services;
let accountId: AccountId;
let caller: Caller;
let model: Model;
beforeEach(async () => {
  services = await openTestServices();
  cutter = await startCommitCutter(services.databaseTcpUrl);
  behindCutter = compose({ ...testConfig(cutter.url), databasePoolSize: 4 });
  accountId = await services.addAccount("100");
  caller = await addCaller(services, accountId);
  model = await addModel(services);
});
afterEach(async () => {
  await closeDatabase(behindCutter.database);
  cutter.close();
  // Ends with the audit.
  await services.dispose();
});

/** What a call has used whose hold is lowered to 3,000. */
const READS = { ...outputOf(1), inputTokens: 2_000 };
const beginLong = () =>
  behindCutter.calls.begin({
    ...{ caller, model, requestId: "r" },
    most: { ...mostOutput(1_000), inputTokens: 9_000 },
  });
const begin = () => behindCutter.calls.begin({ caller, model, requestId: "r", most: mostOutput(1_000) });

test("a call whose beginning got no answer has begun, and is held for once", async () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    cutter.cutNextCommit();
    await begin();
    expect((await fundsOf(services, accountId)).reserved).toBe(1_000n * BigInt(round));
  }
  expect(cutter.cuts()).toBe(ROUNDS);
  expect(await services.calls.list(accountId, 100)).toHaveLength(ROUNDS);
});

test("a call whose ending got no answer has ended, and is charged once", async () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const call = await begin();
    cutter.cutNextCommit();
    await behindCutter.calls.end(call, completedWith(7));
    expect(await chargesOf(services, call.callId)).toEqual([-7n]);
  }
  expect(cutter.cuts()).toBe(ROUNDS);
  expect(await fundsOf(services, accountId)).toEqual({
    balance: usd("100") - 7n * BigInt(ROUNDS),
    reserved: 0n,
  });
});

// Its second commit: the lease is renewed before.
test.each([
  ["got no answer", () => cutter.cutEvery(2)],
  ["was lost", () => cutter.loseNextCommit(1)],
])("a hold whose raising %s is given back as it was", async (_how, breakSecondCommit) => {
  const call = await begin();
  breakSecondCommit();
  await behindCutter.calls.record(call, outputOf(5_000));
  cutter.cutEvery(0);
  expect(cutter.cuts()).toBe(1);
  await behindCutter.calls.end(call, completedWith(5_001));
  expect(await fundsOf(services, accountId)).toEqual({ balance: usd("100") - 5_001n, reserved: 0n });
});

test.each([
  ["got no answer", () => cutter.cutEvery(2)],
  ["was lost", () => cutter.loseNextCommit(1)],
])("a hold whose lowering %s is given back as it was", async (_how, breakSecondCommit) => {
  const call = await beginLong();
  breakSecondCommit();
  await behindCutter.calls.record(call, READS);
  cutter.cutEvery(0);
  expect(cutter.cuts()).toBe(1);
  // As if it had been lowered: it may have been.
  expect(behindCutter.calls.exceedsHold(call, outputOf(3_001))).toBe(true);
  await behindCutter.calls.end(call, completedWith(5_001));
  expect(await fundsOf(services, accountId)).toEqual({ balance: usd("100") - 5_001n, reserved: 0n });
});

test("nothing more is held for a call that is being ended, though its ending breaks off three times", async () => {
  let broken = 0;
  const interceptor = await startInterceptor(services.databaseTcpUrl, ({ from, request }) => {
    if (from === "server" || broken === 3 || !/^execute UPDATE calls .* outcome = /s.test(request))
      return "pass";
    broken += 1;
    return "cut";
  });
  const behind = compose(testConfig(interceptor.url));
  const call = await behind.calls.begin({ caller, model, requestId: "r", most: mostOutput(1_000) });
  const row = await holdLock(services.databaseUrl, "SELECT 1 FROM calls FOR UPDATE");
  const recording = behind.calls.record(call, outputOf(5_000));
  const waiting =
    "SELECT info FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'UPDATE calls %'";
  await expect.poll(() => services.database.rows(waiting)).toHaveLength(1);
  const ending = behind.calls.end(call, completedWith(5_001));
  await row.release();
  await Promise.all([recording, ending]);
  expect(broken).toBe(3);
  expect(await fundsOf(services, accountId)).toEqual({ balance: usd("100") - 5_001n, reserved: 0n });
  await closeDatabase(behind.database);
  interceptor.close();
});

test("calls that come together, while every other commit gets no answer, are each begun and charged once", async () => {
  cutter.cutEvery(2);
  const calls = await Promise.all(Array.from({ length: TOGETHER }, begin));
  await Promise.all(calls.map((call) => behindCutter.calls.record(call, outputOf(1))));
  await Promise.all(calls.map((call) => behindCutter.calls.end(call, completedWith(3))));
  cutter.cutEvery(0);
  expect(cutter.cuts()).toBeGreaterThan(2);
  expect(await services.calls.list(accountId, 1_000)).toHaveLength(TOGETHER);
  expect(await fundsOf(services, accountId)).toEqual({
    balance: usd("100") - 3n * BigInt(TOGETHER),
    reserved: 0n,
  });
});

test("a call whose beginning was lost is begun once after all", async () => {
  cutter.loseNextCommit();
  const call = await begin();
  expect(cutter.cuts()).toBe(1);
  expect(await services.calls.list(accountId, 10)).toMatchObject([{ callId: call.callId, outcome: null }]);
  expect(await fundsOf(services, accountId)).toEqual({ balance: usd("100"), reserved: 1_000n });
  await behindCutter.calls.end(call, completedWith(7));
});

test("a call whose ending was lost is ended once after all", async () => {
  const call = await begin();
  cutter.loseNextCommit();
  await behindCutter.calls.end(call, completedWith(7));
  expect(cutter.cuts()).toBe(1);
  expect(await chargesOf(services, call.callId)).toEqual([-7n]);
  expect(await fundsOf(services, accountId)).toEqual({ balance: usd("100") - 7n, reserved: 0n });
});

test("calls that share transactions whose commits were lost are each begun and charged once", async () => {
  for (const after of [1, 2]) cutter.loseNextCommit(after);
  const calls = await Promise.all(Array.from({ length: 9 }, begin));
  for (const after of [1, 2]) cutter.loseNextCommit(after);
  await Promise.all(calls.map((call) => behindCutter.calls.end(call, completedWith(3))));
  expect(cutter.cuts()).toBeGreaterThan(0);
  expect(await services.calls.list(accountId, 100)).toHaveLength(9);
  expect(await fundsOf(services, accountId)).toEqual({ balance: usd("100") - 27n, reserved: 0n });
});
