import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compose } from "../compose.ts";
import { closeDatabase, type Database } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import type { Log } from "../log.ts";
import type { Model } from "../models/model.ts";
import { microcents } from "../money/microcents.ts";
import {
  addCaller,
  addModel,
  chargesOf,
  completedWith,
  endAbandonedCalls,
  fundsOf,
  mostOutput,
  outputOf,
} from "../testing/test-calls.ts";
import { openTestServices, type TestServices, testConfig } from "../testing/test-shop.ts";
import type { Call } from "./call.ts";
import type { UsageBounds } from "./highest-charge.ts";
import { startRecovery } from "./recovery.ts";
import { NOTHING_FURTHER } from "./token-usage.ts";
import { changeHoldsOfCalls } from "./write-calls.ts";

const LEASE_MS = 1_000;
const BALANCE = 10_000n;

let nowMs = Date.now();
let services: TestServices;
let accountId: AccountId;
let caller: Caller;
let model: Model;
beforeEach(async () => {
  services = await openTestServices(() => nowMs, { callLeaseMs: LEASE_MS });
  accountId = await services.addAccount("0.0001");
  caller = await addCaller(services, accountId);
  model = await addModel(services);
});
// Ends with the audit.
afterEach(() => services.dispose());

const begin = (outputTokens = 1_000): Promise<Call> =>
  services.calls.begin({
    caller,
    model,
    requestId: "request-1",
    most: mostOutput(outputTokens),
  });
const funds = () => fundsOf(services, accountId);
const only = async () => {
  const [record] = await services.calls.list(accountId, 1);
  if (record === undefined) throw new Error("There is no call.");
  return record;
};

/** Lets all leases run out and recovery end what has lost its own. */
async function recover(): Promise<void> {
  nowMs += LEASE_MS;
  await endAbandonedCalls(services);
}

test("a call that is seen to use more than is held for it has that held, also beyond the balance", async () => {
  const [call, other] = [await begin(1_000), await begin(1_000)];
  expect(services.calls.exceedsHold(call, outputOf(1_000))).toBe(false);
  expect(services.calls.exceedsHold(call, outputOf(1_001))).toBe(true);
  await services.calls.record(call, outputOf(5_000));
  expect(await funds()).toEqual({ balance: BALANCE, reserved: 6_000n });
  expect(services.calls.exceedsHold(call, outputOf(5_000))).toBe(false);
  await services.calls.record(call, outputOf(4_000));
  expect(await funds()).toEqual({ balance: BALANCE, reserved: 6_000n });
  await services.calls.record(call, outputOf(20_000));
  expect(await funds()).toEqual({ balance: BALANCE, reserved: 21_000n });
  await expect(begin(1)).rejects.toThrow(InsufficientBalanceError);
  await Promise.all([
    services.calls.end(call, completedWith(20_001)),
    services.calls.end(other, completedWith(1)),
  ]);
  expect(await funds()).toEqual({ balance: BALANCE - 20_002n, reserved: 0n });
});

test("a hold that was raised is given back by recovery, and is not raised any more after the end", async () => {
  const [lost, ended] = [await begin(1_000), await begin(1_000)];
  await services.calls.record(lost, outputOf(5_000));
  await Promise.all([
    services.calls.record(ended, outputOf(3_000)),
    services.calls.end(ended, completedWith(3_000)),
    services.calls.record(ended, outputOf(4_000)),
  ]);
  expect(await funds()).toEqual({ balance: BALANCE - 3_000n, reserved: 5_000n });
  await recover();
  expect(await funds()).toEqual({ balance: BALANCE - 8_000n, reserved: 0n });
});

