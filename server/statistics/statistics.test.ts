import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CallEnding } from "../calls/call.ts";
import { compose } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import { ContentionError } from "../database/faults.ts";
import { transaction } from "../database/transaction.ts";
import { type AccountId, newId, type OrderId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { writeSales } from "../orders/place-from-stock.ts";
import { anySeed, createRandom } from "../simulators/shared/random.ts";
import { createCipher } from "../stock/code-cipher.ts";
import { beside } from "../testing/database/beside.ts";
import { createMessageBreakpoint } from "../testing/faults/message-breakpoint.ts";
import { type FixedClock, fixedClock } from "../testing/fixed-clock.ts";
import { addCaller, addModel, completedWith, mostOutput, outputOf } from "../testing/test-calls.ts";
import { openTestServices, TEST_KEY_RING, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import type { Granularity } from "./buckets.ts";
import { CALL_COLUMNS } from "./counted-rows-store.ts";
import { NO_CALLS, NO_ORDERS } from "./figures.ts";
import { rollUpAll } from "./roll-up.ts";
import { addOrders, lastSequence, lockProgress, updateProgress } from "./rollup-store.ts";
import type { StatisticsBucket } from "./statistics.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const START = "2026-03-27T00:00:00Z";
const SILENT = { info() {}, warn() {}, error() {} };

let services: TestServices;
let time: FixedClock;
let accountId: AccountId;
let caller: Caller;
/** Of another account, whose figures are its own. */
let stranger: Caller;
beforeEach(async () => {
  time = fixedClock(START);
  services = await openTestServices(time.clock);
  accountId = await services.addAccount("1000");
  caller = { ...(await addCaller(services, accountId)), kind: "product_ordering" };
  stranger = { ...(await addCaller(services, await services.addAccount("1000"))), kind: "product_ordering" };
  await services.addProduct({ productId: "one", price: "1.00", codes: 600 });
  await services.addProduct({ productId: "two", price: "2.50", codes: 600 });
});
// Ends with the audit, which compares the rollups with the rows.
afterEach(() => services.dispose());

async function place(productId = "one", qty = 1, by = caller): Promise<OrderId> {
  const request = { caller: by, externalOrderId: randomUUID(), productId, qty, expectedUnitPrice: null };
  return (await services.orders.place(request)).order.orderId;
}

const refund = (orderId: OrderId) => services.orderAdministration.refund(orderId, "test");

const begin = async (modelId = "model", by = caller) => {
  const model = await addModel(services, modelId);
  return services.calls.begin({ caller: by, model, requestId: "r", most: mostOutput(100) });
};

const notCompleted = (outcome: "rejected" | "client_aborted" | "upstream_failed", tokens: number) => ({
  ...completedWith(tokens),
  outcome,
  usage: tokens === 0 ? null : outputOf(tokens),
});

/** Adds what is new to the rollups, few rows a transaction. */
const rollUp = (portionSize = 2) => rollUpAll({ database: services.database, log: SILENT, portionSize });

const always = { fromMs: Date.parse("2026-01-01"), toMs: Date.parse("2027-01-01") };

async function ordersOf(options: Partial<Parameters<TestServices["statistics"]["orders"]>[0]> = {}) {
  const query = { accountId, period: always, granularity: "P1M", timeZone: "UTC", groupBy: null } as const;
  return services.statistics.orders({ ...query, ...options });
}

async function callsOf(options: Partial<Parameters<TestServices["statistics"]["calls"]>[0]> = {}) {
  const query = { accountId, period: always, granularity: "P1M", timeZone: "UTC", groupBy: null } as const;
  return services.statistics.calls({ ...query, ...options });
}

/** The sums over all buckets. */
function total<Figures extends object>(buckets: readonly StatisticsBucket<Figures>[], none: Figures) {
  return sumOf(
    buckets.flatMap(({ groups }) => groups.map(({ figures }) => figures)),
    none,
  );
}

function sumOf<Figures extends object>(all: readonly Figures[], none: Figures): Figures {
  const names = Object.keys(none) as (keyof Figures)[];
  return all.reduce((sum, figures) => {
    const added = names.map((name) => [name, add(sum[name], figures[name])]);
    return Object.fromEntries(added);
  }, none);
}

function add(one: unknown, other: unknown): unknown {
  return typeof one === "bigint" ? one + (other as bigint) : (one as number) + (other as number);
}

const rolledUpOrders = async () => {
  const sql = "SELECT CAST(COALESCE(SUM(orders), 0) AS SIGNED) AS orders FROM order_rollups";
  const [row] = await services.database.rows<{ orders: bigint }>(sql);
  return Number(row?.orders);
};

describe("what happens at random times is told as the rows have it", () => {
  const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"];
  const GRANULARITIES: Granularity[] = ["PT15M", "PT1H", "P1D", "P1M"];
  // Clocks are changed in Berlin on the 29th of March and on Lord Howe on the 5th of April.
  const period = { fromMs: Date.parse(START), toMs: Date.parse("2026-04-06T00:00:00Z") };

  test("in every zone and granularity, rolled up or not", async () => {
    const seed = anySeed();
    await act(createRandom(seed), period.toMs);
    await expectAgreement(seed);
    await rollUp();
    await expectAgreement(seed);
  });

  /** Orders, refunds and calls until a moment; some are late, and what there is is rolled up now and then. */
  async function act(random: () => number, untilMs: number): Promise<void> {
    const pick = <T>(...items: [T, ...T[]]) => items[Math.floor(random() * items.length)] as T;
    const orders: OrderId[] = [];
    const calls: Awaited<ReturnType<typeof begin>>[] = [];
    const callers = [caller, await addCaller(services, accountId), stranger] as const;
    const end = async () => {
      const call = calls.shift();
      const tokens = Math.ceil(random() * 50);
      const ending = pick<CallEnding>(
        completedWith(tokens),
        notCompleted("client_aborted", tokens),
        notCompleted("upstream_failed", 0),
        notCompleted("rejected", 0),
      );
      if (call !== undefined) await services.calls.end(call, ending);
    };
    while (time.clock() < untilMs - 5 * 60 * MINUTE_MS) {
      time.advance(Math.floor(random() * 200 * MINUTE_MS));
      if (random() < 0.1) time.advance(-10 * MINUTE_MS);
      await pick(
        async () => void orders.push(await place(pick("one", "two"), pick(1, 2, 3))),
        async () => void orders.push(await place(pick("one", "two"), pick(1, 2, 3), pick(caller, stranger))),
        async () => {
          const orderId = orders.pop();
          if (orderId !== undefined) await refund(orderId);
        },
        async () => void calls.push(await begin(pick("large", "small"), pick(...callers))),
        end,
        end,
        rollUp,
      )();
    }
  }

  async function expectAgreement(seed: number): Promise<void> {
    const { soldRows, callRows } = await readRows();
    for (const zone of ZONES) {
      for (const granularity of GRANULARITIES.filter((one) => zone === "UTC" || one !== "PT15M")) {
        const asked = { period, granularity, timeZone: zone };
        const place = `seed ${seed}, ${zone}, ${granularity}`;
        const label = labelOf(zone, granularity);
        for (const groupBy of ["product", null] as const)
          expect(tell(await ordersOf({ ...asked, groupBy }), label), `${place}, ${groupBy}`).toEqual(
            tellRows(soldRows, label, NO_ORDERS, (row) => (groupBy === null ? null : row.product)),
          );
        for (const groupBy of ["key", "model", null] as const)
          expect(tell(await callsOf({ ...asked, groupBy }), label), `${place}, ${groupBy}`).toEqual(
            tellRows(callRows, label, NO_CALLS, (row) => (groupBy === null ? null : row[groupBy])),
          );
      }
    }
  }

  /** Each row with its time and what it counts for, without the statistics' own SQL. */
  async function readRows() {
    const sold = await services.database.rows<{
      type: string;
      ms: bigint;
      product: string;
      qty: number;
      amount: bigint;
    }>(
      `SELECT e.type, e.created_at_ms AS ms, o.product_id AS product, o.qty, o.amount_microcents AS amount
       FROM ledger_entries e JOIN orders o ON e.reference = CAST(o.order_id AS BINARY) WHERE e.account_id = ?`,
      [accountId],
    );
    const calls = await services.database.rows<Record<string, bigint | string>>(
      "SELECT *, key_id AS `key`, model_id AS model, ended_at_ms AS ms FROM calls WHERE outcome IS NOT NULL AND account_id = ?",
      [accountId],
    );
    return {
      soldRows: sold.map(({ type, qty, amount, ...row }) => ({
        ...row,
        figures:
          type === "order"
            ? { ...NO_ORDERS, orders: 1, codes: qty, amountMicrocents: amount }
            : { ...NO_ORDERS, refunds: 1, refundedMicrocents: amount },
      })),
      callRows: calls.map((row) => ({
        ms: row.ms as bigint,
        key: String(row.key),
        model: String(row.model),
        figures: {
          ...NO_CALLS,
          completed: Number(row.outcome === "completed"),
          clientAborted: Number(row.outcome === "client_aborted"),
          upstreamFailed: Number(row.outcome === "upstream_failed"),
          rejected: Number(row.outcome === "rejected"),
          outputTokens: Number(row.output_tokens),
          amountMicrocents: row.amount_microcents,
        },
      })),
    };
  }

  /** What a calendar in the zone calls the bucket of a moment. */
  function labelOf(zone: string, granularity: Granularity): (timeMs: number) => string {
    const format = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      ...(granularity === "P1M" ? {} : { day: "2-digit" }),
      ...(granularity.startsWith("PT")
        ? { hour: "2-digit", hourCycle: "h23", timeZoneName: "longOffset" }
        : {}),
    });
    // The hour in which clocks are changed by half an hour has half an hour more, and one name.
    const hour = (text: string) => (zone === "Australia/Lord_Howe" ? text.replace(/ GMT.*/, "") : text);
    if (granularity !== "PT15M") return (timeMs) => hour(format.format(timeMs));
    return (timeMs) => `${Math.floor(timeMs / (15 * MINUTE_MS))}`;
  }

  type Told = Record<string, unknown>;

  function tell<Figures extends object>(
    buckets: readonly StatisticsBucket<Figures>[],
    label: (timeMs: number) => string,
  ): Told {
    const told = buckets.flatMap(({ fromMs, toMs, groups }) => {
      expect(label(toMs - 1)).toBe(label(fromMs));
      return groups.map(({ group, figures }): [string, unknown] => [`${label(fromMs)} ${group}`, figures]);
    });
    expect(new Set(told.map(([name]) => name)).size).toBe(told.length);
    return Object.fromEntries(told.filter(([, figures]) => !isNothing(figures as object)));
  }

  const isNothing = (figures: object) => Object.values(figures).every((value) => Number(value) === 0);

  function tellRows<Row extends { ms: bigint; figures: object }, Figures extends object>(
    rows: readonly Row[],
    label: (timeMs: number) => string,
    none: Figures,
    groupOf: (row: Row) => string | null,
  ): Told {
    const byName = Map.groupBy(rows, (row) => `${label(Number(row.ms))} ${groupOf(row)}`);
    const sums = [...byName].map(([name, some]): [string, Figures] => [
      name,
      sumOf(
        some.map(({ figures }) => figures as Figures),
        none,
      ),
    ]);
    return Object.fromEntries(sums.filter(([, figures]) => !isNothing(figures)));
  }
});

