import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import { addCaller, addModel, completedWith, mostOutput } from "../testing/test-calls.ts";
import { type TestOperator, testOperator } from "../testing/test-operator.ts";
import { openTestServices, TEST_KEY_RING, type TestServices } from "../testing/test-shop.ts";

// In the future, so that nothing else is of these days; clocks are put forward on the 28th.
const ORDERED_AT = "2027-03-27T23:30:00Z";
const SUNDAY = ["--from", "2027-03-28", "--to", "2027-03-29"];

let services: TestServices;
let operator: TestOperator;
let accountId: AccountId;
let keyId: string;
beforeAll(async () => {
  services = await openTestServices(() => Date.parse(ORDERED_AT));
  operator = testOperator(services.databaseUrl, TEST_KEY_RING);
  accountId = await services.addAccount("100");
  const caller = await addCaller(services, accountId);
  ({ keyId } = caller);
  const { productId } = await services.addProduct({ productId: "one", price: "2.50" });
  const request = { caller, externalOrderId: randomUUID(), productId, qty: 2, expectedUnitPrice: null };
  const { order } = await services.orders.place({
    ...request,
    caller: { ...caller, kind: "product_ordering" },
  });
  await services.orderAdministration.refund(order.orderId, "test");
  const model = await addModel(services, "large");
  const call = await services.calls.begin({ caller, model, requestId: "r", most: mostOutput(100) });
  await services.calls.end(call, completedWith(7));
});
afterAll(() => services.dispose());

const show = (...options: string[]) => ["statistics", "show", "--account", accountId, ...options];

test("statistics are shown by the days of a zone, with their bounds", async () => {
  const { orders, calls, ...asked } = await operator.json(show(...SUNDAY, "--time-zone", "Europe/Berlin"));
  expect(asked).toEqual({
    accountId,
    from: "2027-03-27T23:00:00.000Z",
    to: "2027-03-28T22:00:00.000Z",
    granularity: "P1D",
    timeZone: "Europe/Berlin",
    groupBy: null,
  });
  const day = { from: "2027-03-27T23:00:00.000Z", to: "2027-03-28T22:00:00.000Z" };
  const bought = { orders: 1, codes: 2, amount: "5.00", refunds: 1, refunded: "5.00" };
  expect(orders).toEqual([{ ...day, groups: [{ group: null, ...bought }] }]);
  expect(calls).toMatchObject([
    { ...day, groups: [{ completed: 1, outputTokens: 7, amount: "0.00000007" }] },
  ]);
  const utc = await operator.json(show(...SUNDAY));
  expect(utc.orders).toMatchObject([{ groups: [{ orders: 0, amount: "0.00" }] }]);
});

test("people see the zone's time, each group and the sum", async () => {
  const berlin = ["--time-zone", "Europe/Berlin"];
  const all = await operator.run(show(...SUNDAY, ...berlin));
  expect(all.stdout).toMatch(/^Orders:\nFrom +Orders +Codes/);
  expect(all.stdout).toMatch(/2027-03-28T00:00:00\+01:00 +1 +2 +5\.00 +1 +5\.00\nTotal +1 +2 +5\.00/);
  expect(all.stdout).toMatch(/Calls:\nFrom +Completed[\s\S]*Times are those of Europe\/Berlin\.\n$/);
  const hourly = ["--granularity", "PT1H", "--group-by"];
  const byProduct = await operator.run(show(...SUNDAY, ...berlin, ...hourly, "product"));
  expect(byProduct.stdout).toMatch(/From +product[\s\S]*T00:00:00\+01:00 +one +1 +2 +5\.00/);
  expect(byProduct.stdout).not.toContain("Calls:");
  const byModel = await operator.run(show(...SUNDAY, ...berlin, ...hourly, "model"));
  expect(byModel.stdout).toMatch(/T00:00:00\+01:00 +large +1/);
  const { calls } = await operator.json(show(...SUNDAY, ...berlin, ...hourly, "key"));
  expect(calls).toHaveLength(23);
  expect(calls[0].groups).toMatchObject([{ group: keyId, completed: 1 }]);
  const nothing = await operator.run(show("--from", "2020-01-01", "--to", "2020-01-02", "--group-by", "key"));
  expect(nothing.stdout).toMatch(/^Calls:\nNone\.\n/);
});

test("statistics are rebuilt from the rows", async () => {
  await services.statistics.rollUp();
  await services.database.change("UPDATE order_rollups SET codes = 5");
  const rebuild = ["statistics", "rebuild", "--account", accountId, "--from", "2027-03-27"];
  const ran = await operator.run([...rebuild, "--to", "2027-03-29"], { isTTY: true });
  expect(ran.exitCode).toBe(0);
  expect(ran.stdout).toMatch(/from 2027-03-27T00:00:00.000Z to 2027-03-29T00:00:00.000Z were made anew/);
  expect(ran.stderr).toMatch(/100% of the days/);
  const { orders } = await operator.json(show("--from", "2027-03-27", "--to", "2027-03-28"));
  expect(orders).toMatchObject([{ groups: [{ codes: 2 }] }]);
  // The call's id is of today, so that it is not found among those of these days.
  await services.database.change("DELETE FROM call_rollups");
  await services.database.change("UPDATE calls SET rollup_due = 1");
});

test("what cannot be shown is refused at its option", async () => {
  const refusals: [string[], RegExp][] = [
    [["statistics", "show", "--from", "2027-01-01"], /required option '--account <id>'/],
    [show(), /required option '--from <date>'/],
    [show("--from", "yesterday"), /--from[\s\S]*a day such as 2026-07-01/],
    [show("--from", "2027-02-30"), /--from[\s\S]*a day such as 2026-07-01/],
    [show(...SUNDAY, "--granularity", "P1W"), /--granularity[\s\S]*PT15M, PT1H, P1D, P1M/],
    [show(...SUNDAY, "--time-zone", "Mars"), /--time-zone[\s\S]*no time zone "Mars"/],
    [show(...SUNDAY, "--group-by", "day"), /--group-by[\s\S]*product, key, model/],
    [show("--from", "2026-03-28T00:01:00Z"), /on a quarter of an hour/],
    [show("--from", "2027-03-28", "--to", "2027-03-28"), /ends before it begins/],
    [show("--from", "2000-01-01", "--granularity", "PT1H"), /more than 10000 buckets/],
    [["statistics", "show", "--account", `acc_${"0".repeat(32)}`, ...SUNDAY], /There is no account "acc_0/],
  ];
  for (const [args, message] of refusals) {
    const { exitCode, stdout, stderr } = await operator.run(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^Next step: /m);
  }
});
