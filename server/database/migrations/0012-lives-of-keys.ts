import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
const OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC";
const ID = "VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin";

// A ceiling of NULL is none; a key's own holds in place of its account's.
const CEILINGS = {
  order_cap_ceiling_microcents: "BIGINT NULL",
  daily_cap_ceiling_microcents: "BIGINT NULL",
};

const COLUMNS: Record<string, Record<string, string>> = {
  accounts: CEILINGS,
  api_keys: {
    name: "VARCHAR(100) NULL",
    expires_at_ms: "BIGINT NULL",
    last_used_at_ms: "BIGINT NULL",
    idempotency_key: "VARBINARY(255) NULL",
    ...CEILINGS,
  },
};

const INDEX = "api_keys_idempotency_key";

/**
 * Adds names, expiry, last use and ceilings of keys, what makes their creation repeatable, and the secrets that were replaced
 * and still work. The secret that replaced them stands where it always stood.
 */
export async function up(knex: Knex): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const [column, type] of Object.entries(columns)) {
      if (!(await knex.schema.hasColumn(table, column)))
        await knex.raw(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    }
  }
  if (!(await hasIndex(knex)))
    await knex.raw(`ALTER TABLE api_keys ADD UNIQUE KEY ${INDEX} (account_id, idempotency_key)`);
  await knex.raw(`CREATE TABLE IF NOT EXISTS former_secrets (
    secret_hash BINARY(32) NOT NULL,
    key_id ${ID} NOT NULL,
    preview VARCHAR(64) NOT NULL,
    replaced_at_ms BIGINT NOT NULL,
    works_until_ms BIGINT NOT NULL,
    PRIMARY KEY (secret_hash),
    KEY former_secrets_key (key_id, works_until_ms)) ${OPTIONS}`);
}

/** Takes them away again; secrets that were replaced end at once. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw("DROP TABLE IF EXISTS former_secrets");
  if (await hasIndex(knex)) await knex.raw(`ALTER TABLE api_keys DROP INDEX ${INDEX}`);
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const column of Object.keys(columns)) {
      if (await knex.schema.hasColumn(table, column))
        await knex.raw(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    }
  }
}

async function hasIndex(knex: Knex): Promise<boolean> {
  const [rows] = await knex.raw(`SHOW INDEX FROM api_keys WHERE Key_name = '${INDEX}'`);
  return rows.length > 0;
}
