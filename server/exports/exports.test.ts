import { afterEach, beforeEach, expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { negate } from "../money/microcents.ts";
import type { Period } from "../statistics/buckets.ts";
import { addCaller, addModel, completedWith, mostOutput } from "../testing/test-calls.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";
import { createExports } from "./exports.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const PAGE_SIZE = 3;

let nowMs: number;
let services: TestServices;
let accountId: AccountId;
let caller: Caller;
let productId: string;
beforeEach(async () => {
  // Ids tell the time of the machine.
  nowMs = Date.now();
  services = await openTestServices(() => nowMs);
  accountId = await services.addAccount("100");
  caller = { ...(await addCaller(services, accountId)), kind: "product_ordering" };
  ({ productId } = await services.addProduct({ codes: 100 }));
});
// Ends with the audit.
afterEach(() => services.dispose());

const exports = () => createExports({ ...services, pageSize: PAGE_SIZE });

/** The cells of a file without its heading; nothing in the tests needs quotes. */
async function rowsOf(file: AsyncIterable<string>): Promise<string[][]> {
  const pieces = await Array.fromAsync(file);
  const [, ...lines] = pieces.join("").split("\r\n").slice(0, -1);
  return lines.map((line) => line.split(","));
}

const period = (fromMs: number, toMs = nowMs + DAY_MS) => ({ fromMs, toMs });
const always = () => period(nowMs - 10 * DAY_MS);

async function place(externalOrderId: string) {
  const request = { caller, externalOrderId, productId, qty: 1, expectedUnitPrice: null };
  return (await services.orders.place(request)).order;
}

test("a file of the ledger has every entry of the period, oldest first, and files follow each other", async () => {
  for (let index = 0; index < 7; index += 1) await place(`${index}`);
  nowMs += 1_000;
  const middleMs = nowMs;
  await services.ledger.adjust({
    accountId,
    amountMicrocents: negate(usd("3.5")),
    reference: "=cmd",
    note: "-1 for a friend",
  });
  const rows = await rowsOf(exports().ledger(accountId, always(), "buyer"));
  expect(rows.map(([number]) => number)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  const createdAt = new Date(middleMs).toISOString();
  expect(rows[8]).toEqual(["9", createdAt, "adjustment", "-3.50", "89.50", "'=cmd"]);
  const noted = await rowsOf(exports().ledger(accountId, always(), "operator"));
  expect(noted[8]).toEqual([...(rows[8] as string[]), "'-1 for a friend"]);
  const first = await rowsOf(exports().ledger(accountId, period(0, middleMs), "buyer"));
  expect([...first, ...(await rowsOf(exports().ledger(accountId, period(middleMs), "buyer")))]).toEqual(rows);
  expect(await rowsOf(exports().ledger(accountId, period(nowMs + 1), "buyer"))).toEqual([]);
});

test("a file of orders has those of the period in any state, newest first, without codes", async () => {
  const old = await place("+1");
  nowMs += 1_000;
  const refunded = await place("refunded");
  await services.orderAdministration.refund(refunded.orderId, "test");
  for (let index = 0; index < 5; index += 1) await place(`${index}`);
  const rows = await rowsOf(exports().orders(accountId, always()));
  expect(rows.map(([, id]) => id)).toEqual(["4", "3", "2", "1", "0", "refunded", "'+1"]);
  const at = new Date(nowMs).toISOString();
  const name = `Product ${productId}`;
  const product = [productId, name, "1", "1.00", "1.00", caller.keyId];
  expect(rows[5]).toEqual([refunded.orderId, "refunded", at, "refunded", "", ...product, at, at]);
  expect(await rowsOf(exports().orders(accountId, period(nowMs)))).toEqual(rows.slice(0, 6));
  expect((await rowsOf(exports().orders(accountId, period(0, nowMs))))[0]?.[0]).toBe(old.orderId);
  const { codes } = await services.orders.get(accountId, old.orderId);
  const text = (await Array.fromAsync(exports().orders(accountId, always()))).join("");
  for (const code of codes) expect(text).not.toContain(code);
});

test("a file of calls has those of the period, also one that runs, newest first", async () => {
  const model = await addModel(services, "large");
  const begin = () => services.calls.begin({ caller, model, requestId: "@r", most: mostOutput(100) });
  const calls = [await begin(), await begin(), await begin(), await begin()];
  const [first] = calls;
  if (first === undefined) throw new Error("There is no call.");
  await services.calls.end(first, completedWith(7));
  const rows = await rowsOf(exports().calls(accountId, always()));
  expect(rows.map(([id]) => id)).toEqual(calls.map(({ callId }) => callId).toReversed());
  const at = new Date(nowMs).toISOString();
  const tokens = ["0", "7", "0", "0"];
  const ended = [at, at, "large", "completed", "false", ...tokens, "0.00000007", "99.99999993"];
  expect(rows[3]).toEqual([first.callId, ...ended, caller.keyId, "'@r"]);
  expect(rows[0]?.slice(2, 5)).toEqual(["", "large", "running"]);
  for (const { callId } of calls.slice(1)) {
    const rest = calls.find((call) => call.callId === callId);
    if (rest !== undefined) await services.calls.end(rest, completedWith(1));
  }
});

test.each([-HOUR_MS, HOUR_MS])(
  "rows are found by their own times, not by those of their ids, %i ms apart",
  async (aheadMs) => {
    nowMs += aheadMs;
    const model = await addModel(services);
    const { orderId } = await place("a");
    const call = await services.calls.begin({ caller, model, requestId: "r", most: mostOutput(100) });
    await services.calls.end(call, completedWith(1));
    const moment = period(nowMs, nowMs + 1);
    const idsIn = async (file: AsyncIterable<string>) => (await rowsOf(file)).map(([id]) => id);
    expect(await idsIn(exports().orders(accountId, moment))).toEqual([orderId]);
    expect(await idsIn(exports().calls(accountId, moment))).toEqual([call.callId]);
  },
);

test("no more is read than the reader takes, and other accounts' rows are in no file", async () => {
  for (let index = 0; index < 8; index += 1) await place(`${index}`);
  for (const file of [
    exports().ledger(accountId, always(), "buyer"),
    exports().orders(accountId, always()),
  ]) {
    const heading = await file.next();
    expect(heading.value).toMatch(/^[a-z_]+(,[a-z_]+)+\r\n$/);
    const page = await file.next();
    expect(page.value?.split("\r\n")).toHaveLength(PAGE_SIZE + 1);
    await file.return(undefined);
  }
  const other = await services.addAccount("7");
  for (const file of [exports().orders, exports().calls])
    expect(await rowsOf(file(other, always()))).toEqual([]);
  const topUp = ["1", expect.any(String), "top_up", "7.00", "7.00"];
  expect(await rowsOf(exports().ledger(other, always(), "buyer"))).toEqual([expect.arrayContaining(topUp)]);
  expect(await rowsOf(exports().ledger(accountId, always(), "buyer"))).toHaveLength(9);
});

test("what cannot be exported is refused with the first piece", async () => {
  const unknown: AccountId = `acc_${"0".repeat(32)}`;
  const ledger = (id: AccountId, during: Period) => exports().ledger(id, during, "buyer");
  for (const file of [ledger, exports().orders, exports().calls]) {
    await expect(file(unknown, always()).next()).rejects.toMatchObject({ code: "not_found" });
    await expect(file(accountId, period(5, 5)).next()).rejects.toMatchObject({ code: "invalid_input" });
  }
});
