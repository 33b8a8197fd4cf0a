import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
const OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC";
const ASCII = "CHARACTER SET ascii COLLATE ascii_bin";
const ID = `VARCHAR(40) ${ASCII}`;

/** Adds what the people of accounts have done in the account center, and what they have set there. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`CREATE TABLE IF NOT EXISTS account_activity (
    account_id ${ID} NOT NULL,
    created_at_ms BIGINT NOT NULL,
    activity_id ${ID} NOT NULL,
    action VARCHAR(32) ${ASCII} NOT NULL,
    user_id ${ID} NOT NULL,
    email VARCHAR(254) ${ASCII} NOT NULL,
    target_id ${ID} NULL,
    target_name VARCHAR(255) NULL,
    address VARCHAR(64) NOT NULL,
    PRIMARY KEY (account_id, created_at_ms, activity_id)) ${OPTIONS}`);
  // NULL: not set.
  await knex.raw(`CREATE TABLE IF NOT EXISTS account_preferences (
    account_id ${ID} NOT NULL,
    time_zone VARCHAR(64) ${ASCII} NULL,
    low_balance_microcents BIGINT NULL,
    PRIMARY KEY (account_id)) ${OPTIONS}`);
}

/** Drops both again; what was done stays done. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw("DROP TABLE IF EXISTS account_preferences");
  await knex.raw("DROP TABLE IF EXISTS account_activity");
}
