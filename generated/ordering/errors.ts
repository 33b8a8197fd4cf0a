// Generated from spec/ordering by "npm run generate". DO NOT EDIT.

/** The status that each error code comes with. */
export const ERROR_STATUSES = {
  invalid_input: 400,
  bad_request: 400,
  unauthorized: 401,
  insufficient_balance: 402,
  key_daily_limit_exceeded: 402,
  insufficient_scope: 403,
  key_order_limit_exceeded: 403,
  not_found: 404,
  price_changed: 409,
  idempotency_conflict: 409,
  out_of_stock: 409,
  supplier_price_changed: 409,
  rate_limited: 429,
  server_error: 500,
  supplier_unavailable: 503,
  supplier_not_configured: 503,
  order_in_progress: 503,
  order_commit_pending: 503,
} as const;
