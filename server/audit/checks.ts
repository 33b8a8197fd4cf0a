/** What the books are read by, a portion of so many of each after the other; `key` is the column that is its primary key. */
export const PORTIONS = {
  accounts: { key: "account_id", size: 100 },
  api_keys: { key: "key_id", size: 1_000 },
  orders: { key: "order_id", size: 5_000 },
  calls: { key: "call_id", size: 5_000 },
  products: { key: "product_id", size: 10 },
  suppliers: { key: "supplier_id", size: 1 },
} as const;

/** One thing that must always be true of the books. */
interface Check {
  readonly by: keyof typeof PORTIONS;
  /**
   * A SELECT that gives the rows which break it, the first column naming what they are about. `IN_PORTION(column)` stands
   * for whether that column is in the portion that is read. Everything that it compares is read by this one statement, and so
   * at one moment.
   */
  readonly sql: string;
}

/** What must always be true of the books. */
export const CHECKS: Readonly<Record<string, Check>> = {
  balance_is_the_sum_of_its_entries: {
    by: "accounts",
    sql: `
    SELECT a.account_id, a.balance_microcents, COALESCE(SUM(e.amount_microcents), 0) AS entries_microcents
    FROM accounts a LEFT JOIN ledger_entries e ON e.account_id = a.account_id
    WHERE IN_PORTION(a.account_id)
    GROUP BY a.account_id, a.balance_microcents HAVING a.balance_microcents <> entries_microcents`,
  },

  ledger_has_no_gaps_and_adds_up: {
    by: "accounts",
    sql: `
    SELECT account_id, sequence, balance_after_microcents FROM (
      SELECT account_id, sequence, amount_microcents, balance_after_microcents,
        ROW_NUMBER() OVER w AS expected_sequence,
        COALESCE(LAG(balance_after_microcents) OVER w, 0) AS balance_before_microcents
      FROM ledger_entries WHERE IN_PORTION(account_id)
      WINDOW w AS (PARTITION BY account_id ORDER BY sequence)
    ) entries
    WHERE sequence <> expected_sequence OR balance_after_microcents <> balance_before_microcents + amount_microcents`,
  },

  reserved_is_the_sum_of_what_is_held: {
    by: "accounts",
    sql: `
    SELECT account_id, SUM(reserved) AS reserved_microcents, SUM(held) AS held_microcents FROM (
      SELECT account_id, reserved_microcents AS reserved, 0 AS held FROM accounts WHERE IN_PORTION(account_id)
      UNION ALL
      SELECT account_id, 0, amount_microcents FROM holds WHERE state = 'open' AND IN_PORTION(account_id)
      UNION ALL
      SELECT account_id, 0, hold_microcents FROM calls WHERE outcome IS NULL AND IN_PORTION(account_id)
    ) amounts
    GROUP BY account_id HAVING reserved_microcents <> held_microcents`,
  },

  holds_are_as_their_orders: {
    by: "accounts",
    sql: `
    SELECT h.reference, h.state, h.amount_microcents, h.closed_at_ms, o.status, o.amount_microcents AS order_microcents
    FROM holds h LEFT JOIN orders o ON o.order_id = h.reference AND o.account_id = h.account_id
    WHERE IN_PORTION(h.account_id) AND (o.order_id IS NULL OR h.amount_microcents <> o.amount_microcents
      OR (h.closed_at_ms IS NULL) <> (h.state = 'open')
      OR h.state <> CASE
        WHEN o.status = 'processing' THEN 'open'
        WHEN o.status IN ('delivered', 'refunded') THEN 'settled' ELSE 'released' END)`,
  },

  calls_are_as_their_outcome: {
    by: "calls",
    sql: `
    SELECT call_id, outcome, amount_microcents, ended_at_ms, lease_expires_at_ms FROM calls
    WHERE IN_PORTION(call_id) AND ((ended_at_ms IS NULL) <> (outcome IS NULL)
      OR (lease_expires_at_ms IS NOT NULL) <> (outcome IS NULL) OR (outcome IS NULL AND amount_microcents <> 0))`,
  },

  // The cost is rounded up once. What an itemized call costs, its items say.
  calls_cost_what_their_tokens_do: {
    by: "calls",
    sql: `
    SELECT call_id, amount_microcents, exact_millionths FROM (
      SELECT call_id, amount_microcents, outcome, itemized,
        CAST(input_tokens AS DECIMAL(20)) * input_price_microcents
          + CAST(output_tokens AS DECIMAL(20)) * output_price_microcents
          + CAST(cache_write_tokens AS DECIMAL(20)) * cache_write_price_microcents
          + CAST(cache_read_tokens AS DECIMAL(20)) * cache_read_price_microcents AS exact_millionths
      FROM calls WHERE IN_PORTION(call_id)
    ) costs
    WHERE outcome IS NOT NULL AND itemized = 0
      AND CAST(amount_microcents AS DECIMAL(20)) * 1000000 - exact_millionths NOT BETWEEN 0 AND 999999`,
  },

  itemized_calls_cost_what_their_items_do: {
    by: "calls",
    sql: `
    SELECT c.call_id, c.amount_microcents,
      COALESCE(SUM(CAST(i.quantity AS DECIMAL(20)) * i.price_microcents * i.factor_millionths), 0) AS exact_scaled
    FROM calls c LEFT JOIN call_bill_items i ON i.call_id = c.call_id
    WHERE c.itemized = 1 AND c.outcome IS NOT NULL AND IN_PORTION(c.call_id)
    GROUP BY c.call_id, c.amount_microcents
    HAVING CAST(c.amount_microcents AS DECIMAL(20)) * 1000000000000 - exact_scaled NOT BETWEEN 0 AND 999999999999`,
  },

  items_cover_the_tokens_of_their_call: {
    by: "calls",
    sql: `
    SELECT call_id, input_tokens, billed_input, output_tokens, billed_output, cache_write_tokens, billed_writes,
      cache_read_tokens, billed_reads
    FROM (
      SELECT c.call_id, c.input_tokens, c.output_tokens, c.cache_write_tokens, c.cache_read_tokens,
        SUM(CASE WHEN i.kind = 'input' THEN i.quantity ELSE 0 END) AS billed_input,
        SUM(CASE WHEN i.kind = 'output' THEN i.quantity ELSE 0 END) AS billed_output,
        SUM(CASE WHEN i.kind IN ('cache_write_5m', 'cache_write_1h') THEN i.quantity ELSE 0 END) AS billed_writes,
        SUM(CASE WHEN i.kind = 'cache_read' THEN i.quantity ELSE 0 END) AS billed_reads
      FROM calls c LEFT JOIN call_bill_items i ON i.call_id = c.call_id AND i.part = 'message'
      WHERE c.itemized = 1 AND IN_PORTION(c.call_id)
      GROUP BY c.call_id, c.input_tokens, c.output_tokens, c.cache_write_tokens, c.cache_read_tokens
    ) billed
    WHERE input_tokens > billed_input OR output_tokens > billed_output OR cache_write_tokens > billed_writes
      OR cache_read_tokens > billed_reads`,
  },

  bill_items_have_their_call: {
    by: "calls",
    sql: `
    SELECT i.call_id, i.position FROM call_bill_items i LEFT JOIN calls c ON c.call_id = i.call_id
    WHERE IN_PORTION(i.call_id) AND (c.call_id IS NULL OR c.itemized <> 1)`,
  },

  charged_calls_have_one_charge: {
    by: "calls",
    sql: `
    SELECT c.call_id, c.amount_microcents, COUNT(e.sequence) AS charges,
      COALESCE(SUM(e.amount_microcents), 0) AS charged_microcents
    FROM calls c LEFT JOIN ledger_entries e
      ON e.account_id = c.account_id AND e.type = 'call' AND e.reference = CAST(c.call_id AS BINARY)
    WHERE IN_PORTION(c.call_id)
    GROUP BY c.call_id, c.amount_microcents
    HAVING charges <> IF(c.amount_microcents <> 0, 1, 0) OR charged_microcents <> -c.amount_microcents`,
  },

  call_charges_have_their_call: {
    by: "accounts",
    sql: `
    SELECT e.account_id, e.sequence FROM ledger_entries e LEFT JOIN calls c
      ON c.call_id = CONVERT(e.reference USING ascii) COLLATE ascii_bin AND c.account_id = e.account_id
    WHERE IN_PORTION(e.account_id) AND e.type = 'call' AND c.call_id IS NULL`,
  },

  on_demand_orders_have_hold_and_purchase: {
    by: "orders",
    sql: `
    SELECT o.order_id, o.status, p.supplier_id, h.state FROM orders o
    LEFT JOIN purchases p ON p.order_id = o.order_id
    LEFT JOIN holds h ON h.reference = o.order_id AND h.account_id = o.account_id
    WHERE IN_PORTION(o.order_id) AND ((p.order_id IS NULL) <> (h.reference IS NULL)
      OR (o.status IN ('processing', 'retryable', 'failed') AND p.order_id IS NULL)
      OR (p.order_id IS NOT NULL AND EXISTS (SELECT 1 FROM order_code_ranges r WHERE r.order_id = o.order_id)))`,
  },

  purchases_are_as_their_orders: {
    by: "orders",
    sql: `
    SELECT p.order_id, p.leased, p.due_at_ms, p.unconfirmed_since_ms, p.supplier_order_id, o.status
    FROM purchases p LEFT JOIN orders o ON o.order_id = p.order_id
    WHERE IN_PORTION(p.order_id) AND (o.order_id IS NULL
      OR (p.due_at_ms IS NOT NULL) <> (o.status IN ('processing', 'retryable'))
      OR (p.unconfirmed_since_ms IS NOT NULL) <> (o.status = 'processing')
      OR (p.leased <> 0 AND o.status <> 'processing')
      OR (p.supplier_order_id IS NOT NULL) <> (o.status IN ('delivered', 'refunded')))`,
  },

  supplier_orders_are_on_one_order: {
    by: "suppliers",
    sql: `
    SELECT supplier_id, supplier_order_id, COUNT(*) AS orders FROM purchases
    WHERE IN_PORTION(supplier_id) AND supplier_order_id IS NOT NULL
    GROUP BY supplier_id, supplier_order_id HAVING COUNT(*) > 1`,
  },

  purchased_codes_have_their_order: {
    by: "orders",
    sql: `
    SELECT c.order_id, MIN(c.position) AS first_position, MAX(c.position) AS last_position, COUNT(*) AS codes
    FROM purchased_codes c LEFT JOIN purchases p ON p.order_id = c.order_id
    WHERE IN_PORTION(c.order_id)
    GROUP BY c.order_id
    HAVING COUNT(p.order_id) = 0 OR first_position <> 0 OR last_position + 1 <> codes`,
  },

  orders_are_as_their_status: {
    by: "orders",
    sql: `
    SELECT order_id, status, error_code, redeem_url, delivered_at_ms, refunded_at_ms FROM orders
    WHERE IN_PORTION(order_id) AND ((error_code IS NOT NULL) <> (status IN ('retryable', 'failed'))
      OR (redeem_url IS NOT NULL) <> (status IN ('delivered', 'refunded'))
      OR (delivered_at_ms IS NOT NULL) <> (status IN ('delivered', 'refunded'))
      OR (refunded_at_ms IS NOT NULL) <> (status = 'refunded'))`,
  },

  score_is_the_sum_of_top_ups: {
    by: "accounts",
    sql: `
    SELECT a.account_id, a.score_microcents, COALESCE(SUM(e.amount_microcents), 0) AS top_ups_microcents
    FROM accounts a LEFT JOIN ledger_entries e ON e.account_id = a.account_id AND e.type = 'top_up'
    WHERE IN_PORTION(a.account_id)
    GROUP BY a.account_id, a.score_microcents HAVING a.score_microcents <> top_ups_microcents`,
  },

  amount_is_unit_price_times_quantity: {
    by: "orders",
    sql: `
    SELECT order_id, unit_price_microcents, qty, amount_microcents FROM orders
    WHERE IN_PORTION(order_id) AND amount_microcents <> unit_price_microcents * qty`,
  },

  delivered_orders_have_their_codes: {
    by: "orders",
    sql: `
    SELECT o.order_id, o.qty, COALESCE(SUM(c.codes), 0) AS codes
    FROM orders o LEFT JOIN (
      SELECT order_id, product_id, end_sequence - first_sequence AS codes FROM order_code_ranges
      WHERE IN_PORTION(order_id)
      UNION ALL
      SELECT c.order_id, o.product_id, COUNT(*) FROM purchased_codes c JOIN orders o ON o.order_id = c.order_id
      WHERE IN_PORTION(c.order_id)
      GROUP BY c.order_id, o.product_id
    ) c ON c.order_id = o.order_id AND c.product_id = o.product_id
    WHERE IN_PORTION(o.order_id)
    GROUP BY o.order_id, o.qty, o.status HAVING codes <> IF(o.status IN ('delivered', 'refunded'), o.qty, 0)`,
  },

  code_ranges_have_their_order: {
    by: "orders",
    sql: `
    SELECT r.order_id, r.product_id, r.first_sequence
    FROM order_code_ranges r LEFT JOIN orders o ON o.order_id = r.order_id AND o.product_id = r.product_id
    WHERE IN_PORTION(r.order_id) AND o.order_id IS NULL`,
  },

  no_code_is_on_two_orders: {
    by: "products",
    sql: `
    SELECT order_id, product_id, first_sequence FROM (
      SELECT order_id, product_id, first_sequence, end_sequence,
        LAG(end_sequence) OVER (PARTITION BY product_id ORDER BY first_sequence) AS previous_end
      FROM order_code_ranges WHERE IN_PORTION(product_id)
    ) ranges
    WHERE first_sequence >= end_sequence OR first_sequence < previous_end`,
  },

  ordered_codes_were_taken_from_segments: {
    by: "products",
    sql: `
    SELECT order_id, product_id, first_sequence FROM (
      SELECT r.order_id, r.product_id, r.first_sequence, r.end_sequence,
        (SELECT s.next_sequence FROM stock_segments s
         WHERE s.product_id = r.product_id AND s.first_sequence <= r.first_sequence
         ORDER BY s.first_sequence DESC LIMIT 1) AS taken_until
      FROM order_code_ranges r WHERE IN_PORTION(r.product_id)
    ) ranges
    WHERE taken_until IS NULL OR end_sequence > taken_until`,
  },

  codes_taken_from_segments_are_on_orders: {
    by: "products",
    sql: `
    SELECT product_id, SUM(taken) AS taken_codes, SUM(ordered) AS ordered_codes FROM (
      SELECT product_id, next_sequence - first_sequence AS taken, 0 AS ordered FROM stock_segments
      WHERE IN_PORTION(product_id)
      UNION ALL
      SELECT product_id, 0, end_sequence - first_sequence FROM order_code_ranges WHERE IN_PORTION(product_id)
    ) movements
    GROUP BY product_id HAVING taken_codes <> ordered_codes`,
  },

  segments_follow_each_other: {
    by: "products",
    sql: `
    SELECT segment_id, product_id, first_sequence FROM (
      SELECT segment_id, product_id, first_sequence, next_sequence, end_sequence, state,
        COALESCE(LAG(end_sequence) OVER (PARTITION BY product_id ORDER BY first_sequence, end_sequence), 0) AS previous_end
      FROM stock_segments WHERE IN_PORTION(product_id)
    ) segments
    WHERE first_sequence <> previous_end OR next_sequence NOT BETWEEN first_sequence AND end_sequence
      OR (state = 'exhausted') <> (next_sequence = end_sequence AND state IN ('open', 'exhausted'))`,
  },

  segments_have_their_codes: {
    by: "products",
    sql: `
    SELECT product_id, SUM(expected) AS expected_codes, SUM(codes) AS stored_codes FROM (
      SELECT product_id, MAX(end_sequence) AS expected, 0 AS codes, 0 AS first_code, 0 AS last_code
      FROM stock_segments WHERE IN_PORTION(product_id) GROUP BY product_id
      UNION ALL
      SELECT product_id, 0, COUNT(*), MIN(sequence), MAX(sequence) FROM codes WHERE IN_PORTION(product_id)
      GROUP BY product_id
    ) counted
    GROUP BY product_id
    HAVING expected_codes <> stored_codes OR MAX(first_code) <> 0 OR MAX(last_code) + 1 <> GREATEST(stored_codes, 1)`,
  },

  charged_orders_have_one_charge: {
    by: "orders",
    sql: `
    SELECT o.order_id, o.amount_microcents, COUNT(e.sequence) AS charges,
      COALESCE(SUM(e.amount_microcents), 0) AS charged_microcents
    FROM orders o LEFT JOIN ledger_entries e
      ON e.account_id = o.account_id AND e.type = 'order' AND e.reference = CAST(o.order_id AS BINARY)
    WHERE IN_PORTION(o.order_id)
    GROUP BY o.order_id, o.amount_microcents, o.status
    HAVING charges <> IF(o.status IN ('delivered', 'refunded'), 1, 0)
      OR charged_microcents <> -o.amount_microcents * charges`,
  },

  refunded_orders_have_one_refund: {
    by: "orders",
    sql: `
    SELECT o.order_id, o.amount_microcents, COUNT(e.sequence) AS refunds,
      COALESCE(SUM(e.amount_microcents), 0) AS refunded_microcents
    FROM orders o LEFT JOIN ledger_entries e
      ON e.account_id = o.account_id AND e.type = 'refund' AND e.reference = CAST(o.order_id AS BINARY)
    WHERE IN_PORTION(o.order_id)
    GROUP BY o.order_id, o.amount_microcents, o.status
    HAVING refunds <> IF(o.status = 'refunded', 1, 0) OR refunded_microcents <> o.amount_microcents * refunds`,
  },

  charges_and_refunds_have_their_order: {
    by: "accounts",
    sql: `
    SELECT e.account_id, e.sequence, e.type FROM ledger_entries e LEFT JOIN orders o
      ON o.order_id = CONVERT(e.reference USING ascii) COLLATE ascii_bin AND o.account_id = e.account_id
    WHERE IN_PORTION(e.account_id) AND e.type IN ('order', 'refund') AND o.order_id IS NULL`,
  },

  daily_spend_is_the_sum_of_orders: {
    by: "accounts",
    sql: `
    SELECT key_id, day, SUM(recorded) AS recorded_microcents, SUM(ordered) AS ordered_microcents FROM (
      SELECT s.key_id, s.day, s.spent_microcents AS recorded, 0 AS ordered
      FROM key_daily_spend s JOIN api_keys k ON k.key_id = s.key_id WHERE IN_PORTION(k.account_id)
      UNION ALL
      SELECT key_id, spend_day, 0, amount_microcents FROM orders
      WHERE IN_PORTION(account_id) AND (status IN ('processing', 'delivered')
        OR (status = 'refunded' AND FROM_UNIXTIME(FLOOR(refunded_at_ms / 1000), '%Y-%m-%d') <> spend_day))
    ) spends
    GROUP BY key_id, day HAVING recorded_microcents <> ordered_microcents`,
  },

  daily_spend_is_of_a_key: {
    by: "api_keys",
    sql: `
    SELECT s.key_id, s.day FROM key_daily_spend s LEFT JOIN api_keys k ON k.key_id = s.key_id
    WHERE IN_PORTION(s.key_id) AND k.key_id IS NULL`,
  },

  // What is beyond the progress is not in the rollups yet.
  order_rollups_are_as_the_ledger: {
    by: "accounts",
    sql: `
    SELECT account_id, starts_at_ms, product_id, SUM(orders) AS orders_too_many, SUM(codes) AS codes_too_many,
      SUM(amount) AS microcents_too_many, SUM(refunds) AS refunds_too_many, SUM(refunded) AS refunded_microcents_too_many
    FROM (
      SELECT account_id, starts_at_ms, product_id, orders, codes, amount_microcents AS amount, refunds,
        refunded_microcents AS refunded
      FROM order_rollups WHERE IN_PORTION(account_id)
      UNION ALL
      SELECT e.account_id, e.created_at_ms - e.created_at_ms % 900000, o.product_id, -(e.type = 'order'),
        -IF(e.type = 'order', o.qty, 0), IF(e.type = 'order', e.amount_microcents, 0), -(e.type = 'refund'),
        -IF(e.type = 'refund', e.amount_microcents, 0)
      FROM ledger_entries e
      JOIN rollup_progress p ON p.account_id = e.account_id AND p.ledger_sequence >= e.sequence
      JOIN orders o ON o.order_id = CONVERT(e.reference USING ascii) COLLATE ascii_bin
      WHERE IN_PORTION(e.account_id) AND e.type IN ('order', 'refund')
    ) counted
    GROUP BY account_id, starts_at_ms, product_id
    HAVING orders_too_many <> 0 OR codes_too_many <> 0 OR microcents_too_many <> 0 OR refunds_too_many <> 0
      OR refunded_microcents_too_many <> 0`,
  },

  call_rollups_are_as_the_calls: {
    by: "accounts",
    sql: `
    SELECT account_id, starts_at_ms, key_id, model_id, SUM(completed) AS completed_too_many,
      SUM(aborted) AS aborted_too_many, SUM(failed) AS failed_too_many, SUM(rejected) AS rejected_too_many,
      SUM(input) AS input_too_many, SUM(output) AS output_too_many, SUM(writes) AS cache_writes_too_many,
      SUM(cache_reads) AS cache_reads_too_many, SUM(amount) AS microcents_too_many
    FROM (
      SELECT account_id, starts_at_ms, key_id, model_id, completed, client_aborted AS aborted, upstream_failed AS failed,
        rejected, input_tokens AS input, output_tokens AS output, cache_write_tokens AS writes,
        cache_read_tokens AS cache_reads, amount_microcents AS amount
      FROM call_rollups WHERE IN_PORTION(account_id)
      UNION ALL
      SELECT account_id, ended_at_ms - ended_at_ms % 900000, key_id, model_id, -(outcome = 'completed'),
        -(outcome = 'client_aborted'), -(outcome = 'upstream_failed'), -(outcome = 'rejected'), -input_tokens,
        -output_tokens, -cache_write_tokens, -cache_read_tokens, -amount_microcents
      FROM calls WHERE rollup_due IS NULL AND outcome IS NOT NULL AND IN_PORTION(account_id)
    ) counted
    GROUP BY account_id, starts_at_ms, key_id, model_id
    HAVING completed_too_many <> 0 OR aborted_too_many <> 0 OR failed_too_many <> 0 OR rejected_too_many <> 0
      OR input_too_many <> 0 OR output_too_many <> 0 OR cache_writes_too_many <> 0 OR cache_reads_too_many <> 0
      OR microcents_too_many <> 0`,
  },

  rollups_are_not_ahead_of_the_rows: {
    by: "accounts",
    sql: `
    SELECT p.account_id, p.ledger_sequence AS rolled_up_sequence, a.ledger_sequence, NULL AS call_id
    FROM rollup_progress p LEFT JOIN accounts a ON a.account_id = p.account_id
    WHERE IN_PORTION(p.account_id) AND (a.account_id IS NULL OR p.ledger_sequence > a.ledger_sequence)
    UNION ALL
    SELECT account_id, NULL, NULL, call_id FROM calls
    WHERE rollup_due IS NULL AND outcome IS NULL AND IN_PORTION(account_id)`,
  },
};
