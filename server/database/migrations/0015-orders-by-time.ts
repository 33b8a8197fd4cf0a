import type { Knex } from "knex";

const INDEX = "orders_account_time";

/** Adds the way to an account's orders of a period; it is built beside the orders that come meanwhile. */
export async function up(knex: Knex): Promise<void> {
  if (!(await hasIndex(knex)))
    await knex.raw(`ALTER TABLE orders ADD KEY ${INDEX} (account_id, created_at_ms, order_id)`);
}

/** Takes it away again. */
export async function down(knex: Knex): Promise<void> {
  if (await hasIndex(knex)) await knex.raw(`ALTER TABLE orders DROP INDEX ${INDEX}`);
}

async function hasIndex(knex: Knex): Promise<boolean> {
  const [rows] = await knex.raw(`SHOW INDEX FROM orders WHERE Key_name = '${INDEX}'`);
  return rows.length > 0;
}
