import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
/**
 * Adds how many imports into a product were begun. Who begins one writes it, so that of two that begin at once on nodes of a
 * cluster, where locks hold on one node alone, only one is committed.
 */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn("products", "imports")) return;
  await knex.raw("ALTER TABLE products ADD COLUMN imports BIGINT NOT NULL DEFAULT 0");
}

/** Takes it away again. */
export async function down(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn("products", "imports"))
    await knex.raw("ALTER TABLE products DROP COLUMN imports");
}