test("figures are current: what is not rolled up yet is in them, and nothing is told twice", async () => {
  const orderId = await place("one", 2);
  await services.calls.end(await begin(), completedWith(7));
  await services.calls.end(await begin(), notCompleted("rejected", 0));
  await begin();
  await place("one", 3, stranger);
  await services.calls.end(await begin("model", stranger), completedWith(5));
  const expectFigures = async () => {
    expect(total(await ordersOf(), NO_ORDERS)).toEqual({
      orders: 1,
      codes: 2,
      amountMicrocents: usd("2"),
      refunds: 1,
      refundedMicrocents: usd("2"),
    });
    const calls = { completed: 1, rejected: 1, outputTokens: 7, amountMicrocents: 7n };
    expect(total(await callsOf(), NO_CALLS)).toEqual({ ...NO_CALLS, ...calls });
  };
  await rollUp();
  expect(await rolledUpOrders()).toBe(2);
  time.advance(2 * DAY_MS);
  await refund(orderId);
  await expectFigures();
  await rollUp();
  await expectFigures();
  await rollUp();
  await expectFigures();
});

test("calls that cost nothing are rolled up as well, also when nothing else of their account is new", async () => {
  await rollUp();
  await services.calls.end(await begin(), notCompleted("rejected", 0));
  await rollUp();
  expect(await services.database.rows("SELECT rejected FROM call_rollups")).toEqual([{ rejected: 1n }]);
});

