import { randomUUID } from "node:crypto";
import { createConnection } from "mysql2/promise";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { closeDatabase } from "../database/database.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { CALL_COLUMNS, ORDER_COLUMNS } from "../statistics/counted-rows-store.ts";
import {
  copyTestDatabase,
  createTestDatabase,
  type TestDatabase,
} from "../testing/database/test-database.ts";
import { addCaller, addModel, completedWith, mostOutput, outputOf } from "../testing/test-calls.ts";
import { linesOf, openTestServicesOn, type TestServices, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";
import { createAudit } from "./audit.ts";
import { CHECKS } from "./checks.ts";

let services: TestServices;
let simulator: SupplierSimulator;
/** Books with everything in them that is checked. */
let books: TestDatabase;
beforeAll(async () => {
  simulator = await startSupplierSimulator();
  books = await createTestDatabase();
  services = openTestServicesOn(books);
  await keepBooks();
  // What is under way there comes to no end any more.
  await closeDatabase(services.database);
});
afterAll(async () => {
  await simulator.close();
  await books.drop();
});

let database: TestDatabase;
beforeEach(async () => {
  database = await copyTestDatabase(books);
  services = openTestServicesOn(database);
});
// No audit at the end: every test breaks the books on purpose.
afterEach(async () => {
  await closeDatabase(services.database);
  await database.drop();
});

async function keepBooks(): Promise<void> {
  const accountId = await services.addAccount("100");
  const { key, keyId } = await services.addKey(accountId);
  await services.keys.rotate(keyId, 60_000);
  const caller = await services.keys.authenticate(key);
  if (caller === null) throw new Error("the key is not known");
  await services.ledger.adjust({ accountId, amountMicrocents: usd("3"), reference: "a", note: "n" });
  const place = (productId: string, qty: number) => {
    const request = { caller, externalOrderId: randomUUID(), productId, qty, expectedUnitPrice: null };
    return services.orders.place(request);
  };
  for (const productId of ["one", "two"]) {
    await services.addProduct({ productId, codes: 4 });
    await services.stock.import(productId, linesOf(["S-1", "S-2", "S-3", "S-4"]));
    for (const qty of [1, 4, 1]) {
      const { order } = await place(productId, qty);
      if (qty === 4) await services.orderAdministration.refund(order.orderId, "test");
    }
  }
  await placeOnDemand(place);
  await makeCalls();
  await services.statistics.rollUp();
}

/** An on-demand order in every state, of three codes each. */
async function placeOnDemand(
  place: (productId: string, qty: number) => Promise<{ order: { orderId: `ord_${string}` } }>,
): Promise<void> {
  const { productId } = await addOnDemandProduct(services, { simulator });
  await place(productId, 3);
  await services.orderAdministration.refund((await place(productId, 3)).order.orderId, "test");
  simulator.nextPurchases({ kind: "refuse", code: "out_of_stock" });
  await expect(place(productId, 3)).rejects.toMatchObject({ code: "out_of_stock" });
  simulator.nextPurchases("closed");
  await expect(place(productId, 3)).rejects.toMatchObject({ code: "idempotency_conflict" });
  simulator.nextPurchases("hang_before");
  place(productId, 3).catch(() => {});
  const arrived = async () => (await services.orderAdministration.countUnfinished()).processing === 1;
  await vi.waitUntil(arrived, { timeout: 600_000 });
  expect(await services.orderAdministration.countUnfinished()).toMatchObject({ processing: 1, retryable: 1 });
}

/** Calls of another account: one that was charged, one that was not, one that runs. */
async function makeCalls(): Promise<void> {
  const caller = await addCaller(services, await services.addAccount("1"));
  const model = await addModel(services);
  const begin = () => services.calls.begin({ caller, model, requestId: "r", most: mostOutput(100) });
  await services.calls.end(await begin(), completedWith(7));
  const refused = { outcome: "rejected", usage: null, estimated: false, upstreamRequestId: null } as const;
  await services.calls.end(await begin(), refused);
  await services.calls.record(await begin(), outputOf(3));
  const further = {
    cacheWriteHourTokens: 0,
    toolUses: {},
    speed: null,
    inferenceGeo: null,
    serviceTier: null,
  };
  const run = { ...outputOf(0), type: "compaction", modelId: null, inputTokens: 4, cacheWriteHourTokens: 0 };
  await services.calls.end(await begin(), {
    ...completedWith(7),
    usage: { ...outputOf(7), inputTokens: 3, further: { ...further, iterations: [run], unknown: [] } },
  });
}

/** The checks that fail, read in portions as small as they can be. */
const failing = () => failingBy(oneByOne());

const oneByOne = () => createAudit({ database: services.database, portionSize: 1 });

async function failingBy(audit: Pick<TestServices["audit"], "run">): Promise<string[]> {
  const { ok, checks } = await audit.run();
  const names = checks.filter((check) => !check.ok).map(({ name }) => name);
  expect(ok).toBe(names.length === 0);
  return names;
}

test("books that were kept by the service pass every check, however they are divided", async () => {
  expect(await failing()).toEqual([]);
  expect(await failingBy(services.audit)).toEqual([]);
});

const BREAKS: Record<string, string> = {
  balance_is_the_sum_of_its_entries: "UPDATE accounts SET balance_microcents = balance_microcents + 1",
  ledger_has_no_gaps_and_adds_up: "UPDATE ledger_entries SET sequence = sequence + 100 WHERE sequence >= 3",
  reserved_is_the_sum_of_what_is_held: "UPDATE accounts SET reserved_microcents = 1",
  holds_are_as_their_orders: "UPDATE holds SET state = 'released' WHERE state = 'settled'",
  calls_are_as_their_outcome: "UPDATE calls SET lease_expires_at_ms = NULL",
  calls_cost_what_their_tokens_do: "UPDATE calls SET cache_read_tokens = 1000001 WHERE outcome = 'completed'",
  itemized_calls_cost_what_their_items_do:
    "UPDATE call_bill_items SET factor_millionths = 1 WHERE kind = 'input'",
  items_cover_the_tokens_of_their_call: "UPDATE calls SET cache_read_tokens = 1 WHERE itemized = 1",
  bill_items_have_their_call: "UPDATE call_bill_items SET call_id = 'call_other'",
  charged_calls_have_one_charge: "UPDATE ledger_entries SET amount_microcents = -8 WHERE type = 'call'",
  call_charges_have_their_call:
    "UPDATE calls SET call_id = 'call_other' WHERE outcome = 'completed' AND itemized = 0",
  on_demand_orders_have_hold_and_purchase: "DELETE FROM holds WHERE state = 'open'",
  purchases_are_as_their_orders: "UPDATE purchases SET due_at_ms = NULL",
  supplier_orders_are_on_one_order:
    "UPDATE purchases SET supplier_order_id = 'same' WHERE supplier_order_id IS NOT NULL",
  purchased_codes_have_their_order: "DELETE FROM purchases WHERE supplier_order_id IS NOT NULL",
  orders_are_as_their_status: "UPDATE orders SET error_code = 'out_of_stock' WHERE status = 'delivered'",
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
  order_rollups_are_as_the_ledger: "DELETE FROM order_rollups WHERE product_id = 'one'",
  call_rollups_are_as_the_calls: "DELETE FROM call_rollups",
  rollups_are_not_ahead_of_the_rows: "UPDATE rollup_progress SET ledger_sequence = ledger_sequence + 1",
  daily_spend_is_of_a_key: "UPDATE key_daily_spend SET key_id = 'key_none'",
  former_secrets_are_of_a_key: "UPDATE former_secrets SET key_id = 'key_none'",
};

test("beside orders, calls and a migration the books agree whenever they are looked at", async () => {
  const { productId } = await services.addProduct({ price: "0.01", codes: 400 });
  const model = await addModel(services, "busy");
  const buy = async () => {
    const accountId = await services.addAccount("1");
    const caller = await addCaller(services, accountId);
    for (let index = 0; index < 20; index += 1) {
      const request = { caller, externalOrderId: `${index}`, productId, qty: 2, expectedUnitPrice: null };
      const { order } = await services.orders.place(request);
      if (index % 5 === 0) await services.orderAdministration.refund(order.orderId, "test");
      const call = await services.calls.begin({ caller, model, requestId: "r", most: mostOutput(100) });
      await services.calls.end(call, completedWith(7));
    }
  };
  const alter = (change: string) => {
    const altering = () => services.database.change(`ALTER TABLE products ${change}`);
    return expect.poll(() => altering().catch(() => null)).not.toBeNull();
  };
  const migrate = async () => {
    await alter("ADD COLUMN passing INT NULL");
    await alter("DROP COLUMN passing");
  };
  let isBusy = true;
  const work = Promise.all([...Array.from({ length: 8 }, buy), migrate()]).finally(() => {
    isBusy = false;
  });
  const found = new Set<string>();
  while (isBusy) for (const name of await failing()) found.add(name);
  await work;
  expect([...found]).toEqual([]);
  expect(await failing()).toEqual([]);
});

test("who waits for a table that the audit has read does not wait for the audit", async () => {
  const other = await createConnection(services.databaseUrl);
  await other.query("LOCK TABLES purchases WRITE");
  const auditing = failingBy(services.audit);
  const waiting =
    "SELECT COUNT(*) AS waiting FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE 'Waiting for table %lock'";
  await expect.poll(async () => (await services.database.rows(waiting))[0]).toEqual({ waiting: 1n });
  await services.database.change("ALTER TABLE ledger_entries COMMENT 'changed'");
  await other.end();
  expect(await auditing).toEqual([]);
});

test("every check has a way to break it", () => {
  expect(Object.keys(BREAKS).toSorted()).toEqual(Object.keys(CHECKS).toSorted());
});

test.each(Object.entries(BREAKS))("%s fails when it is broken", async (name, sql) => {
  expect(await services.database.change(sql)).toBeGreaterThan(0);
  expect(await failing()).toContain(name);
});

const FIGURES = {
  order_rollups: ORDER_COLUMNS,
  call_rollups: CALL_COLUMNS,
};

test.each(Object.entries(FIGURES))(
  "one too many of any figure in the %s is found",
  async (table, columns) => {
    const change = (column: string, by: number) =>
      services.database.change(`UPDATE ${table} SET ${column} = ${column} + ${by}`);
    for (const column of columns) {
      expect(await change(column, 1)).toBeGreaterThan(0);
      expect(await failing(), column).toEqual([expect.stringMatching(`^${table}`)]);
      await change(column, -1);
    }
  },
);

test("the rows that break a check are told of all portions", async () => {
  await services.addAccount();
  const changed = await services.database.change("UPDATE accounts SET balance_microcents = 1");
  expect(changed).toBeGreaterThan(1);
  const [check] = (await oneByOne().run()).checks.filter(({ ok }) => !ok);
  expect(check).toMatchObject({ name: "balance_is_the_sum_of_its_entries", rows: { length: changed } });
});

test.each([
  [
    "a call that runs and is in the rollups",
    "rollups_are_not_ahead_of_the_rows",
    "UPDATE calls SET rollup_due = NULL WHERE outcome IS NULL",
  ],
  [
    "a call that is in the rollups and to be added to them",
    "call_rollups_are_as_the_calls",
    "UPDATE calls SET rollup_due = 1 WHERE outcome = 'rejected'",
  ],
  [
    "an order that is in the rollups and to be added to them",
    "order_rollups_are_as_the_ledger",
    "UPDATE rollup_progress SET ledger_sequence = 0",
  ],
  [
    "a rollup of another quarter of an hour",
    "order_rollups_are_as_the_ledger",
    "UPDATE order_rollups SET starts_at_ms = starts_at_ms + 900000",
  ],
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
  ...Object.entries({
    "a hold of another amount than its order": [
      "holds_are_as_their_orders",
      "UPDATE holds SET amount_microcents = amount_microcents + 1 WHERE state = 'settled'",
    ],
    "a retryable order that still holds its amount": [
      "holds_are_as_their_orders",
      `UPDATE holds SET state = 'open', closed_at_ms = NULL
       WHERE reference = (SELECT order_id FROM orders WHERE status = 'retryable')`,
    ],
    "a processing order that holds nothing any more": [
      "holds_are_as_their_orders",
      "UPDATE holds SET state = 'released', closed_at_ms = 1 WHERE state = 'open'",
    ],
    "a hold for no order": [
      "holds_are_as_their_orders",
      "UPDATE holds SET reference = 'ord_none' WHERE state = 'open'",
    ],
    "a hold on another account": [
      "holds_are_as_their_orders",
      "UPDATE holds SET account_id = 'acc_other' WHERE state = 'settled'",
    ],
    "a hold that was closed at no time": [
      "holds_are_as_their_orders",
      "UPDATE holds SET closed_at_ms = NULL WHERE state = 'settled'",
    ],
    "a processing order without a purchase": [
      "on_demand_orders_have_hold_and_purchase",
      "DELETE FROM purchases WHERE leased = 1",
    ],
    "a former secret that works for longer than it may": [
      "former_secrets_are_of_a_key",
      "UPDATE former_secrets SET works_until_ms = replaced_at_ms + 604800001",
    ],
    "a former secret that is the present one": [
      "former_secrets_are_of_a_key",
      `UPDATE former_secrets s JOIN api_keys k ON k.key_id = s.key_id SET s.secret_hash = k.secret_hash`,
    ],
    "an order from stock with a hold": [
      "on_demand_orders_have_hold_and_purchase",
      `INSERT INTO holds SELECT account_id, order_id, 'settled', amount_microcents, 0, 0
       FROM orders WHERE status = 'delivered' AND product_id = 'one' LIMIT 1`,
    ],
    "an order with codes from stock and a purchase": [
      "on_demand_orders_have_hold_and_purchase",
      `INSERT INTO order_code_ranges SELECT order_id, 'two', 900, 901 FROM orders WHERE status = 'processing'`,
    ],
    "a purchase for no order": ["purchases_are_as_their_orders", "DELETE FROM orders WHERE qty = 3"],
    "a processing order that nobody will look at": [
      "purchases_are_as_their_orders",
      "UPDATE purchases SET due_at_ms = NULL WHERE leased = 1",
    ],
    "a retryable order that is never closed": [
      "purchases_are_as_their_orders",
      "UPDATE purchases SET due_at_ms = NULL WHERE leased = 0 AND due_at_ms > 0",
    ],
    "a retryable order that somebody has taken up": [
      "purchases_are_as_their_orders",
      "UPDATE purchases SET leased = 1 WHERE due_at_ms > 0 AND leased = 0",
    ],
    "a delivered order that somebody is still to look at": [
      "purchases_are_as_their_orders",
      "UPDATE purchases SET due_at_ms = 1 WHERE supplier_order_id IS NOT NULL",
    ],
    "a delivered order with a request in doubt": [
      "purchases_are_as_their_orders",
      "UPDATE purchases SET unconfirmed_since_ms = 1 WHERE supplier_order_id IS NOT NULL",
    ],
    "a processing order without a request in doubt": [
      "purchases_are_as_their_orders",
      "UPDATE purchases SET unconfirmed_since_ms = NULL WHERE leased = 1",
    ],
    "a delivered order without its supplier's order": [
      "purchases_are_as_their_orders",
      "UPDATE purchases SET supplier_order_id = NULL WHERE supplier_order_id IS NOT NULL",
    ],
    "a purchased code that went missing": [
      "delivered_orders_have_their_codes",
      "DELETE FROM purchased_codes WHERE position = 2",
    ],
    "codes of a retryable order": [
      "delivered_orders_have_their_codes",
      `UPDATE purchased_codes SET position = position + 3,
         order_id = (SELECT order_id FROM orders WHERE status = 'retryable')
       WHERE order_id = (SELECT order_id FROM orders WHERE status = 'delivered' AND qty = 3)`,
    ],
    "a gap between the places of purchased codes": [
      "purchased_codes_have_their_order",
      "UPDATE purchased_codes SET position = 7 WHERE position = 2",
    ],
    "a charge for a processing order": [
      "charged_orders_have_one_charge",
      `INSERT INTO ledger_entries
       SELECT account_id, 99, 'order', -amount_microcents, 0, order_id, NULL, 0 FROM orders WHERE status = 'processing'`,
    ],
    "spend that was not given back with a hold": [
      "daily_spend_is_the_sum_of_orders",
      `UPDATE key_daily_spend SET spent_microcents = spent_microcents +
         (SELECT amount_microcents FROM orders WHERE status = 'retryable')`,
    ],
    "a retryable order that does not say why": [
      "orders_are_as_their_status",
      "UPDATE orders SET error_code = NULL WHERE status = 'retryable'",
    ],
    "a hold for a call": [
      "holds_are_as_their_orders",
      `INSERT INTO holds SELECT account_id, call_id, 'open', hold_microcents, 0, NULL FROM calls
       WHERE outcome IS NULL`,
    ],
    "a call that runs and holds nothing any more": [
      "reserved_is_the_sum_of_what_is_held",
      "UPDATE calls SET hold_microcents = 0 WHERE outcome IS NULL",
    ],
    "a call that ended and holds money again": [
      "reserved_is_the_sum_of_what_is_held",
      `UPDATE calls SET outcome = NULL, ended_at_ms = NULL, lease_expires_at_ms = 1 WHERE outcome = 'rejected'`,
    ],
    "a call that runs on another account": [
      "reserved_is_the_sum_of_what_is_held",
      "UPDATE calls SET account_id = 'acc_other' WHERE outcome IS NULL",
    ],
    "a call that runs and that nobody would ever end": [
      "calls_are_as_their_outcome",
      "UPDATE calls SET lease_expires_at_ms = NULL WHERE outcome IS NULL",
    ],
    "a call that ended and would be ended again": [
      "calls_are_as_their_outcome",
      "UPDATE calls SET lease_expires_at_ms = 1 WHERE outcome = 'completed'",
    ],
    "a call that ended at no time": [
      "calls_are_as_their_outcome",
      "UPDATE calls SET ended_at_ms = NULL WHERE outcome = 'completed'",
    ],
    "a call that runs and has an amount": [
      "calls_are_as_their_outcome",
      "UPDATE calls SET amount_microcents = 1 WHERE outcome IS NULL",
    ],
    "a call that was charged a microcent too much": [
      "calls_cost_what_their_tokens_do",
      "UPDATE calls SET amount_microcents = 8 WHERE outcome = 'completed'",
    ],
    "a call that was charged a millionth of a microcent too little": [
      "calls_cost_what_their_tokens_do",
      "UPDATE calls SET cache_read_tokens = 1, cache_read_price_microcents = 1 WHERE outcome = 'completed'",
    ],
    "an itemized call that was charged a microcent too little": [
      "itemized_calls_cost_what_their_items_do",
      "UPDATE calls SET amount_microcents = amount_microcents - 1 WHERE itemized = 1",
    ],
    "an itemized call with input that is in none of its items": [
      "items_cover_the_tokens_of_their_call",
      "UPDATE calls SET input_tokens = input_tokens + 1 WHERE itemized = 1",
    ],
    "an itemized call with output that is in none of its items": [
      "items_cover_the_tokens_of_their_call",
      "UPDATE calls SET output_tokens = output_tokens + 1 WHERE itemized = 1",
    ],
    "an itemized call with cache writes that are in none of its items": [
      "items_cover_the_tokens_of_their_call",
      "UPDATE calls SET cache_write_tokens = cache_write_tokens + 1 WHERE itemized = 1",
    ],
    "a call with items that does not say so": [
      "bill_items_have_their_call",
      "UPDATE calls SET itemized = 0 WHERE itemized = 1",
    ],
    "a call that was charged for nothing": [
      "charged_calls_have_one_charge",
      `INSERT INTO ledger_entries
       SELECT account_id, 99, 'call', -1, 0, call_id, NULL, 0 FROM calls WHERE outcome = 'rejected'`,
    ],
    "a call without its charge": [
      "charged_calls_have_one_charge",
      "DELETE FROM ledger_entries WHERE type = 'call'",
    ],
    "a charge for a call of another account": [
      "call_charges_have_their_call",
      "UPDATE ledger_entries SET account_id = 'acc_other' WHERE type = 'call'",
    ],
    "a delivered order without its charge": [
      "charged_orders_have_one_charge",
      "DELETE FROM ledger_entries WHERE type = 'order'",
    ],
    "a call that was free and has a charge of nothing": [
      "charged_calls_have_one_charge",
      `INSERT INTO ledger_entries
       SELECT account_id, 99, 'call', 0, 0, call_id, NULL, 0 FROM calls WHERE outcome = 'rejected'`,
    ],
    "a failed order that was bought from nobody and held nothing": [
      "on_demand_orders_have_hold_and_purchase",
      "UPDATE orders SET status = 'failed' WHERE product_id = 'one'",
    ],
    "an order that took codes of another product": [
      "delivered_orders_have_their_codes",
      "UPDATE order_code_ranges SET product_id = 'other' WHERE product_id = 'one'",
    ],
    "a refund of another amount": [
      "refunded_orders_have_one_refund",
      "UPDATE ledger_entries SET amount_microcents = amount_microcents - 1 WHERE type = 'refund'",
    ],
    "a refund of an order that was not refunded": [
      "refunded_orders_have_one_refund",
      `INSERT INTO ledger_entries
       SELECT account_id, 99, 'refund', amount_microcents, 0, order_id, NULL, 0
       FROM orders WHERE status = 'delivered' LIMIT 1`,
    ],
    "a refund for no order": [
      "charges_and_refunds_have_their_order",
      `INSERT INTO ledger_entries
       SELECT account_id, 99, 'refund', 1, 0, CONCAT(reference, 'x'), NULL, 0
       FROM ledger_entries WHERE type = 'refund' LIMIT 1`,
    ],
    "a charge on another account than its order's": [
      "charges_and_refunds_have_their_order",
      "UPDATE ledger_entries SET account_id = 'acc_other' WHERE type = 'order'",
    ],
    "codes of another product than its order's": [
      "code_ranges_have_their_order",
      "UPDATE orders SET product_id = 'other' WHERE product_id = 'one'",
    ],
    "a range without codes": [
      "no_code_is_on_two_orders",
      `INSERT INTO order_code_ranges SELECT order_id, product_id, 900, 900 FROM order_code_ranges
       WHERE first_sequence = 0 AND product_id = 'one'`,
    ],
    "a range before all segments": [
      "ordered_codes_were_taken_from_segments",
      "UPDATE stock_segments SET first_sequence = 1 WHERE first_sequence = 0",
    ],
    "a range of a product that has no segments": [
      "ordered_codes_were_taken_from_segments",
      "UPDATE order_code_ranges SET product_id = 'other' WHERE product_id = 'one'",
    ],
    "a segment that is exhausted and has codes left": [
      "segments_follow_each_other",
      "UPDATE stock_segments SET state = 'exhausted' WHERE next_sequence < end_sequence",
    ],
    "a segment that is open and has none left": [
      "segments_follow_each_other",
      "UPDATE stock_segments SET state = 'open' WHERE state = 'exhausted'",
    ],
    "a segment that has sold more than it has": [
      "segments_follow_each_other",
      "UPDATE stock_segments SET next_sequence = end_sequence + 1 WHERE state = 'open'",
    ],
    "a segment that has sold less than nothing": [
      "segments_follow_each_other",
      "UPDATE stock_segments SET next_sequence = first_sequence - 1 WHERE state = 'open' AND first_sequence > 0",
    ],
    "a delivered order without a redeem URL": [
      "orders_are_as_their_status",
      "UPDATE orders SET redeem_url = NULL WHERE status = 'delivered'",
    ],
    "a processing order that was delivered": [
      "orders_are_as_their_status",
      "UPDATE orders SET delivered_at_ms = 1 WHERE status = 'processing'",
    ],
    "an order that was refunded and is not": [
      "orders_are_as_their_status",
      "UPDATE orders SET refunded_at_ms = 1 WHERE status = 'failed'",
    ],
  }).map(([name, [check, sql]]) => [name, check, sql] as [string, string, string]),
])("%s is found", async (_name, check, sql) => {
  expect(await services.database.change(sql)).toBeGreaterThan(0);
  expect(await failing()).toContain(check);
});
