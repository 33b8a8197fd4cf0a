import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import { negate } from "../money/microcents.ts";
import { addCaller } from "../testing/test-calls.ts";
import { type TestOperator, testOperator } from "../testing/test-operator.ts";
import { openTestServices, TEST_KEY_RING, type TestServices, usd } from "../testing/test-shop.ts";

let services: TestServices;
let operator: TestOperator;
let accountId: AccountId;
beforeAll(async () => {
  services = await openTestServices();
  operator = testOperator(services.databaseUrl, TEST_KEY_RING);
  accountId = await services.addAccount("100");
  const caller = await addCaller(services, accountId);
  const { productId } = await services.addProduct({ price: "2.50" });
  const request = { caller, externalOrderId: randomUUID(), productId, qty: 2, expectedUnitPrice: null };
  await services.orders.place({ ...request, caller: { ...caller, kind: "product_ordering" } });
  const amountMicrocents = negate(usd("1.25"));
  await services.ledger.adjust({ accountId, amountMicrocents, reference: "=fix", note: "twice" });
});
afterAll(() => services.dispose());

// Both of them, should the month change while the tests run.
const thisYear = () => ["--from", "2020-01-01"];
const thisMonth = async () => {
  const [entry] = await services.ledger.list(accountId, 1);
  return new Date(entry?.createdAtMs ?? 0).toISOString().slice(0, 7);
};

test("a statement shows what came in and went out between its balances", async () => {
  const month = await thisMonth();
  const args = ["statement", "show", "--account", accountId, "--month", month];
  expect(await operator.json(args)).toMatchObject({
    accountId,
    from: `${month}-01T00:00:00.000Z`,
    timeZone: "UTC",
    closing: "93.75",
  });
  const { stdout } = await operator.run([...args, "--time-zone", "Asia/Kathmandu"]);
  expect(stdout).toMatch(/\+05:45 \(Asia\/Kathmandu\):\n/);
  expect(stdout).toMatch(/Opening balance[\s\S]*Closing balance/);
});

test("rows are exported as CSV", async () => {
  const ledger = await operator.run(["export", "ledger", "--account", accountId, ...thisYear()]);
  expect(ledger.exitCode).toBe(0);
  const [heading, ...lines] = ledger.stdout.split("\r\n");
  expect(heading).toBe("number,created_at,type,amount_usd,balance_usd,reference,note");
  expect(lines).toHaveLength(4);
  expect(lines[2]).toMatch(/^3,\S+Z,adjustment,-1\.25,93\.75,'=fix,twice$/);
  expect(lines[3]).toBe("");
  const orders = await operator.run(["export", "orders", "--account", accountId, ...thisYear()]);
  expect(orders.stdout.split("\r\n")).toHaveLength(3);
  const calls = await operator.run(["export", "calls", "--account", accountId, ...thisYear()]);
  expect(calls.stdout).toMatch(/^call_id,[a-z_,]+\r\n$/);
});

test("what cannot be shown or exported is refused at its option", async () => {
  const account = ["--account", accountId];
  const refusals: [string[], RegExp][] = [
    [["statement", "show", ...account], /required option '--month <month>'/],
    [["statement", "show", ...account, "--month", "2026-13"], /--month[\s\S]*a month such as 2026-10/],
    [
      ["statement", "show", ...account, "--month", "2026-10", "--time-zone", "Mars"],
      /--time-zone[\s\S]*"Mars"/,
    ],
    [["statement", "show", "--account", "acc_1", "--month", "2026-10"], /acc_ and 32 hex digits/],
    [["export", "ledger", ...account], /required option '--from <date>'/],
    [["export", "orders", ...account, "--from", "1st"], /--from[\s\S]*a day such as 2026-07-01/],
    [["export", "calls", ...account, "--from", "2026-02-02", "--to", "2026-02-01"], /ends before it begins/],
    [["export", "ledger", ...account, "--from", "2026-02-02", "--json"], /CSV, not JSON/],
    [["export", "codes", ...account], /unknown command 'codes'/],
  ];
  for (const [args, message] of refusals) {
    const { exitCode, stdout, stderr } = await operator.run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^Next step: /m);
  }
});