test("an order that commits late is told in the quarter of an hour that it came in", async () => {
  const startedAtMs = time.clock();
  const order = {
    orderId: newId("ord"),
    accountId,
    externalOrderId: "late",
    keyId: caller.keyId,
    productId: "one",
    productName: "One",
    qty: 1,
    unitPriceMicrocents: usd("1"),
    amountMicrocents: usd("1"),
    status: "delivered",
    redeemUrl: "https://redeem.example/here",
    errorCode: null,
    spendDay: "2026-03-27",
    createdAtMs: startedAtMs,
    deliveredAtMs: startedAtMs,
    refundedAtMs: null,
  } as const;
  const request = { caller, externalOrderId: "late", productId: "one", qty: 1, expectedUnitPrice: null };
  time.advance(60 * MINUTE_MS);
  await place("two");
  await transaction(services.database, async (tx) => {
    await writeSales(tx, createCipher(TEST_KEY_RING), [{ request, order } as never]);
    await beside(tx, rollUp);
    expect(await rolledUpOrders()).toBe(1);
  });
  await rollUp();
  const day = { fromMs: startedAtMs, toMs: startedAtMs + DAY_MS };
  const buckets = await ordersOf({ period: day, granularity: "PT15M" });
  const told = buckets.flatMap(({ fromMs, groups }) =>
    groups.flatMap(({ figures }) => (figures.orders > 0 ? [[fromMs - startedAtMs, figures.orders]] : [])),
  );
  expect(told).toEqual([
    [0, 1],
    [60 * MINUTE_MS, 1],
  ]);
});

