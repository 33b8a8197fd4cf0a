import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
const OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC";
const ASCII = "CHARACTER SET ascii COLLATE ascii_bin";
const ID = `VARCHAR(40) ${ASCII}`;

const TABLES: Record<string, string> = {
  // A quarter of an hour that begins at starts_at_ms: what was delivered and refunded in it.
  order_rollups: `
    account_id ${ID} NOT NULL,
    starts_at_ms BIGINT NOT NULL,
    product_id VARCHAR(128) ${ASCII} NOT NULL,
    orders BIGINT NOT NULL,
    codes BIGINT NOT NULL,
    amount_microcents BIGINT NOT NULL,
    refunds BIGINT NOT NULL,
    refunded_microcents BIGINT NOT NULL,
    PRIMARY KEY (account_id, starts_at_ms, product_id)`,
  // The same of the calls that ended in it.
  call_rollups: `
    account_id ${ID} NOT NULL,
    starts_at_ms BIGINT NOT NULL,
    key_id ${ID} NOT NULL,
    model_id VARCHAR(128) ${ASCII} NOT NULL,
    completed BIGINT NOT NULL,
    client_aborted BIGINT NOT NULL,
    upstream_failed BIGINT NOT NULL,
    rejected BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cache_write_tokens BIGINT NOT NULL,
    cache_read_tokens BIGINT NOT NULL,
    amount_microcents BIGINT NOT NULL,
    PRIMARY KEY (account_id, starts_at_ms, key_id, model_id)`,
  // ledger_sequence: the last entry of the account that is in order_rollups. writes: moved by all who write an account's
  // rollups, so that of two on nodes of a cluster, where locks hold on one node alone, only one is committed.
  rollup_progress: `
    account_id ${ID} NOT NULL,
    ledger_sequence BIGINT NOT NULL,
    writes BIGINT NOT NULL,
    PRIMARY KEY (account_id)`,
};

/**
 * Adds what orders and calls come to in each quarter of an hour, and what is to be added to that: ledger entries beyond
 * rollup_progress, and calls whose rollup_due is 1, as it is of every call until it has ended and is in call_rollups (then NULL).
 */
export async function up(knex: Knex): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES))
    await knex.raw(`CREATE TABLE IF NOT EXISTS ${table} (${columns}) ${OPTIONS}`);
  if (!(await knex.schema.hasColumn("calls", "rollup_due")))
    await knex.raw("ALTER TABLE calls ADD COLUMN rollup_due TINYINT NULL DEFAULT 1");
  if (!(await hasDueIndex(knex)))
    await knex.raw("ALTER TABLE calls ADD KEY calls_rollup_due (rollup_due, account_id)");
}

/** Takes it away again; all of it can be made anew from the rows. */
export async function down(knex: Knex): Promise<void> {
  if (await hasDueIndex(knex)) await knex.raw("ALTER TABLE calls DROP KEY calls_rollup_due");
  if (await knex.schema.hasColumn("calls", "rollup_due"))
    await knex.raw("ALTER TABLE calls DROP COLUMN rollup_due");
  for (const table of Object.keys(TABLES).reverse()) await knex.raw(`DROP TABLE IF EXISTS ${table}`);
}

async function hasDueIndex(knex: Knex): Promise<boolean> {
  const [rows] = await knex.raw("SHOW INDEX FROM calls WHERE Key_name = 'calls_rollup_due'");
  return rows.length > 0;
}
