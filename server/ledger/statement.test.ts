import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { ZERO } from "../money/microcents.ts";
import { anySeed, createRandom } from "../simulators/shared/random.ts";
import { type FixedClock, fixedClock } from "../testing/fixed-clock.ts";
import { addCaller, addModel, completedWith, mostOutput } from "../testing/test-calls.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";

const HOUR_MS = 60 * 60_000;

let services: TestServices;
let time: FixedClock;
let accountId: AccountId;
/** Another account, whose entries are in no statement of the first. */
let other: AccountId;
let caller: Caller;
beforeEach(async () => {
  time = fixedClock("2026-01-31T12:00:00Z");
  services = await openTestServices(time.clock);
  accountId = await services.addAccount("500");
  other = await services.addAccount("33");
  caller = { ...(await addCaller(services, accountId)), kind: "product_ordering" };
  await services.addProduct({ productId: "one", price: "1.00", codes: 300 });
});
// Ends with the audit.
afterEach(() => services.dispose());

const topUp = (account: AccountId, amount: string) =>
  services.ledger.topUp({ accountId: account, amountMicrocents: usd(amount), reference: randomUUID() });

const statement = (month: number, zone = "UTC") =>
  services.ledger.statement(accountId, { year: 2026, month }, zone);

async function place(qty = 1) {
  const request = { caller, externalOrderId: randomUUID(), productId: "one", qty, expectedUnitPrice: null };
  return (await services.orders.place(request)).order.orderId;
}

test.each(["UTC", "America/New_York", "Asia/Kathmandu"])(
  "opening + entries = closing = the next opening, in every month: %s",
  async (zone) => {
    const seed = anySeed();
    const random = createRandom(seed);
    const model = await addModel(services);
    while (time.clock() < Date.parse("2026-05-20")) {
      time.advance(Math.floor(random() * 80 * HOUR_MS));
      const orderId = await place(1 + Math.floor(random() * 3));
      if (random() < 0.3) await services.orderAdministration.refund(orderId, "test");
      const call = await services.calls.begin({ caller, model, requestId: "r", most: mostOutput(100) });
      await services.calls.end(call, completedWith(1 + Math.floor(random() * 50)));
      if (random() < 0.2) {
        await topUp(accountId, "10");
        await topUp(other, "7");
        const booking = { accountId, reference: randomUUID(), note: "n" };
        await services.ledger.adjust({ ...booking, amountMicrocents: usd("1") });
      }
    }
    const entries = (await services.ledger.list(accountId, 10_000)).toReversed();
    let balance = ZERO as bigint;
    for (let month = 1; month <= 6; month += 1) {
      const told = await statement(month, zone);
      const own = entries.filter(({ createdAtMs }) => createdAtMs >= told.fromMs && createdAtMs < told.toMs);
      expect(told.openingMicrocents, `seed ${seed}`).toBe(balance);
      balance += told.sums.reduce((sum, { amountMicrocents }) => sum + amountMicrocents, 0n);
      expect(told.closingMicrocents, `seed ${seed}`).toBe(balance);
      const byType = Object.entries(Object.groupBy(own, ({ type }) => type)).map(([type, some]) => ({
        type,
        entries: some.length,
        amountMicrocents: some.reduce((sum, { amountMicrocents }) => sum + amountMicrocents, 0n),
      }));
      expect(told.sums, `seed ${seed}`).toEqual(byType.toSorted((a, b) => (a.type < b.type ? -1 : 1)));
    }
    expect(balance).toBe((await services.accounts.get(accountId)).balanceMicrocents);
  },
);

test("the statement of a month that is over does not change: what is late is in the next", async () => {
  time.set("2026-02-28T23:59:58Z");
  await place();
  time.set("2026-03-01T00:00:01Z");
  await place(2);
  const february = await statement(2);
  expect(february).toMatchObject({ sums: [{ type: "order", entries: 1 }], entries: { first: 2n, last: 2n } });
  time.set("2026-02-28T23:59:59Z");
  await place(3);
  expect(await statement(2)).toEqual(february);
  const march = await statement(3);
  expect(march.openingMicrocents).toBe(february.closingMicrocents);
  expect(march.sums).toEqual([{ type: "order", entries: 2, amountMicrocents: -usd("5") }]);
  expect(march.closingMicrocents).toBe(usd("494"));
});

test.each([4, 5])("what is late is in the next month as the %ith entry of eight", async (number) => {
  for (let entry = 2; entry <= 8; entry += 1) {
    time.set(entry === number ? "2026-02-28T23:59:59Z" : "2026-03-01T00:00:01Z");
    await place();
  }
  expect(await statement(2)).toMatchObject({ sums: [], closingMicrocents: usd("500") });
  expect(await statement(3)).toMatchObject({ entries: { first: 2n, last: 8n } });
});

test("what is late is in the next month, also where every other entry of many is late", async () => {
  for (let entry = 2; entry <= 70; entry += 1) {
    time.set(entry % 2 === 0 ? "2026-02-28T23:59:59Z" : "2026-03-01T00:00:01Z");
    await topUp(accountId, "1");
  }
  expect(await statement(2)).toMatchObject({ entries: { first: 2n, last: 2n } });
  expect(await statement(3)).toMatchObject({ entries: { first: 3n, last: 70n } });
});

test("a month belongs to its zone, and one without entries keeps its balance", async () => {
  time.set("2026-02-28T23:30:00Z");
  await place();
  for (let more = 0; more < 3; more += 1) await topUp(other, "7");
  expect((await statement(2)).sums).toHaveLength(1);
  expect((await statement(2, "Europe/Berlin")).sums).toEqual([]);
  expect((await statement(3, "Europe/Berlin")).sums).toHaveLength(1);
  const later = await statement(9);
  expect(later).toMatchObject({ sums: [], entries: null, openingMicrocents: usd("499") });
  expect(later.closingMicrocents).toBe(usd("499"));
  const before = await services.ledger.statement(accountId, { year: 2025, month: 12 }, "UTC");
  expect(before).toMatchObject({ openingMicrocents: 0n, closingMicrocents: 0n, entries: null });
});

test("a month begins with what is of its first moment, and a year with January", async () => {
  time.set("2026-12-31T23:59:59.999Z");
  await place();
  time.set("2027-01-01T00:00:00Z");
  await place(2);
  const december = await statement(12);
  expect(december).toMatchObject({ toMs: time.clock(), entries: { first: 2n, last: 2n } });
  expect(december.closingMicrocents).toBe(usd("499"));
  const january = await services.ledger.statement(accountId, { year: 2027, month: 1 }, "UTC");
  expect(january).toMatchObject({ fromMs: time.clock(), entries: { first: 3n, last: 3n } });
  expect(january.openingMicrocents).toBe(usd("499"));
  expect(january.closingMicrocents).toBe(usd("497"));
});

test("what has no statement is refused", async () => {
  const month = { year: 2026, month: 2 };
  const unknown: AccountId = `acc_${"0".repeat(32)}`;
  await expect(services.ledger.statement(unknown, month, "UTC")).rejects.toMatchObject({ code: "not_found" });
  for (const [asked, zone] of [
    [month, "Mars"],
    [{ year: 2026, month: 13 }, "UTC"],
    [{ year: 2026, month: 0 }, "UTC"],
    [{ year: 1969, month: 12 }, "UTC"],
  ] as const)
    await expect(services.ledger.statement(accountId, asked, zone)).rejects.toMatchObject({
      code: "invalid_input",
    });
});