describe("a call that can come to far less than is held for it", () => {
  const READS = { ...outputOf(1), inputTokens: 2_000 };
  const most = { ...mostOutput(100), inputTokens: 8_000 };
  const beginWith = (bounds: UsageBounds) =>
    services.calls.begin({ caller, model, requestId: "r", most: bounds });

  test("has the rest given back when the input is told, and more held when it uses more", async () => {
    const call = await beginWith(most);
    expect(await funds()).toEqual({ balance: BALANCE, reserved: 8_100n });
    await services.calls.record(call, READS);
    expect(await funds()).toEqual({ balance: BALANCE, reserved: 2_100n });
    expect(services.calls.exceedsHold(call, { ...READS, outputTokens: 100 })).toBe(false);
    expect(services.calls.exceedsHold(call, { ...READS, outputTokens: 101 })).toBe(true);
    await services.calls.record(call, { ...READS, outputTokens: 101 });
    expect(await funds()).toEqual({ balance: BALANCE, reserved: 2_101n });
    await services.calls.end(call, completedWith(70));
    expect(await funds()).toEqual({ balance: BALANCE - 70n, reserved: 0n });
  });

  test("gives the rest back to calls that begin", async () => {
    const half = { ...mostOutput(100), inputTokens: Number(BALANCE) - 200 };
    const call = await beginWith(half);
    await expect(begin(1_000)).rejects.toThrow(InsufficientBalanceError);
    await services.calls.record(call, READS);
    const other = await begin(1_000);
    await Promise.all([
      services.calls.end(call, completedWith(10)),
      services.calls.end(other, completedWith(1)),
    ]);
    expect(await funds()).toEqual({ balance: BALANCE - 11n, reserved: 0n });
  });

  test.each([
    ["may run the model again", { ...most, isOneRun: false }, READS],
    ["has told no input", most, outputOf(1)],
    ["counts what nobody knows", most, { ...READS, further: { ...NOTHING_FURTHER, unknown: ["moons"] } }],
    ["gives back less than a quarter", { ...most, inputTokens: 2_690 }, READS],
  ])("keeps its hold where it %s", async (_when, bounds, usage) => {
    const call = await beginWith(bounds);
    await services.calls.record(call, usage);
    expect(await funds()).toEqual({ balance: BALANCE, reserved: call.holdMicrocents });
    await services.calls.end(call, completedWith(1));
  });

  test("is charged what was recorded when its process dies, and nothing stays held", async () => {
    const calls = [await beginWith({ ...most, inputTokens: 4_000 }), await beginWith(mostOutput(1))];
    await Promise.all(calls.map((call) => services.calls.record(call, READS)));
    // The second has used more than was held for it.
    expect(await funds()).toEqual({ balance: BALANCE, reserved: 2_100n + 2_001n });
    await recover();
    expect(await funds()).toEqual({ balance: BALANCE - 2n * 2_001n, reserved: 0n });
  });
});

test.each([
  { bound: "least", holdMicrocents: microcents(5_000n) },
  { bound: "most", holdMicrocents: microcents(10n) },
] as const)("what an ended call gave back is left as it is, also when $bound is to be held", async (hold) => {
  const [ended] = [await begin(1_000), await begin(1_000)];
  await services.calls.end(ended, completedWith(20));
  const { callId } = ended;
  const changing = transaction(services.database, (tx) =>
    changeHoldsOfCalls(tx, [{ callId, accountId, ...hold }]),
  );
  await expect(changing).resolves.toBeUndefined();
  expect(await funds()).toEqual({ balance: BALANCE - 20n, reserved: 1_000n });
  await recover();
});

test("a call holds the most that it may cost, and is charged what it came to", async () => {
  const call = await begin(1_000);
  expect(call.holdMicrocents).toBe(1_000n);
  expect(await funds()).toEqual({ balance: BALANCE, reserved: 1_000n });
  expect(await only()).toMatchObject({ outcome: null, amountMicrocents: 0n, balanceAfterMicrocents: null });

  const usage = { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 3, cacheReadTokens: 4_000 };
  const ending = { outcome: "completed", usage, estimated: false, upstreamRequestId: "up-1" } as const;
  await services.calls.end(call, ending);
  expect(await funds()).toEqual({ balance: BALANCE - 127n, reserved: 0n });
  expect(await only()).toEqual({
    callId: call.callId,
    accountId,
    keyId: caller.keyId,
    modelId: "test-model",
    outcome: "completed",
    estimated: false,
    usage,
    bill: null,
    amountMicrocents: 127n,
    balanceAfterMicrocents: BALANCE - 127n,
    requestId: "request-1",
    upstreamRequestId: "up-1",
    createdAtMs: nowMs,
    endedAtMs: nowMs,
  });
  expect(await services.ledger.list(accountId, 1)).toMatchObject([
    { type: "call", reference: call.callId, amountMicrocents: -127n, balanceAfterMicrocents: BALANCE - 127n },
  ]);
});

