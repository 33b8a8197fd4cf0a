import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
/** Adds since when sales of what is left of a segment may be lost; NULL: none are. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn("stock_segments", "lost_since_ms")) return;
  await knex.raw("ALTER TABLE stock_segments ADD COLUMN lost_since_ms BIGINT NULL");
}

/** Takes it away again. What may have been sold is recalled: nothing else would keep it from being sold twice. */
export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn("stock_segments", "lost_since_ms"))) return;
  await knex.raw(
    "UPDATE stock_segments SET state = 'recalled' WHERE lost_since_ms IS NOT NULL AND state = 'set_aside'",
  );
  await knex.raw("ALTER TABLE stock_segments DROP COLUMN lost_since_ms");
}
