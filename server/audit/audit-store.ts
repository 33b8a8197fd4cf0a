import type { Session } from "../database/database.ts";

/** Up to which key the next so many rows of a table go, in the order of its primary key; null: there are fewer. */
export async function portionEnd(
  session: Session,
  { table, key, size }: { table: string; key: string; size: number },
  after: string,
): Promise<string | null> {
  const sql = `SELECT ${key} AS up_to FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ${size - 1}`;
  const [end] = await session.rows<{ up_to: string }>(sql, [after]);
  return end?.up_to ?? null;
}