/** Whoever meets others at the same rows for too long tries again, as the service's own loop does. */
const unlessContended = (work: Promise<void>) =>
  work.catch((error: unknown) => {
    if (!(error instanceof ContentionError)) throw error;
  });

test("processes that roll up at once, beside buyers, add everything once", async () => {
  const others = [1, 2, 3].map(() => compose(testConfig(services.databaseUrl), time.clock));
  let isBusy = true;
  const rolling = others.map(async ({ database }) => {
    while (isBusy) await unlessContended(rollUpAll({ database, log: SILENT, portionSize: 3 }));
  });
  for (let index = 0; index < 40; index += 1) {
    time.advance(7 * MINUTE_MS);
    const orderId = await place("one", 2);
    if (index % 4 === 0) await refund(orderId);
    await services.calls.end(await begin(), completedWith(1));
  }
  isBusy = false;
  await Promise.all(rolling);
  await rollUp();
  expect(await rolledUpOrders()).toBe(40);
  const { orders, codes, refunds } = total(await ordersOf(), NO_ORDERS);
  expect({ orders, codes, refunds }).toEqual({ orders: 40, codes: 80, refunds: 10 });
  expect(total(await callsOf(), NO_CALLS)).toMatchObject({ completed: 40, amountMicrocents: 40n });
  await Promise.all(others.map(({ database }) => closeDatabase(database)));
});

test("whatever step a process dies at that rolls up, everything is told once", async () => {
  await begin();
  let expected = 0;
  /** @returns whether the step was reached. */
  const crashAt = async (step: number): Promise<boolean> => {
    await place();
    await services.calls.end(await begin(), completedWith(1));
    expected += 1;
    const breakpoint = createMessageBreakpoint((request) => !/^prepare|\bSET\b/.test(request));
    const url = await breakpoint.before(services.databaseTcpUrl);
    const { database } = compose({ ...testConfig(url), databasePoolSize: 1 }, time.clock);
    breakpoint.fireAt(step, () => breakpoint.shut());
    await rollUpAll({ database, log: SILENT, portionSize: 10 }).catch(() => {});
    const hasFired = breakpoint.hasFired();
    await closeDatabase(database);
    breakpoint.close();
    return hasFired;
  };
  let step = 1;
  while (await crashAt(step)) {
    expect(total(await ordersOf(), NO_ORDERS).orders).toBe(expected);
    expect(total(await callsOf(), NO_CALLS).completed).toBe(expected);
    step += 1;
  }
  expect(step).toBeGreaterThan(25);
  await rollUp();
  expect(await rolledUpOrders()).toBe(expected);
  await services.expectCleanAudit();
});

