import type { Session } from "./database.ts";

const NO_SUCH_TABLE = 1146;

/** The names of the migrations that are in force; none where none ever ran. */
export async function migrationsInForce(session: Session): Promise<string[]> {
  try {
    const rows = await session.rows<{ name: string }>("SELECT name FROM knex_migrations ORDER BY id");
    return rows.map(({ name }) => name);
  } catch (error) {
    if ((error as { errno?: number }).errno === NO_SUCH_TABLE) return [];
    throw error;
  }
}
