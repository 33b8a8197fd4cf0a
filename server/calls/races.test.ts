import { afterEach, beforeEach, expect, test } from "vitest";
import { compose, type Services } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import { DomainError } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import type { Model } from "../models/model.ts";
import { microcents } from "../money/microcents.ts";
import { addCaller, addModel, completedWith, fundsOf, mostOutput, outputOf } from "../testing/test-calls.ts";
import { openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import type { Call } from "./call.ts";

const PROCESSES = 4;
/** What a call may cost, and what an order costs: the same. */
const PRICE = usd("1.00");
const AFFORDABLE = 30;
const TRIED = 80;

let services: TestServices;
let processes: Services[];
let accountId: AccountId;
let caller: Caller;
let model: Model;
beforeEach(async () => {
  services = await openTestServices();
  processes = Array.from({ length: PROCESSES }, () => compose(testConfig(services.databaseUrl)));
  accountId = await services.addAccount(String(AFFORDABLE));
  caller = await addCaller(services, accountId);
  model = await addModel(services);
});
afterEach(async () => {
  await Promise.all(processes.map(({ database }) => closeDatabase(database)));
  // Ends with the audit.
  await services.dispose();
});

const processOf = (index: number) => processes[index % PROCESSES] as Services;
const begin = (index: number) =>
  processOf(index).calls.begin({ caller, model, requestId: `r-${index}`, most: mostOutput(PRICE) });

const REFUSALS = ["insufficient_balance", "order_in_progress"];

/** What came of them; those that are refused are so for lack of funds, or since an order met too many others. */
async function accepted<T>(attempts: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(attempts);
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled") continue;
    expect(outcome.reason).toBeInstanceOf(DomainError);
    expect(REFUSALS).toContain(outcome.reason.code);
  }
  return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
}

test("calls of several processes for one small balance are begun as often as it lasts, and no more", async () => {
  const calls = await accepted(Array.from({ length: TRIED }, (_, index) => begin(index)));
  expect(calls).toHaveLength(AFFORDABLE);
  expect(await fundsOf(services, accountId)).toEqual({
    balance: usd(String(AFFORDABLE)),
    reserved: usd(String(AFFORDABLE)),
  });
  await Promise.all(calls.map((call, index) => processOf(index).calls.end(call, completedWith(1))));
  expect(await fundsOf(services, accountId)).toEqual({
    balance: usd(String(AFFORDABLE)) - BigInt(AFFORDABLE),
    reserved: 0n,
  });
});

test("orders and calls that race for one small balance never get more than it, and an overshoot is charged", async () => {
  const { productId } = await services.addProduct({ price: "1.00", codes: TRIED });
  const { key } = await services.addKey(accountId);
  const buyer = await services.keys.authenticate(key);
  if (buyer === null) throw new Error("The key is not known.");
  const place = (index: number) =>
    processOf(index).orders.place({
      caller: buyer,
      externalOrderId: `order-${index}`,
      productId,
      qty: 1,
      expectedUnitPrice: null,
    });
  // Fewer than there is money for, so that some of it is left for calls; and one is through before they come.
  const orders = Array.from({ length: AFFORDABLE - 5 }, (_, index) => place(index));
  await Promise.race(orders);
  const calling = Array.from({ length: TRIED }, (_, index) => begin(index));
  const begun = await accepted<Call | Awaited<ReturnType<typeof place>>>([...orders, ...calling]);
  const calls = begun.filter((one): one is Call => "callId" in one);
  expect(begun).toHaveLength(AFFORDABLE);
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.length).toBeLessThan(AFFORDABLE);
  const held = PRICE * BigInt(calls.length);
  expect(await fundsOf(services, accountId)).toEqual({ balance: held, reserved: held });

  // Each costs half as much again as was held for it, which nothing stops, and then nothing more is sold.
  const cost = (PRICE * 3n) / 2n;
  await Promise.all(
    calls.map((call, index) => processOf(index).calls.end(call, completedWith(Number(cost)))),
  );
  expect(await fundsOf(services, accountId)).toEqual({
    balance: held - cost * BigInt(calls.length),
    reserved: 0n,
  });
  await expect(begin(0)).rejects.toMatchObject({ code: "insufficient_balance" });
  await expect(place(TRIED)).rejects.toMatchObject({ code: "insufficient_balance" });
});

test("calls that begin and end all the time beside orders and top-ups lead to books that agree", async () => {
  const others = await Promise.all(
    Array.from({ length: 3 }, async () => addCaller(services, await services.addAccount("5"))),
  );
  const callers = [caller, ...others];
  let charged = 0n;
  const work = Array.from({ length: 24 }, async (_, worker) => {
    const { calls, ledger } = processOf(worker);
    for (let round = 0; round < 12; round += 1) {
      const mine = callers[(worker + round) % callers.length] as Caller;
      const most = { ...mostOutput(usd("0.25")), inputTokens: Number(usd("0.25")) };
      const request = { caller: mine, model, requestId: "r", most };
      const call = await calls.begin(request).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
      });
      const reference = `${worker}-${round}`;
      if (call === undefined) {
        await ledger.topUp({ accountId: mine.accountId, amountMicrocents: usd("1"), reference });
        continue;
      }
      // Where some input is told, the hold is lowered; the end does not wait for that.
      const recording = calls.record(call, { ...outputOf(round), inputTokens: worker % 2 });
      if (round % 3 > 0) await recording;
      const output = round % 4 === 0 ? 0 : 10_000_000 * round;
      await Promise.all([recording, calls.end(call, completedWith(output))]);
      charged += BigInt(output);
    }
  });
  await Promise.all(work);
  const [row] = await services.database.rows<{ charged: bigint }>(
    "SELECT -CAST(SUM(amount_microcents) AS SIGNED) AS charged FROM ledger_entries WHERE type = 'call'",
  );
  expect(row?.charged).toBe(microcents(charged));
  expect(await services.calls.countUnfinished()).toEqual({ running: 0, abandoned: 0 });
});
