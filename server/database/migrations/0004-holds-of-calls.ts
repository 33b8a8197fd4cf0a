import type { Knex } from "knex";

/** What is held for a call is in its own row from now on, and no hold is one of a call. */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn("calls", "hold_microcents")))
    await knex.raw("ALTER TABLE calls ADD COLUMN hold_microcents BIGINT NOT NULL AFTER amount_microcents");
  await knex.transaction(async (tx) => {
    await tx.raw(`
      UPDATE calls c JOIN holds h ON h.account_id = c.account_id AND h.reference = c.call_id
      SET c.hold_microcents = h.amount_microcents`);
    await tx.raw(
      "DELETE h FROM holds h JOIN calls c ON c.call_id = h.reference AND c.account_id = h.account_id",
    );
  });
}

/** Gives each call its hold again. */
export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn("calls", "hold_microcents"))) return;
  await knex.raw(`
    INSERT IGNORE INTO holds (account_id, reference, state, amount_microcents, created_at_ms, closed_at_ms)
    SELECT account_id, call_id,
      CASE WHEN outcome IS NULL THEN 'open' WHEN amount_microcents > 0 THEN 'settled' ELSE 'released' END,
      hold_microcents, created_at_ms, ended_at_ms FROM calls`);
  await knex.raw("ALTER TABLE calls DROP COLUMN hold_microcents");
}