test.each([null, outputOf(0)])(
  "a call that came to nothing (%j) leaves no entry and gives back its hold",
  async (usage) => {
    const call = await begin();
    await services.calls.record(call, outputOf(5));
    await services.calls.end(call, { outcome: "rejected", usage, estimated: false, upstreamRequestId: null });
    expect(await funds()).toEqual({ balance: BALANCE, reserved: 0n });
    expect(await chargesOf(services, call.callId)).toEqual([]);
    expect(await only()).toMatchObject({
      outcome: "rejected",
      usage: outputOf(0),
      balanceAfterMicrocents: null,
    });
  },
);

test("a call that cost more than was held is charged in full, also below zero, and then no other begins", async () => {
  const call = await begin(9_000);
  await services.calls.end(call, completedWith(25_000));
  expect(await funds()).toEqual({ balance: -15_000n, reserved: 0n });
  await expect(begin(1)).rejects.toMatchObject({ code: "insufficient_balance" });
  await expect(begin(0)).rejects.toMatchObject({ code: "insufficient_balance" });
  expect(await services.calls.list(accountId, 10)).toHaveLength(1);
});

test("a call begins only while the available balance covers the most that it may cost", async () => {
  await begin(6_000);
  const refusal = { code: "insufficient_balance" };
  await expect(begin(4_001)).rejects.toMatchObject(refusal);
  await expect(begin(10_000)).rejects.toMatchObject({ ...refusal, isCoveredLater: true });
  await expect(begin(10_001)).rejects.toMatchObject({ ...refusal, isCoveredLater: false });
  const last = await begin(4_000);
  await expect(begin(1)).rejects.toMatchObject({ code: "insufficient_balance" });
  await services.calls.end(last, completedWith(0));
  await begin(4_000);
  await recover();
});

test("no balance covers a cost that no column could hold", async () => {
  const most = mostOutput(Number.MAX_SAFE_INTEGER);
  const dear = { ...model, prices: { ...model.prices, outputMicrocents: microcents(10n ** 12n) } };
  const request = { caller, model: dear, requestId: "r", most };
  await expect(services.calls.begin(request)).rejects.toMatchObject({ code: "insufficient_balance" });
});

test("of many calls at once those that are refused do not upset the others", async () => {
  const rich = await addCaller(services, await services.addAccount("100"));
  const calls = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) =>
      services.calls.begin({
        caller: index % 2 === 0 ? rich : caller,
        model,
        requestId: `r-${index}`,
        most: mostOutput(1_000),
      }),
    ),
  );
  const begun = calls.flatMap((call) => (call.status === "fulfilled" ? [call.value] : []));
  expect(begun.filter((call) => call.accountId === rich.accountId)).toHaveLength(30);
  expect(begun.filter((call) => call.accountId === accountId)).toHaveLength(10);
  await Promise.all(
    begun.map((call, index) => services.calls.end(call, completedWith(index % 3 === 0 ? 0 : 7))),
  );
  expect((await funds()).reserved).toBe(0n);
});

test("prices that change meanwhile do not change what a call costs", async () => {
  const call = await begin();
  await addModel(services, "test-model", {
    prices: { ...model.prices, outputMicrocents: microcents(99_000_000n) },
  });
  await services.calls.end(call, completedWith(10));
  expect((await only()).amountMicrocents).toBe(10n);
});

test("however often and wherever a call is ended, it is charged once", async () => {
  const call = await begin();
  const other = compose(testConfig(services.databaseUrl), () => nowMs);
  const ends = Array.from({ length: 8 }, (_, index) =>
    (index % 2 === 0 ? services : other).calls.end(call, completedWith(100 + index)),
  );
  await Promise.all(ends);
  const charges = await chargesOf(services, call.callId);
  expect(charges).toHaveLength(1);
  expect(await funds()).toEqual({ balance: BALANCE + (charges[0] ?? 0n), reserved: 0n });
  await closeDatabase(other.database);
});