test("processes take turns at rolling up, until they are stopped", async () => {
  const others = [1, 2].map(() => compose(testConfig(services.databaseUrl), time.clock));
  const loops = others.map(({ statistics }) => statistics.startRollingUp({ intervalMs: 10 }));
  for (const count of [1, 2, 3]) {
    await place();
    await expect.poll(rolledUpOrders).toBe(count);
  }
  await Promise.all(loops.map((loop) => loop.stop()));
  await place();
  expect(await rolledUpOrders()).toBe(3);
  await Promise.all(others.map(({ database }) => closeDatabase(database)));
});

describe("rebuilding", () => {
  // Ids tell the time of the machine.
  beforeEach(() => time.set(new Date().toISOString()));

  const recent = () => {
    const today = Math.floor(time.clock() / DAY_MS) * DAY_MS;
    return { fromMs: today - 3 * DAY_MS, toMs: today + 3 * DAY_MS };
  };

  test("makes wrong rollups right again, and leaves to rolling up what is new", async () => {
    await place("one", 2, stranger);
    await services.calls.end(await begin("model", stranger), completedWith(3));
    await refund(await place("one", 3));
    await services.calls.end(await begin(), completedWith(7));
    await rollUp();
    await place("two");
    await services.calls.end(await begin(), completedWith(5));
    const own = [accountId];
    await services.database.change(
      "UPDATE order_rollups SET codes = 5, refunds = 0 WHERE account_id = ?",
      own,
    );
    await services.database.change("DELETE FROM call_rollups WHERE account_id = ?", own);
    expect((await services.audit.run()).ok).toBe(false);
    const shares: number[] = [];
    await services.statistics.rebuild(accountId, recent(), (share) => shares.push(share));
    expect(shares).toHaveLength(6);
    expect(shares.at(-1)).toBe(1);
    await services.expectCleanAudit();
    const period = recent();
    const expectFigures = async () => {
      expect(total(await ordersOf({ period }), NO_ORDERS)).toMatchObject({ orders: 2, codes: 4, refunds: 1 });
      expect(total(await callsOf({ period }), NO_CALLS)).toMatchObject({ completed: 2, outputTokens: 12 });
    };
    await expectFigures();
    await rollUp();
    await expectFigures();
  });

  test("a day has what is of its first moment, and leaves to the next what is of that one's", async () => {
    const { fromMs, toMs } = recent();
    const today = fromMs + 3 * DAY_MS;
    time.set(new Date(today).toISOString());
    await place();
    await services.calls.end(await begin(), completedWith(7));
    await rollUp();
    const expectRebuilt = async (period: { fromMs: number; toMs: number }) => {
      await services.statistics.rebuild(accountId, period);
      await services.expectCleanAudit();
      const all = { period: recent() };
      expect(total(await ordersOf(all), NO_ORDERS).orders).toBe(1);
      expect(total(await callsOf(all), NO_CALLS).completed).toBe(1);
    };
    await expectRebuilt({ fromMs, toMs: today });
    await expectRebuilt({ fromMs: today, toMs });
    await expectRebuilt({ fromMs, toMs });
  });

  test("a day has the orders that were written late, and the calls that began on the day before", async () => {
    const today = recent().fromMs + 3 * DAY_MS;
    time.set(new Date(today + 10 * MINUTE_MS).toISOString());
    await place("two");
    time.set(new Date(today - 10 * MINUTE_MS).toISOString());
    await place("one");
    const call = await begin();
    time.set(new Date(today + DAY_MS + 5 * MINUTE_MS).toISOString());
    await services.calls.end(call, completedWith(7));
    await rollUp();
    await services.statistics.rebuild(accountId, recent());
    await services.expectCleanAudit();
    const period = { fromMs: today - DAY_MS, toMs: today + 2 * DAY_MS };
    const days = { period, granularity: "P1D" } as const;
    expect((await ordersOf(days)).map(({ groups }) => groups[0]?.figures.orders)).toEqual([1, 1, 0]);
    expect((await callsOf(days)).map(({ groups }) => groups[0]?.figures.completed)).toEqual([0, 0, 1]);
  });

  test("what is rolled up while it waits for its turn is not lost", async () => {
    await place();
    await rollUp();
    const isWaiting = async () => {
      const sql = `SELECT COUNT(*) AS waiting FROM information_schema.processlist
        WHERE db = DATABASE() AND info LIKE 'INSERT INTO rollup_progress%'`;
      return Number((await services.database.rows<{ waiting: bigint | number }>(sql))[0]?.waiting) > 0;
    };
    const rebuilding = await transaction(services.database, async (tx) => {
      const after = await lockProgress(tx, accountId);
      const { fromMs } = recent();
      const day = { fromMs: fromMs + 3 * DAY_MS, toMs: fromMs + 4 * DAY_MS };
      const begun = { rebuilding: services.statistics.rebuild(accountId, day) };
      await beside(tx, async () => {
        await expect.poll(isWaiting).toBe(true);
        await place();
      });
      const upTo = await lastSequence(tx, accountId);
      await addOrders(tx, accountId, { after, upTo });
      await updateProgress(tx, accountId, upTo);
      return begun;
    });
    await rebuilding.rebuilding;
    expect(await rolledUpOrders()).toBe(2);
    await services.expectCleanAudit();
  });

  test("beside processes that roll up and buyers, nothing is told twice or lost", async () => {
    let isBusy = true;
    const rolling = (async () => {
      while (isBusy) await unlessContended(rollUp(1));
    })();
    const rebuilding = (async () => {
      while (isBusy) await unlessContended(services.statistics.rebuild(accountId, recent()));
    })();
    for (let index = 0; index < 15; index += 1) {
      await place();
      await services.calls.end(await begin(), completedWith(1));
    }
    isBusy = false;
    await Promise.all([rolling, rebuilding]);
    await services.expectCleanAudit();
    const period = recent();
    expect(total(await ordersOf({ period }), NO_ORDERS).orders).toBe(15);
    expect(total(await callsOf({ period }), NO_CALLS).completed).toBe(15);
  });
});

