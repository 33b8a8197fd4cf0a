import { expect } from "vitest";
import type { Session } from "../../database/database.ts";

/**
 * Resolves when a transaction waits in line for an account whose row is held: it has written its own rows by then, and keeps them
 * until it has the account. Before, it has waited briefly, was undone and began anew.
 */
export async function untilInLine(session: Session): Promise<void> {
  const inLine = () =>
    session.rows(
      `SELECT 1 FROM information_schema.processlist
       WHERE db = DATABASE() AND info LIKE 'SELECT account_id%FROM accounts%FOR UPDATE'`,
    );
  await expect.poll(async () => (await inLine()).length).toBe(1);
}
