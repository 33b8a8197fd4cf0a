import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
/** Adds what programs ask about a model beside its prices, as JSON; NULL: nothing is known. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn("models", "facts")) return;
  await knex.raw("ALTER TABLE models ADD COLUMN facts TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL");
}

/** Takes it away again: models are called by their ids alone, and nothing is said of them. */
export async function down(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn("models", "facts")) await knex.raw("ALTER TABLE models DROP COLUMN facts");
}