test("what is of a day's first moment is told in that day alone, beside one of 23 hours, rolled up or not", async () => {
  // Midnight in Berlin, at the end of the day on which clocks are changed.
  time.set("2026-03-29T22:00:00Z");
  await place();
  await services.calls.end(await begin(), completedWith(7));
  const period = { fromMs: Date.parse("2026-03-27T23:00:00Z"), toMs: time.clock() + DAY_MS };
  const days = { period, granularity: "P1D", timeZone: "Europe/Berlin" } as const;
  const expectFigures = async () => {
    const orders = (await ordersOf(days)).map(({ groups }) => groups.map(({ figures }) => figures.orders));
    expect(orders).toEqual([[0], [0], [1]]);
    const calls = (await callsOf(days)).map(({ groups }) => groups.map(({ figures }) => figures.completed));
    expect(calls).toEqual([[0], [0], [1]]);
  };
  await expectFigures();
  await rollUp();
  await expectFigures();
});

test("sums that are too large for a double are exact as well", async () => {
  // Added as doubles, one by one, the last two would change nothing.
  const amounts = [2n ** 53n, 1n, 1n];
  for (const [index, amount] of amounts.entries())
    await services.database.change(
      `INSERT INTO call_rollups (account_id, starts_at_ms, key_id, model_id, ${CALL_COLUMNS.join(", ")})
       VALUES (?, ?, 'key', 'model', 1, 0, 0, 0, 0, 0, 0, 0, ?)`,
      [accountId, time.clock() + index * 15 * MINUTE_MS, amount],
    );
  for (const groupBy of [null, "key"] as const) {
    const { amountMicrocents, completed } = total(await callsOf({ groupBy }), NO_CALLS);
    expect([amountMicrocents, completed]).toEqual([2n ** 53n + 2n, amounts.length]);
  }
  // No rows stand behind them.
  await services.database.change("DELETE FROM call_rollups WHERE account_id = ?", [accountId]);
});

test("what cannot be told is refused", async () => {
  const fromMs = Date.parse("2026-03-01");
  const refusals = [
    { timeZone: "Mars/Olympus" },
    { timeZone: "+05:45" },
    { period: { fromMs, toMs: fromMs } },
    { period: { fromMs: fromMs + 1, toMs: fromMs + DAY_MS } },
    { period: { fromMs, toMs: fromMs + 15 * MINUTE_MS + 1 } },
    { period: { fromMs, toMs: fromMs + 105 * DAY_MS }, granularity: "PT15M" },
  ] as const;
  for (const refusal of refusals)
    await expect(ordersOf(refusal)).rejects.toMatchObject({ code: "invalid_input" });
  const unknown: AccountId = `acc_${"0".repeat(32)}`;
  await expect(callsOf({ accountId: unknown })).rejects.toMatchObject({ code: "not_found" });
  await expect(services.statistics.rebuild(unknown, always)).rejects.toMatchObject({ code: "not_found" });
});