test("an abandoned call is charged for what was recorded of it", async () => {
  const silent = await begin();
  const recorded = await begin();
  await services.calls.record(recorded, outputOf(5));
  await services.calls.record(recorded, outputOf(70), true);
  await recover();
  expect(await funds()).toEqual({ balance: BALANCE - 70n, reserved: 0n });
  const records = await services.calls.list(accountId, 10);
  expect(records).toMatchObject([
    { callId: recorded.callId, outcome: "upstream_failed", usage: outputOf(70), estimated: true },
    { callId: silent.callId, outcome: "upstream_failed", amountMicrocents: 0n, estimated: false },
  ]);
});

test("a call that ended by our own count says so, and is charged for it", async () => {
  await services.calls.end(await begin(), { ...completedWith(7), estimated: true });
  expect(await only()).toMatchObject({ outcome: "completed", estimated: true, amountMicrocents: 7n });
});

test("an abandoned call is charged for each kind of token at the price that it began with", async () => {
  const prices = {
    inputMicrocents: microcents(2_000_000n),
    outputMicrocents: microcents(3_000_000n),
    cacheWriteMicrocents: microcents(5_000_000n),
    cacheReadMicrocents: microcents(7_000_000n),
  };
  model = await addModel(services, "priced", { prices });
  const call = await begin();
  const usage = { inputTokens: 1, outputTokens: 10, cacheWriteTokens: 100, cacheReadTokens: 1_000 };
  await services.calls.record(call, usage);
  await recover();
  expect(await only()).toMatchObject({ outcome: "upstream_failed", usage, amountMicrocents: 7_532n });
  expect(await funds()).toEqual({ balance: BALANCE - 7_532n, reserved: 0n });
});

test("an abandoned call that cannot be ended does not keep the others from it", async () => {
  const others = await Promise.all(
    [1, 2].map(async () => addCaller(services, await services.addAccount("0.0001"))),
  );
  for (const other of others) {
    const call = await services.calls.begin({ caller: other, model, requestId: "r", most: mostOutput(50) });
    await services.calls.record(call, outputOf(5));
  }
  await begin(100);
  // Less is reserved of this account than is held: its call cannot give back what is not there.
  const setReserved = (amount: number) =>
    services.database.change("UPDATE accounts SET reserved_microcents = ? WHERE account_id = ?", [
      amount,
      accountId,
    ]);
  await setReserved(99);
  nowMs += LEASE_MS;
  const recovery = services.calls.startRecovery({ intervalMs: 1 });
  await expect.poll(services.calls.countUnfinished).toEqual({ running: 1, abandoned: 1 });
  for (const other of others) {
    expect(await fundsOf(services, other.accountId)).toEqual({ balance: BALANCE - 5n, reserved: 0n });
  }
  await setReserved(100);
  await expect.poll(services.calls.countUnfinished).toEqual({ running: 0, abandoned: 0 });
  await recovery.stop();
});

test("a call whose lease is renewed is left alone", async () => {
  const call = await begin();
  const recovery = services.calls.startRecovery({ intervalMs: 5 });
  for (let renewal = 0; renewal < 5; renewal += 1) {
    nowMs += LEASE_MS - 1;
    await services.calls.record(call, outputOf(renewal));
  }
  await recovery.stop();
  expect(await only()).toMatchObject({ outcome: null, usage: outputOf(4) });
  await services.calls.end(call, completedWith(6));
  expect((await only()).amountMicrocents).toBe(6n);
});

