import { afterAll, beforeAll, expect, test } from "vitest";
import { type FixedClock, fixedClock } from "../../testing/fixed-clock.ts";
import { openAs } from "../../testing/test-browser.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

const HOUR_MS = 60 * 60_000;

let time: FixedClock;
let shop: TestShop;
beforeAll(async () => {
  // The ids of what is made tell another time, that of the machine.
  time = fixedClock("2026-03-01T12:00:00Z");
  shop = await startTestShop(time.clock);
});
afterAll(() => shop.stop());

async function openOwner() {
  const accountId = await shop.addAccount();
  return { accountId, browser: await openAs(shop, "owner", accountId) };
}

test("orders and entries are listed by the time at which they were made, page by page", async () => {
  const { accountId, browser } = await openOwner();
  const { key } = await shop.addKey(accountId);
  const ids: string[] = [];
  const moments: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    time.advance(HOUR_MS);
    moments.push(new Date(time.clock()).toISOString());
    const body = { externalOrderId: `o-${index}`, productId: shop.productId, qty: 1 };
    ids.push((await shop.call("/orders", { key, body })).body.orderId);
  }
  const [first = "", second = "", , , fifth = "", last = ""] = moments;
  const path = `/accounts/${accountId}`;
  const read = async (list: "orders" | "ledger", query: string): Promise<string[]> => {
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await browser.ask(`${path}/${list}?limit=2&${query}${cursor}`);
      const rows = list === "orders" ? body.orders : body.entries;
      found.push(...rows.map(({ orderId, reference }: Record<string, string>) => orderId ?? reference));
      if (!body.hasMore) return found;
      cursor = `&cursor=${body.nextCursor}`;
    }
  };
  for (const list of ["orders", "ledger"] as const) {
    expect(await read(list, `from=${second}&to=${last}`)).toEqual(ids.slice(1, 5).toReversed());
    expect(await read(list, `from=${fifth}`)).toEqual(ids.slice(4).toReversed());
    expect(await read(list, `from=${first}&to=${second}`)).toEqual(ids.slice(0, 1));
    expect(await read(list, `from=${last}&to=${first}`)).toEqual([]);
    expect((await read(list, `to=${fifth}`)).slice(0, 4)).toEqual(ids.slice(0, 4).toReversed());
  }
  const byId = (externalOrderId: string) => `externalOrderId=${externalOrderId}&from=${second}&to=${last}`;
  expect(await read("orders", byId("o-1"))).toEqual([ids[1]]);
  expect(await read("orders", byId("o-5"))).toEqual([]);
});

test.each(["2016-12-31T23:59:60Z", "2026-11-01T00:00:00%2B01"])(
  "a moment that no clock of the service shows is told at its field: %s",
  async (moment) => {
    const { accountId, browser } = await openOwner();
    const path = `/accounts/${accountId}`;
    const refusal = (field: string) => ({
      status: 400,
      body: { error: "invalid_input", details: { fields: { [field]: expect.any(String) } } },
    });
    for (const list of ["orders", "ledger", "activity"])
      for (const bound of ["from", "to"])
        expect(await browser.ask(`${path}/${list}?${bound}=${moment}`)).toMatchObject(refusal(bound));
    const period = `from=${moment}&to=2033-01-01T00:00:00Z`;
    for (const question of ["statistics/spend", "exports/ledger", "exports/orders"])
      expect(await browser.ask(`${path}/${question}?${period}`)).toMatchObject(refusal("from"));
    const body = { kind: "general", name: "Desk", expiresAt: decodeURIComponent(moment) };
    const headers = { "Idempotency-Key": "one" };
    expect(await browser.ask(`${path}/keys`, { body, headers })).toMatchObject(refusal("expiresAt"));
  },
);
