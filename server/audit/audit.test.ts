import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closeDatabase } from "../database/database.ts";
import { linesOf, openTestServices, type TestServices, usd } from "../testing/test-shop.ts";
import { CHECKS } from "./checks.ts";

let services: TestServices;
beforeEach(async () => {
  services = await openTestServices();
  const accountId = await services.addAccount("100");
  const { key } = await services.addKey(accountId);
  const caller = await services.keys.authenticate(key);
  if (caller === null) throw new Error("the key is not known");
  await services.ledger.adjust({ accountId, amountMicrocents: usd("3"), reference: "a", note: "n" });
  for (const productId of ["one", "two"]) {
    await services.addProduct({ productId, codes: 4 });
    await services.stock.import(productId, linesOf(["S-1", "S-2", "S-3", "S-4"]));
    for (const qty of [1, 4, 1]) {
      const request = { caller, externalOrderId: randomUUID(), productId, qty, expectedUnitPrice: null };
      const { order } = await services.orders.place(request);
      if (qty === 4) await services.orders.refund(order.orderId, "test");
    }
  }
});
// No audit at the end: every test breaks the books on purpose.
afterEach(() => closeDatabase(services.database));

async function failing(): Promise<string[]> {
  const { ok, checks } = await services.audit.run();
  const names = checks.filter((check) => !check.ok).map(({ name }) => name);
  expect(ok).toBe(names.length === 0);
  return names;
}

test("books that were kept by the service pass every check", async () => {
  expect(await failing()).toEqual([]);
});

const BREAKS: Record<string, string> = {
  balance_is_the_sum_of_its_entries: "UPDATE accounts SET balance_microcents = balance_microcents + 1",
  ledger_has_no_gaps_and_adds_up: "UPDATE ledger_entries SET sequence = sequence + 100 WHERE sequence >= 3",
  reserved_is_the_sum_of_open_holds: "UPDATE accounts SET reserved_microcents = 1",
  score_is_the_sum_of_top_ups: "UPDATE accounts SET score_microcents = score_microcents - 1",
  amount_is_unit_price_times_quantity: "UPDATE orders SET unit_price_microcents = 7 WHERE qty = 4",
  delivered_orders_have_their_codes: "UPDATE orders SET qty = 2 WHERE qty = 1",
  code_ranges_have_their_order:
    "UPDATE order_code_ranges SET order_id = 'ord_none' WHERE first_sequence = 0 AND product_id = 'one'",
  no_code_is_on_two_orders:
    "UPDATE order_code_ranges SET end_sequence = end_sequence + 1 WHERE first_sequence = 0",
  ordered_codes_were_taken_from_segments:
    "UPDATE stock_segments SET next_sequence = 5 WHERE first_sequence = 4",
  codes_taken_from_segments_are_on_orders: "DELETE FROM order_code_ranges WHERE first_sequence = 0",
  segments_follow_each_other: "UPDATE stock_segments SET first_sequence = 5 WHERE first_sequence = 4",
  segments_have_their_codes: "DELETE FROM codes WHERE sequence = 2",
  charged_orders_have_one_charge: "UPDATE ledger_entries SET amount_microcents = -1 WHERE type = 'order'",
  refunded_orders_have_one_refund: "DELETE FROM ledger_entries WHERE type = 'refund'",
  charges_and_refunds_have_their_order: "DELETE FROM orders WHERE qty = 4",
  daily_spend_is_the_sum_of_orders: "UPDATE key_daily_spend SET spent_microcents = 0",
};

test("every check has a way to break it", () => {
  expect(Object.keys(BREAKS).toSorted()).toEqual(Object.keys(CHECKS).toSorted());
});

test.each(Object.entries(BREAKS))("%s fails when it is broken", async (name, sql) => {
  expect(await services.database.change(sql)).toBeGreaterThan(0);
  expect(await failing()).toContain(name);
});

test.each([
  [
    "a code beyond the last segment",
    "segments_have_their_codes",
    "UPDATE codes SET sequence = 99 WHERE sequence = 7",
  ],
  [
    "a charge for an order that is not there",
    "charges_and_refunds_have_their_order",
    `INSERT INTO ledger_entries
     SELECT account_id, 99, type, amount_microcents, 0, CONCAT(reference, 'x'), note, 0
     FROM ledger_entries WHERE type = 'order' LIMIT 1`,
  ],
  [
    "a balance after an entry that does not add up",
    "ledger_has_no_gaps_and_adds_up",
    "UPDATE ledger_entries SET balance_after_microcents = 1 WHERE sequence = 2",
  ],
  [
    "a failed order with codes",
    "delivered_orders_have_their_codes",
    "UPDATE orders SET status = 'failed' WHERE qty = 1",
  ],
  [
    "a failed order with a charge",
    "charged_orders_have_one_charge",
    "UPDATE orders SET status = 'failed' WHERE qty = 1",
  ],
])("%s is found", async (_name, check, sql) => {
  expect(await services.database.change(sql)).toBeGreaterThan(0);
  expect(await failing()).toContain(check);
});
