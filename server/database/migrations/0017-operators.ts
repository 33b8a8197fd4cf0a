import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
const OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC";
const ID = "VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin";
const WORD = "VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin";

/** Adds the operators: users who run the shop, each in a role. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`CREATE TABLE IF NOT EXISTS operators (
    user_id ${ID} NOT NULL,
    role ${WORD} NOT NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (user_id)) ${OPTIONS}`);
}

/** Drops them again; the users stay, and what they are members of. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw("DROP TABLE IF EXISTS operators");
}
