import { afterEach, beforeEach, expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import { MAX_ACCOUNT_MICROCENTS, microcents } from "../money/microcents.ts";
import { addCaller, addModel, completedWith, fundsOf, mostOutput } from "../testing/test-calls.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";

let services: TestServices;
let accountId: AccountId;
beforeEach(async () => {
  services = await openTestServices();
  accountId = await services.addAccount("0");
});
// Ends with the audit.
afterEach(() => services.dispose());

const topUp = (amount: string, reference: string) =>
  services.ledger.topUp({ accountId, amountMicrocents: usd(amount), reference });
const topUpMicrocents = (amountMicrocents: bigint) =>
  services.ledger.topUp({ accountId, amountMicrocents: microcents(amountMicrocents), reference: "r" });
const adjust = (amountMicrocents: bigint, reference: string, note = "note") =>
  services.ledger.adjust({ accountId, amountMicrocents: microcents(amountMicrocents), reference, note });

test("the same reference returns the first top-up and credits nothing", async () => {
  const first = await topUp("10", "invoice-1");
  const second = await topUp("10.00", "invoice-1");
  expect(first.repeated).toBe(false);
  expect(second).toEqual({ entry: first.entry, repeated: true });
  expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(usd("10"));
});

test.each(["11", "9"])(
  "the same reference with another amount is a conflict: %s instead of 10",
  async (amount) => {
    await topUp("10", "invoice-1");
    await expect(topUp(amount, "invoice-1")).rejects.toMatchObject({ code: "conflict" });
    expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(usd("10"));
  },
);

test("a reference has up to 256 bytes, and a note up to 1,000 characters", async () => {
  expect(await topUp("10", "é".repeat(128))).toMatchObject({ repeated: false });
  await expect(topUp("10", `${"é".repeat(128)}a`)).rejects.toMatchObject({ code: "invalid_input" });
  expect(await adjust(1n, "r", "x".repeat(1_000))).toMatchObject({ repeated: false });
  await expect(adjust(1n, "s", "x".repeat(1_001))).rejects.toMatchObject({ code: "invalid_input" });
});

test("references that differ in case or trailing space are different; each account and type has its own", async () => {
  const other = { accountId: await services.addAccount(), amountMicrocents: usd("1"), reference: "r" };
  expect((await services.ledger.topUp(other)).repeated).toBe(false);
  for (const reference of ["r", "R", "r ", "ŕ"]) expect((await topUp("1", reference)).repeated).toBe(false);
  expect((await adjust(usd("1"), "r")).repeated).toBe(false);
  expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(usd("5"));
});

test("40 parallel top-ups of one reference credit once", async () => {
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => topUp("7", "one")));
  expect(outcomes.filter(({ repeated }) => !repeated)).toHaveLength(1);
  expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(usd("7"));
});

test("an adjustment takes no more than is available, and a top-up takes nothing", async () => {
  await topUp("10", "t");
  await expect(topUpMicrocents(-1n)).rejects.toMatchObject({ code: "invalid_input" });
  await expect(adjust(-usd("10.0001"), "a")).rejects.toMatchObject({ code: "invalid_input" });
  await adjust(-usd("10"), "a");
  expect((await services.accounts.get(accountId)).balanceMicrocents).toBe(0n);
});

test("an adjustment takes nothing of what is set aside for a call", async () => {
  await topUp("10", "t");
  const caller = await addCaller(services, accountId);
  const model = await addModel(services);
  const call = await services.calls.begin({ caller, model, requestId: "r", most: mostOutput(usd("4")) });
  await expect(adjust(-usd("6.0001"), "a")).rejects.toMatchObject({ code: "invalid_input" });
  await adjust(-usd("6"), "a");
  expect(await fundsOf(services, accountId)).toEqual({ balance: usd("4"), reserved: usd("4") });
  await services.calls.end(call, completedWith(Number(usd("4"))));
  expect(await fundsOf(services, accountId)).toEqual({ balance: 0n, reserved: 0n });
});

test("an account holds at most what JSON integers can say exactly", async () => {
  const amountMicrocents = MAX_ACCOUNT_MICROCENTS;
  await services.ledger.topUp({ accountId, amountMicrocents, reference: "all" });
  await expect(topUp("0.0001", "more")).rejects.toMatchObject({ code: "invalid_input" });
  await adjust(-usd("5"), "down");
  await expect(topUp("1", "score")).rejects.toMatchObject({ code: "invalid_input" });
});

test("an adjustment, or a refund, does not lift a balance above what an account may hold", async () => {
  const { productId } = await services.addProduct({ price: "1.00" });
  const caller = await addCaller(services, accountId);
  await services.ledger.topUp({ accountId, amountMicrocents: MAX_ACCOUNT_MICROCENTS, reference: "all" });
  await expect(adjust(1n, "up")).rejects.toMatchObject({ code: "invalid_input" });
  const request = { caller, externalOrderId: "x", productId, qty: 1, expectedUnitPrice: null };
  const { order } = await services.orders.place(request);
  await expect(adjust(usd("1") + 1n, "up")).rejects.toMatchObject({ code: "invalid_input" });
  await adjust(usd("1"), "up");
  await expect(services.orderAdministration.refund(order.orderId, "r")).rejects.toMatchObject({
    code: "conflict",
  });
  expect(await services.orderAdministration.find(order.orderId)).toMatchObject({ status: "delivered" });
  expect(await fundsOf(services, accountId)).toEqual({ balance: MAX_ACCOUNT_MICROCENTS, reserved: 0n });
});

test.each([
  ["a top-up of nothing", () => topUp("0", "r")],
  ["an empty reference", () => topUp("1", " ")],
  ["a reference of 257 bytes", () => topUp("1", "x".repeat(257))],
  ["an adjustment of nothing", () => adjust(0n, "r")],
  ["an adjustment without a note", () => adjust(1n, "r", "")],
  ["an adjustment with a note of 1001 characters", () => adjust(1n, "r", "x".repeat(1_001))],
  ["a top-up that no column could hold", () => topUpMicrocents(2n ** 64n)],
  ["an adjustment that no column could hold", () => adjust(-(2n ** 64n), "r")],
])("%s is refused", async (_name, booking) => {
  await expect(booking()).rejects.toMatchObject({ code: "invalid_input" });
  expect(await services.ledger.list(accountId, 10)).toEqual([]);
});

test("an unknown account is not found", async () => {
  const unknown = {
    accountId: "acc_00000000000000000000000000000000",
    amountMicrocents: usd("1"),
    reference: "r",
  } as const;
  await expect(services.ledger.topUp(unknown)).rejects.toMatchObject({ code: "not_found" });
});

test("entries are listed newest first with the balance after each", async () => {
  await topUp("10", "t");
  await adjust(-usd("4"), "a", "lost parcel");
  expect(await services.ledger.list(accountId, 10)).toMatchObject([
    {
      sequence: 2,
      type: "adjustment",
      amountMicrocents: -usd("4"),
      balanceAfterMicrocents: usd("6"),
      note: "lost parcel",
    },
    {
      sequence: 1,
      type: "top_up",
      amountMicrocents: usd("10"),
      balanceAfterMicrocents: usd("10"),
      reference: "t",
    },
  ]);
  expect(await services.ledger.list(accountId, 1)).toHaveLength(1);
});
