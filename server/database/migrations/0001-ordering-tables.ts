import type { Knex } from "knex";

// Conventions of the schema:
// - amounts are BIGINT microcents, moments BIGINT Unix milliseconds (UTC), both named with their unit;
// - identifiers made here are ASCII and compared byte for byte; the buyer's externalOrderId is kept as its UTF-8
//   bytes, so that ids which differ in case, trailing space or normal form stay apart on every engine;
// - no foreign keys, triggers or auto-increment: all that is related is written by one transaction.
const OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC";
const ID = "VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin";
const PRODUCT_ID = "VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin";
const WORD = "VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin";
const DAY = "CHAR(10) CHARACTER SET ascii COLLATE ascii_bin";

const TABLES: Record<string, string> = {
  accounts: `
    account_id ${ID} NOT NULL,
    name VARCHAR(200) NOT NULL,
    status ${WORD} NOT NULL,
    rpm_limit INT NOT NULL,
    balance_microcents BIGINT NOT NULL,
    reserved_microcents BIGINT NOT NULL,
    score_microcents BIGINT NOT NULL,
    ledger_sequence BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (account_id)`,
  api_keys: `
    key_id ${ID} NOT NULL,
    account_id ${ID} NOT NULL,
    kind ${WORD} NOT NULL,
    secret_hash BINARY(32) NOT NULL,
    preview VARCHAR(64) NOT NULL,
    order_cap_microcents BIGINT NULL,
    daily_cap_microcents BIGINT NULL,
    status ${WORD} NOT NULL,
    created_at_ms BIGINT NOT NULL,
    revoked_at_ms BIGINT NULL,
    PRIMARY KEY (key_id),
    UNIQUE KEY api_keys_secret_hash (secret_hash),
    KEY api_keys_account (account_id, key_id)`,
  key_daily_spend: `
    key_id ${ID} NOT NULL,
    day ${DAY} NOT NULL,
    spent_microcents BIGINT NOT NULL,
    PRIMARY KEY (key_id, day)`,
  products: `
    product_id ${PRODUCT_ID} NOT NULL,
    slug VARCHAR(128) NULL,
    name VARCHAR(200) NOT NULL,
    redeem_url VARCHAR(2000) NOT NULL,
    stock_mode ${WORD} NOT NULL,
    stock_cap INT NOT NULL,
    enabled TINYINT NOT NULL,
    level1_price_microcents BIGINT NULL,
    level2_price_microcents BIGINT NULL,
    level3_price_microcents BIGINT NULL,
    level4_price_microcents BIGINT NULL,
    level5_price_microcents BIGINT NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (product_id)`,
  stock_segments: `
    segment_id ${ID} NOT NULL,
    product_id ${PRODUCT_ID} NOT NULL,
    first_sequence BIGINT NOT NULL,
    next_sequence BIGINT NOT NULL,
    end_sequence BIGINT NOT NULL,
    state ${WORD} NOT NULL,
    encryption_key_id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    lease_expires_at_ms BIGINT NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (segment_id),
    KEY stock_segments_product (product_id, state, first_sequence),
    KEY stock_segments_sequence (product_id, first_sequence)`,
  codes: `
    product_id ${PRODUCT_ID} NOT NULL,
    sequence BIGINT NOT NULL,
    ciphertext VARBINARY(2200) NOT NULL,
    fingerprint BINARY(16) NOT NULL,
    PRIMARY KEY (product_id, sequence),
    UNIQUE KEY codes_fingerprint (fingerprint)`,
  orders: `
    order_id ${ID} NOT NULL,
    account_id ${ID} NOT NULL,
    external_order_id VARBINARY(256) NOT NULL,
    key_id ${ID} NOT NULL,
    product_id ${PRODUCT_ID} NOT NULL,
    product_name VARCHAR(200) NOT NULL,
    qty INT NOT NULL,
    unit_price_microcents BIGINT NOT NULL,
    amount_microcents BIGINT NOT NULL,
    status ${WORD} NOT NULL,
    redeem_url VARCHAR(2000) NULL,
    error_code VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
    spend_day ${DAY} NOT NULL,
    created_at_ms BIGINT NOT NULL,
    delivered_at_ms BIGINT NULL,
    refunded_at_ms BIGINT NULL,
    PRIMARY KEY (order_id),
    UNIQUE KEY orders_external_order_id (account_id, external_order_id),
    KEY orders_account (account_id, order_id),
    KEY orders_product (product_id, order_id)`,
  order_code_ranges: `
    order_id ${ID} NOT NULL,
    product_id ${PRODUCT_ID} NOT NULL,
    first_sequence BIGINT NOT NULL,
    end_sequence BIGINT NOT NULL,
    PRIMARY KEY (order_id, first_sequence),
    UNIQUE KEY order_code_ranges_product (product_id, first_sequence)`,
  ledger_entries: `
    account_id ${ID} NOT NULL,
    sequence BIGINT NOT NULL,
    type ${WORD} NOT NULL,
    amount_microcents BIGINT NOT NULL,
    balance_after_microcents BIGINT NOT NULL,
    reference VARBINARY(256) NOT NULL,
    note VARCHAR(1000) NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (account_id, sequence),
    UNIQUE KEY ledger_entries_reference (account_id, type, reference)`,
  service_secrets: `
    name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    ciphertext VARBINARY(1024) NOT NULL,
    PRIMARY KEY (name)`,
};

/**
 * Creates the tables of the ordering interface: accounts, keys, catalog, stock, orders and the ledger. Neither engine
 * can undo a CREATE TABLE, so one that was broken off finds some of them there.
 */
export async function up(knex: Knex): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES))
    await knex.raw(`CREATE TABLE IF NOT EXISTS ${table} (${columns}) ${OPTIONS}`);
}

/** Drops them again. */
export async function down(knex: Knex): Promise<void> {
  for (const table of Object.keys(TABLES).reverse()) await knex.raw(`DROP TABLE ${table}`);
}
