import { STATEMENTS_PER_CONNECTION } from "./connections.ts";
import type { Session } from "./database.ts";

/** What the server allows, and what the processes may need. */
export interface PreparedStatements {
  readonly allowed: number;
  readonly needed: number;
}

/**
 * Whether the server allows as many prepared statements as the connections of all processes may keep. Beyond that it refuses
 * to prepare any, for all of its clients.
 * @returns null when it does.
 */
export async function missingPreparedStatements(
  session: Session,
  { processes, poolSize }: { processes: number; poolSize: number },
): Promise<PreparedStatements | null> {
  const [row] = await session.rows<{ allowed: bigint | number }>(
    "SELECT @@max_prepared_stmt_count AS allowed",
  );
  const allowed = Number(row?.allowed ?? -1);
  const needed = processes * poolSize * STATEMENTS_PER_CONNECTION;
  // Some engines say -1 for no limit.
  return allowed < 0 || allowed >= needed ? null : { allowed, needed };
}
