import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
const OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC";
const ID = "VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin";
const SUPPLIER_ID = "VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin";
const SUPPLIER_PRODUCT_ID = "VARCHAR(128)";
const WORD = "VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin";

const TABLES: Record<string, string> = {
  suppliers: `
    supplier_id ${SUPPLIER_ID} NOT NULL,
    base_url VARCHAR(2000) NOT NULL,
    api_key_ciphertext VARBINARY(1024) NOT NULL,
    status ${WORD} NOT NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (supplier_id)`,
  // One per order of an on-demand product. due_at_ms: when recovery looks at it again; NULL when it need not.
  purchases: `
    order_id ${ID} NOT NULL,
    supplier_id ${SUPPLIER_ID} NOT NULL,
    supplier_product_id ${SUPPLIER_PRODUCT_ID} NOT NULL,
    max_unit_cost_microcents BIGINT NOT NULL,
    unit_cost_microcents BIGINT NOT NULL,
    supplier_order_id VARCHAR(256) NULL,
    claim ${ID} NOT NULL,
    leased TINYINT NOT NULL,
    attempts INT NOT NULL,
    unconfirmed_since_ms BIGINT NULL,
    processing_since_ms BIGINT NOT NULL,
    due_at_ms BIGINT NULL,
    PRIMARY KEY (order_id),
    KEY purchases_due (due_at_ms),
    KEY purchases_supplier (supplier_id, order_id)`,
  purchased_codes: `
    order_id ${ID} NOT NULL,
    position INT NOT NULL,
    ciphertext VARBINARY(2200) NOT NULL,
    fingerprint BINARY(16) NOT NULL,
    PRIMARY KEY (order_id, position),
    UNIQUE KEY purchased_codes_fingerprint (fingerprint)`,
  // One per order or call: what an account cannot spend otherwise until it is settled or released.
  holds: `
    account_id ${ID} NOT NULL,
    reference ${ID} NOT NULL,
    state ${WORD} NOT NULL,
    amount_microcents BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    closed_at_ms BIGINT NULL,
    PRIMARY KEY (account_id, reference),
    KEY holds_state (state, account_id)`,
};

/** Adds suppliers, what is bought from them, and holds. */
export async function up(knex: Knex): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES))
    await knex.raw(`CREATE TABLE IF NOT EXISTS ${table} (${columns}) ${OPTIONS}`);
  if (await knex.schema.hasColumn("products", "supplier_id")) return;
  await knex.raw(`
    ALTER TABLE products
      MODIFY redeem_url VARCHAR(2000) NULL,
      ADD COLUMN supplier_id ${SUPPLIER_ID} NULL,
      ADD COLUMN supplier_product_id ${SUPPLIER_PRODUCT_ID} NULL,
      ADD COLUMN max_unit_cost_microcents BIGINT NULL`);
}

/**
 * Drops them again, and the codes that were bought with them. Orders that have not come to an end are closed, since
 * nothing can end them any more, and what was held for them is given back. Products that were bought on demand stay, out
 * of sale.
 */
export async function down(knex: Knex): Promise<void> {
  if (await knex.schema.hasTable("holds")) await closeUnfinishedOrders(knex);
  if (await knex.schema.hasColumn("products", "supplier_id")) {
    await knex.raw("UPDATE products SET enabled = 0 WHERE stock_mode = 'on_demand'");
    await knex.raw("UPDATE products SET redeem_url = '' WHERE redeem_url IS NULL");
    await knex.raw(`
      ALTER TABLE products
        MODIFY redeem_url VARCHAR(2000) NOT NULL,
        DROP COLUMN supplier_id, DROP COLUMN supplier_product_id, DROP COLUMN max_unit_cost_microcents`);
  }
  for (const table of Object.keys(TABLES).reverse()) await knex.raw(`DROP TABLE IF EXISTS ${table}`);
}

// One transaction, so that a way back which was broken off gives nothing back twice when it is begun again.
async function closeUnfinishedOrders(knex: Knex): Promise<void> {
  await knex.transaction(async (tx) => {
    await tx.raw(`
      UPDATE accounts a
      JOIN (SELECT account_id, SUM(amount_microcents) AS held FROM holds WHERE state = 'open' GROUP BY account_id) h
        ON h.account_id = a.account_id
      SET a.reserved_microcents = a.reserved_microcents - h.held`);
    await tx.raw(`
      UPDATE key_daily_spend s
      JOIN (SELECT key_id, spend_day, SUM(amount_microcents) AS held FROM orders WHERE status = 'processing'
        GROUP BY key_id, spend_day) o ON o.key_id = s.key_id AND o.spend_day = s.day
      SET s.spent_microcents = s.spent_microcents - o.held`);
    await tx.raw("UPDATE holds SET state = 'released' WHERE state = 'open'");
    await tx.raw(`
      UPDATE orders SET status = 'failed', error_code = COALESCE(error_code, 'supplier_unavailable')
      WHERE status IN ('processing', 'retryable')`);
  });
}
