import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountId } from "../../ids.ts";
import { subtract } from "../../money/microcents.ts";
import { openAs, type TestBrowser } from "../../testing/test-browser.ts";
import { startTestShop, type TestShop, usd } from "../../testing/test-shop.ts";

const QUARTER_HOUR_MS = 15 * 60_000;
const DAY_MS = 96 * QUARTER_HOUR_MS;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.stop());

/** An account that has placed so many orders; the first is refunded. */
async function addBuyer(count: number): Promise<AccountId> {
  const accountId = await shop.addAccount();
  const { key } = await shop.addKey(accountId);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = { externalOrderId: `=${index}`, productId: shop.productId, qty: 1 };
    ids.push((await shop.call("/orders", { key, body })).body.orderId);
  }
  await shop.orderAdministration.refund(ids[0] as `ord_${string}`, "It was not wanted.");
  return accountId;
}

/** A day before and after now, on quarters of an hour. */
function around(): string {
  const nowMs = Math.floor(Date.now() / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
  const [from, to] = [nowMs - DAY_MS, nowMs + DAY_MS].map((timeMs) => new Date(timeMs).toISOString());
  return `from=${from}&to=${to}`;
}

/** A file's rows, each with its cells, and the headers of the answer. */
async function download(browser: TestBrowser, path: string) {
  const [cookie = ""] = browser.cookie().split(";");
  const url = `${new URL(shop.baseUrl).origin}/account/v1${path}`;
  const response = await fetch(url, { headers: { Cookie: cookie, "Sec-Fetch-Site": "same-origin" } });
  expect(response.status).toBe(200);
  const [heading = "", ...rows] = (await response.text()).trimEnd().split("\r\n");
  return { headers: response.headers, columns: heading.split(","), rows: rows.map((row) => row.split(",")) };
}

test("what was spent is told bucket by bucket, and comes to what the ledger says", async () => {
  const accountId = await addBuyer(3);
  const browser = await openAs(shop, "billing", accountId);
  const path = `/accounts/${accountId}/statistics`;
  const spent = await browser.ask(`${path}/spend?${around()}&granularity=PT1H&timeZone=Asia/Kathmandu`);
  expect(spent).toMatchObject({ status: 200, body: { granularity: "PT1H", timeZone: "Asia/Kathmandu" } });
  const sum = (field: string) =>
    spent.body.buckets
      .map((bucket: Record<string, string>) => usd(bucket[field] ?? ""))
      .reduce((all: bigint, amount: bigint) => all + amount, 0n);
  const { balanceMicrocents } = await shop.accounts.get(accountId);
  const [entry] = (await shop.ledger.list(accountId, 200)).toReversed();
  expect(sum("total")).toBe(subtract(entry?.amountMicrocents ?? usd("0"), balanceMicrocents));
  expect(sum("orders")).toBe(3n * sum("refunds"));
  const byProduct = await browser.ask(`${path}/orders?${around()}&granularity=P1M&groupBy=product`);
  const groups = byProduct.body.buckets.flatMap((bucket: { groups: object[] }) => bucket.groups);
  expect(groups).toMatchObject([{ group: shop.productId, orders: 3, codes: 3, refunds: 1 }]);
  const byKey = await browser.ask(`${path}/calls?${around()}&groupBy=key`);
  expect(byKey.body.buckets.flatMap((bucket: { groups: object[] }) => bucket.groups)).toEqual([]);
});

test.each([
  ["from", "from=2026-11-01T00:01:00Z&to=2026-12-01T00:00:00Z"],
  ["to", "from=2026-11-01T00:00:00Z&to=2026-11-01T00:00:00Z"],
  ["to", "from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00.001Z"],
  ["from", "from=1969-11-01T00:00:00Z&to=2026-11-01T00:00:00Z"],
  ["granularity", "from=2020-11-01T00:00:00Z&to=2026-11-01T00:00:00Z&granularity=PT1H"],
  ["timeZone", "from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z&timeZone=None/Such"],
])("what is wrong with a question is told at its field: %s of %s", async (field, query) => {
  const browser = await openAs(shop, "owner", await shop.addAccount());
  const { accountId } = (await browser.ask("/session")).body.memberships[0];
  expect(await browser.ask(`/accounts/${accountId}/statistics/spend?${query}`)).toMatchObject({
    status: 400,
    body: { error: "invalid_input", details: { fields: { [field]: expect.any(String) } } },
  });
});

test.each([
  ["timeZone", "2026-11?timeZone=None/Such"],
  ["month", "1969-11"],
])("what is wrong with a statement's %s is told at its field", async (field, month) => {
  const accountId = await shop.addAccount();
  const browser = await openAs(shop, "billing", accountId);
  expect(await browser.ask(`/accounts/${accountId}/statements/${month}`)).toMatchObject({
    status: 400,
    body: { error: "invalid_input", details: { fields: { [field]: expect.any(String) } } },
  });
});

test("settings are the usual until they are set, and the overview says when the balance is low", async () => {
  const accountId = await shop.addAccount("50");
  const [billing, developer] = [
    await openAs(shop, "billing", accountId),
    await openAs(shop, "developer", accountId),
  ];
  const owner = await openAs(shop, "owner", accountId);
  const path = `/accounts/${accountId}`;
  const change = (browser: TestBrowser, body: object) =>
    browser.ask(`${path}/settings`, { method: "PATCH", body });
  const overview = async () => (await developer.ask(path)).body;
  expect((await developer.ask(`${path}/settings`)).body).toEqual({ timeZone: "UTC", lowBalance: null });
  expect(await overview()).toMatchObject({ timeZone: "UTC", lowBalance: null, isBalanceLow: false });
  expect(await change(developer, { lowBalance: "1.00" })).toMatchObject({
    status: 403,
    body: { error: "insufficient_scope" },
  });
  expect(await change(billing, { lowBalance: "50.00" })).toMatchObject({
    status: 200,
    body: { timeZone: "UTC", lowBalance: "50.00" },
  });
  expect(await overview()).toMatchObject({ available: "50.00", isBalanceLow: false });
  await change(billing, { lowBalance: "50.0001", timeZone: "Asia/Kathmandu" });
  expect(await overview()).toMatchObject({
    timeZone: "Asia/Kathmandu",
    lowBalance: "50.0001",
    isBalanceLow: true,
  });
  expect(await change(owner, { lowBalance: null })).toMatchObject({
    body: { timeZone: "Asia/Kathmandu", lowBalance: null },
  });
  expect(await change(owner, { timeZone: "None/Such" })).toMatchObject({
    status: 400,
    body: { details: { fields: { timeZone: expect.any(String) } } },
  });
  const { entries } = (await owner.ask(`${path}/activity?action=settings_changed`)).body;
  expect(entries).toHaveLength(3);
});

test("files hold what the lists hold, without codes, notes and formulas", async () => {
  const accountId = await addBuyer(3);
  const browser = await openAs(shop, "owner", accountId);
  const path = `/accounts/${accountId}`;
  await shop.ledger.adjust({
    accountId,
    ...{ amountMicrocents: usd("1"), reference: "=cmd", note: "for the operator" },
  });
  const headers = { "Idempotency-Key": "one" };
  await browser.ask(`${path}/keys`, { body: { kind: "general", name: "=cmd" }, headers });
  const file = (name: string, filter = "") =>
    download(browser, `${path}/exports/${name}?${around()}${filter}`);

  const ledger = await file("ledger");
  expect(ledger.headers.get("content-type")).toBe("text/csv");
  expect(ledger.headers.get("content-disposition")).toBe('attachment; filename="ledger.csv"');
  expect(ledger.headers.get("cache-control")).toBe("no-store");
  const { entries } = (await browser.ask(`${path}/ledger`)).body;
  const amounts = entries.map(({ amount, balanceAfter }: Record<string, string>) => [amount, balanceAfter]);
  expect(ledger.rows.map((cells) => cells.slice(3, 5))).toEqual(amounts.toReversed());
  expect(ledger.rows.at(-1)?.[5]).toBe("'=cmd");
  expect(JSON.stringify(ledger)).not.toContain("for the operator");

  const orders = await file("orders");
  expect(orders.rows.map(([, id]) => id)).toEqual(["'=2", "'=1", "'=0"]);
  expect((await file("usage")).columns).toContain("input_tokens");
  expect((await file("usage")).rows).toEqual([]);
  const activity = await file("activity", "&action=key_created");
  expect(activity.rows.map(([, action, , , , name]) => [action, name])).toEqual([["key_created", "'=cmd"]]);
  expect((await file("activity")).rows.length).toBeGreaterThan(1);
});

test("who may not see a list gets no file of it, and a period that is none is told at its field", async () => {
  const accountId = await shop.addAccount();
  const [developer, billing] = [
    await openAs(shop, "developer", accountId),
    await openAs(shop, "billing", accountId),
  ];
  const statusOf = async (browser: TestBrowser, name: string) =>
    (
      await browser.ask(
        `/accounts/${accountId}/exports/${name}?from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z`,
      )
    ).status;
  const names = ["orders", "ledger", "usage", "activity"];
  const statuses = (browser: TestBrowser) => Promise.all(names.map((name) => statusOf(browser, name)));
  expect(await statuses(developer)).toEqual([400, 403, 400, 403]);
  expect(await statuses(billing)).toEqual([403, 400, 400, 403]);
});
