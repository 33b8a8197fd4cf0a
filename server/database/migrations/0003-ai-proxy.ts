import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
const OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC";
const ID = "VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin";
const MODEL_ID = "VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin";
const WORD = "VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin";
const REQUEST_ID = "VARCHAR(256)";

// Prices are per million tokens.
const PRICES = `
    input_price_microcents BIGINT NOT NULL,
    output_price_microcents BIGINT NOT NULL,
    cache_write_price_microcents BIGINT NOT NULL,
    cache_read_price_microcents BIGINT NOT NULL`;

const TABLES: Record<string, string> = {
  models: `
    model_id ${MODEL_ID} NOT NULL,
    name VARCHAR(200) NOT NULL,${PRICES},
    max_output_tokens INT NULL,
    enabled TINYINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (model_id)`,
  // A call runs until it has an outcome. Tokens of one that runs are those recorded so far. lease_expires_at_ms: from when
  // on it counts as abandoned; NULL when it has ended.
  calls: `
    call_id ${ID} NOT NULL,
    account_id ${ID} NOT NULL,
    key_id ${ID} NOT NULL,
    model_id ${MODEL_ID} NOT NULL,${PRICES},
    request_id ${REQUEST_ID} NOT NULL,
    upstream_request_id ${REQUEST_ID} NULL,
    outcome ${WORD} NULL,
    estimated TINYINT NOT NULL DEFAULT 0,
    input_tokens BIGINT NOT NULL DEFAULT 0,
    output_tokens BIGINT NOT NULL DEFAULT 0,
    cache_write_tokens BIGINT NOT NULL DEFAULT 0,
    cache_read_tokens BIGINT NOT NULL DEFAULT 0,
    amount_microcents BIGINT NOT NULL DEFAULT 0,
    created_at_ms BIGINT NOT NULL,
    ended_at_ms BIGINT NULL,
    lease_expires_at_ms BIGINT NULL,
    PRIMARY KEY (call_id),
    KEY calls_account (account_id, call_id),
    KEY calls_lease (lease_expires_at_ms)`,
};

/** Adds models and calls. */
export async function up(knex: Knex): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES))
    await knex.raw(`CREATE TABLE IF NOT EXISTS ${table} (${columns}) ${OPTIONS}`);
}

/**
 * Drops them again. What was held for calls that run is given back, since nothing can end them any more; what calls were
 * charged stays in the ledger.
 */
export async function down(knex: Knex): Promise<void> {
  if (await knex.schema.hasTable("calls")) await giveBackHolds(knex);
  for (const table of Object.keys(TABLES).reverse()) await knex.raw(`DROP TABLE IF EXISTS ${table}`);
}

// One transaction, so that a way back which was broken off gives nothing back twice when it is begun again. The holds go
// with their calls: before, every hold was an order's.
async function giveBackHolds(knex: Knex): Promise<void> {
  await knex.transaction(async (tx) => {
    await tx.raw(`
      UPDATE accounts a
      JOIN (SELECT h.account_id, SUM(h.amount_microcents) AS held
        FROM holds h JOIN calls c ON c.call_id = h.reference AND c.account_id = h.account_id
        WHERE h.state = 'open' GROUP BY h.account_id) h ON h.account_id = a.account_id
      SET a.reserved_microcents = a.reserved_microcents - h.held`);
    await tx.raw(
      "DELETE h FROM holds h JOIN calls c ON c.call_id = h.reference AND c.account_id = h.account_id",
    );
  });
}
