import type { Knex } from "knex";

// calls_in_flight_limit: NULL is the service's. lowers_max_tokens: whether calls may run with what the balance pays for.
const COLUMNS: Record<string, string> = {
  calls_in_flight_limit: "INT NULL",
  lowers_max_tokens: "TINYINT NOT NULL DEFAULT 0",
};

/** Adds what an operator may set of an account's calls. */
export async function up(knex: Knex): Promise<void> {
  for (const [column, type] of Object.entries(COLUMNS)) {
    if (!(await knex.schema.hasColumn("accounts", column))) {
      await knex.raw(`ALTER TABLE accounts ADD COLUMN ${column} ${type}`);
    }
  }
}

/** Takes them away again. */
export async function down(knex: Knex): Promise<void> {
  for (const column of Object.keys(COLUMNS)) {
    if (await knex.schema.hasColumn("accounts", column)) {
      await knex.raw(`ALTER TABLE accounts DROP COLUMN ${column}`);
    }
  }
}
