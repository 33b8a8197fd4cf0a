import { QUARTER_HOUR_MS } from "../time-zone.ts";

// What an order, a refund or a call counts for, row by row, as the columns of the rollups have it in sum. Each statement ends
// with a condition, to which others may be added; its first parameter is the account.

/** What order_rollups says of an account, a product and a quarter of an hour. */
export const ORDER_COLUMNS = [
  "orders",
  "codes",
  "amount_microcents",
  "refunds",
  "refunded_microcents",
] as const;

/** What call_rollups says of an account, a key, a model and a quarter of an hour. */
export const CALL_COLUMNS = [
  "completed",
  "client_aborted",
  "upstream_failed",
  "rejected",
  "input_tokens",
  "output_tokens",
  "cache_write_tokens",
  "cache_read_tokens",
  "amount_microcents",
] as const;

/** Deliveries and refunds, which the ledger has in the order of their commits; `e` are its entries. */
export const ORDER_ROWS = `
  SELECT e.account_id, ${startOf("e.created_at_ms")} AS starts_at_ms, o.product_id,
    e.type = 'order' AS orders, IF(e.type = 'order', o.qty, 0) AS codes,
    IF(e.type = 'order', -e.amount_microcents, 0) AS amount_microcents,
    e.type = 'refund' AS refunds, IF(e.type = 'refund', e.amount_microcents, 0) AS refunded_microcents
  FROM ledger_entries e FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN orders o ON o.order_id = CONVERT(e.reference USING ascii) COLLATE ascii_bin
  WHERE e.account_id = ? AND e.type IN ('order', 'refund')`;

/** Calls that have ended. */
export const CALL_ROWS = callRows("calls");

/** Calls that have ended and are not in the rollups. */
export const DUE_CALL_ROWS = `${callRows("calls FORCE INDEX (calls_rollup_due)")} AND rollup_due = 1`;

function callRows(table: string): string {
  return `
  SELECT account_id, ${startOf("ended_at_ms")} AS starts_at_ms, key_id, model_id,
    outcome = 'completed' AS completed, outcome = 'client_aborted' AS client_aborted,
    outcome = 'upstream_failed' AS upstream_failed, outcome = 'rejected' AS rejected,
    input_tokens, output_tokens, cache_write_tokens, cache_read_tokens, amount_microcents
  FROM ${table} WHERE account_id = ? AND outcome IS NOT NULL`;
}

function startOf(column: string): string {
  return `${column} DIV ${QUARTER_HOUR_MS} * ${QUARTER_HOUR_MS}`;
}
