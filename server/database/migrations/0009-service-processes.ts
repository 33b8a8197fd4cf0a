import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
const OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC";

/** Adds the processes of the service: one row for each, which counts until until_ms of the database's clock. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`CREATE TABLE IF NOT EXISTS service_processes (
    process_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name VARCHAR(255) NOT NULL,
    encryption_keys TEXT NOT NULL,
    until_ms BIGINT NOT NULL,
    PRIMARY KEY (process_id)) ${OPTIONS}`);
}

/** Drops them again. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw("DROP TABLE IF EXISTS service_processes");
}
