import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
const OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC";
const ASCII = "CHARACTER SET ascii COLLATE ascii_bin";

// further_prices: JSON; NULL: the model has none but its four. itemized: whether call_bill_items has what the call is
// charged, which its four counts and prices then do not say. unpriced: names of what was told and has no price.
const COLUMNS: Record<string, Record<string, string>> = {
  models: { further_prices: "TEXT NULL" },
  calls: {
    itemized: "TINYINT NOT NULL DEFAULT 0",
    speed: `VARCHAR(32) ${ASCII} NULL`,
    inference_geo: `VARCHAR(32) ${ASCII} NULL`,
    service_tier: `VARCHAR(32) ${ASCII} NULL`,
    unpriced: `VARCHAR(500) ${ASCII} NULL`,
  },
};

// price_microcents is that of a million; factor_millionths multiplies it.
const ITEMS = `
    call_id VARCHAR(40) ${ASCII} NOT NULL,
    position SMALLINT NOT NULL,
    part VARCHAR(32) ${ASCII} NOT NULL,
    model_id VARCHAR(128) ${ASCII} NOT NULL,
    kind VARCHAR(64) ${ASCII} NOT NULL,
    quantity BIGINT NOT NULL,
    price_microcents BIGINT NOT NULL,
    factor_millionths BIGINT NOT NULL,
    PRIMARY KEY (call_id, position)`;

/** Adds the prices of what not every call has, and what calls are charged item by item. */
export async function up(knex: Knex): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const [column, type] of Object.entries(columns)) {
      if (!(await knex.schema.hasColumn(table, column))) {
        await knex.raw(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
      }
    }
  }
  await knex.raw(`CREATE TABLE IF NOT EXISTS call_bill_items (${ITEMS}) ${OPTIONS}`);
}

/** Takes them away again: what calls were charged stays, what for is lost of those that have items. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw("DROP TABLE IF EXISTS call_bill_items");
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const column of Object.keys(columns)) {
      if (await knex.schema.hasColumn(table, column)) {
        await knex.raw(`ALTER TABLE ${table} DROP COLUMN ${column}`);
      }
    }
  }
}