test("a call that recovery has ended is left as it is, and that is logged without its content", async () => {
  const lines: unknown[][] = [];
  const log: Log = { info() {}, error() {}, warn: (...line: unknown[]) => void lines.push(line) };
  const slow = compose(testConfig(services.databaseUrl), () => nowMs, log);
  const call = await slow.calls.begin({ caller, model, requestId: "r", most: mostOutput(500) });
  await slow.calls.record(call, outputOf(3));
  nowMs += 60_000;
  await recover();
  await slow.calls.record(call, outputOf(4));
  await slow.calls.end(call, completedWith(400));
  expect(await only()).toMatchObject({ outcome: "upstream_failed", amountMicrocents: 3n });
  expect(await funds()).toEqual({ balance: BALANCE - 3n, reserved: 0n });
  expect(lines).toMatchObject([
    [{ callId: call.callId }, "progress of a call was not recorded"],
    [{ callId: call.callId, outcome: "completed" }, "call had ended before; it is left as it is"],
  ]);
  await closeDatabase(slow.database);
});

test("calls that end while several processes recover them are charged once each", async () => {
  await services.ledger.topUp({ accountId, amountMicrocents: microcents(10n ** 8n), reference: "more" });
  const calls = await Promise.all(Array.from({ length: 300 }, () => begin(1_000)));
  await Promise.all(calls.map((call) => services.calls.record(call, outputOf(3))));
  const others = Array.from({ length: 3 }, () => compose(testConfig(services.databaseUrl), () => nowMs));
  nowMs += LEASE_MS;
  const recoveries = [services, ...others].map(({ calls }) => calls.startRecovery({ intervalMs: 1 }));
  await Promise.all(calls.slice(200).map((call) => services.calls.end(call, completedWith(5))));
  await expect.poll(services.calls.countUnfinished).toEqual({ running: 0, abandoned: 0 });
  await Promise.all(recoveries.map((recovery) => recovery.stop()));
  const records = await services.calls.list(accountId, 1_000);
  const charged = records.map(({ amountMicrocents }) => amountMicrocents);
  expect(records).toHaveLength(300);
  expect(new Set(charged).isSubsetOf(new Set([3n, 5n]))).toBe(true);
  const sum = charged.reduce((total, amount) => total + amount, 0n);
  expect(await funds()).toEqual({ balance: BALANCE + 10n ** 8n - sum, reserved: 0n });
  await Promise.all(others.map(({ database }) => closeDatabase(database)));
});

test("an upstream's request id is kept as far as there is room for it", async () => {
  const upstreamRequestId = `${"x".repeat(256)}y`;
  await services.calls.end(await begin(), { ...completedWith(7), upstreamRequestId });
  expect(await only()).toMatchObject({ outcome: "completed", upstreamRequestId: "x".repeat(256) });
});

test("an account's calls are listed newest first and are nobody else's", async () => {
  const other = await addCaller(services, await services.addAccount());
  await services.calls.begin({ caller: other, model, requestId: "r", most: mostOutput(1) });
  const calls: Call[] = [];
  for (let count = 0; count < 3; count += 1) {
    nowMs += 1;
    calls.push(await begin(10));
  }
  const listed = await services.calls.list(accountId, 2);
  expect(listed.map(({ callId }) => callId)).toEqual(
    calls
      .toReversed()
      .slice(0, 2)
      .map(({ callId }) => callId),
  );
  await recover();
});

test("a call that shows a sign of life when recovery has just found it is left to its process", async () => {
  const call = await begin();
  nowMs += LEASE_MS;
  let looks = 0;
  const looking: Database = {
    ...services.database,
    async rows<Row>(...query: Parameters<Database["rows"]>) {
      const found = await services.database.rows<Row>(...query);
      if (found.length > 0) await services.calls.record(call, outputOf(5));
      looks += 1;
      return found;
    },
  };
  const log = { info() {}, warn() {}, error() {} };
  const recovery = startRecovery({ database: looking, clock: () => nowMs, log }, { intervalMs: 1 });
  await expect.poll(() => looks).toBeGreaterThan(1);
  await recovery.stop();
  expect(await only()).toMatchObject({ outcome: null, usage: outputOf(5) });
  await services.calls.end(call, completedWith(70));
  expect(await only()).toMatchObject({ outcome: "completed", amountMicrocents: 70n });
  expect(await funds()).toEqual({ balance: BALANCE - 70n, reserved: 0n });
});
