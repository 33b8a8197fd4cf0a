import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { microcents } from "../money/microcents.ts";
import { fundsOf } from "../testing/test-calls.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { holdFunds, settleAndHold } from "./funds.ts";
import { lockFunds } from "./funds-store.ts";

let services: TestServices;
let one: AccountId;
let two: AccountId;
beforeEach(async () => {
  services = await openTestServices();
  [one, two] = [await services.addAccount("0"), await services.addAccount("0")];
  await services.database.change("UPDATE accounts SET balance_microcents = 100");
});
afterEach(async () => {
  // Money from nowhere, for calls that are not there.
  await services.database.change("DELETE FROM ledger_entries");
  await services.database.change(
    "UPDATE accounts SET balance_microcents = 0, reserved_microcents = 0, ledger_sequence = 0",
  );
  await services.dispose();
});

const held = (accountId: AccountId, amount: bigint) => ({
  accountId,
  reference: randomUUID(),
  amountMicrocents: microcents(amount),
});
const settled = (accountId: AccountId, amount: bigint, charge: bigint) => ({
  ...held(accountId, amount),
  chargeMicrocents: microcents(charge),
  createdAtMs: 1,
});
const change = (what: Parameters<typeof settleAndHold>[1]) =>
  transaction(services.database, async (tx) => {
    if ((await settleAndHold(tx, what, "call")) !== null) throw new Error("not covered");
  }).then(
    () => true,
    () => false,
  );
const hold = (accountId: AccountId, amount: bigint) =>
  transaction(services.database, async (tx) => {
    const wanted = [held(accountId, amount)];
    return holdFunds(tx, await lockFunds(tx, wanted), wanted);
  });

test.each([
  ["all that another gives back is there for the next", 80n, 0n, 100n, true],
  ["but not more than there is", 80n, 0n, 101n, false],
  ["what another cost is not", 80n, 50n, 50n, true],
  ["not even one microcent of it", 80n, 50n, 51n, false],
  ["nor what it cost beyond its hold", 80n, 95n, 5n, true],
  ["which is all the same", 80n, 95n, 6n, false],
  ["an account below zero begins nothing", 80n, 120n, 1n, false],
])("ending and beginning together: %s", async (_what, amount, charge, next, covered) => {
  expect(await hold(one, amount)).toBe(true);
  const done = await change({ settled: [settled(one, amount, charge)], held: [held(one, next)] });
  expect(done).toBe(covered);
  expect(await fundsOf(services, one)).toEqual(
    covered ? { balance: 100n - charge, reserved: next } : { balance: 100n, reserved: amount },
  );
});

test("who only ends is charged beyond what there is, beside others that begin", async () => {
  expect(await hold(one, 80n)).toBe(true);
  expect(await change({ settled: [settled(one, 80n, 300n)], held: [held(two, 100n)] })).toBe(true);
  expect(await fundsOf(services, one)).toEqual({ balance: -200n, reserved: 0n });
  expect(await fundsOf(services, two)).toEqual({ balance: 100n, reserved: 100n });
  const [entry] = await services.ledger.list(one, 1);
  expect(entry).toMatchObject({ amountMicrocents: -300n, balanceAfterMicrocents: -200n });
});

test("one that is not covered leaves everything as it was", async () => {
  expect(await hold(one, 80n)).toBe(true);
  expect(await change({ settled: [settled(one, 80n, 30n)], held: [held(two, 101n)] })).toBe(false);
  expect(await fundsOf(services, one)).toEqual({ balance: 100n, reserved: 80n });
  expect(await fundsOf(services, two)).toEqual({ balance: 100n, reserved: 0n });
});

test("who is not covered is told what is there beside what is set aside, once others have ended", async () => {
  expect(await hold(one, 80n)).toBe(true);
  const shortageOf = (what: Parameters<typeof settleAndHold>[1]) =>
    transaction(services.database, (tx) => settleAndHold(tx, what, "call"));
  const there = (available: bigint, reserved: bigint) => ({
    funds: { availableMicrocents: available, reservedMicrocents: reserved },
  });
  expect(await shortageOf({ settled: [], held: [held(one, 21n)] })).toEqual(there(20n, 80n));
  const ends = [settled(one, 30n, 10n)];
  expect(await shortageOf({ settled: ends, held: [held(one, 41n)] })).toEqual(there(40n, 50n));
  const begun = [held(one, 5n), held(two, 101n), held(one, 500n)];
  expect(await shortageOf({ settled: ends, held: begun })).toEqual(there(100n, 0n));
});

test("several of one account count together, and each has its entry", async () => {
  expect(await hold(one, 80n)).toBe(true);
  const ends = [settled(one, 30n, 10n), settled(one, 50n, 0n), settled(two, 0n, 7n)];
  expect(await change({ settled: ends, held: [held(one, 40n), held(one, 50n), held(two, 93n)] })).toBe(true);
  expect(await fundsOf(services, one)).toEqual({ balance: 90n, reserved: 90n });
  expect(await fundsOf(services, two)).toEqual({ balance: 93n, reserved: 93n });
  expect(await services.ledger.list(one, 10)).toMatchObject([
    { amountMicrocents: -10n, balanceAfterMicrocents: 90n },
  ]);
});

test("what was not set aside is not given back", async () => {
  expect(await change({ settled: [settled(one, 1n, 0n)], held: [] })).toBe(false);
  expect(await change({ settled: [settled(one, 1n, 0n)], held: [held(one, 1n)] })).toBe(false);
});
