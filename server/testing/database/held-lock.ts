import type { ExecuteValues } from "mysql2";
import { createConnection } from "mysql2/promise";

/** Rows that are locked by a transaction which does nothing else. */
export interface HeldLock {
  release(): Promise<void>;
}

/** Locks the rows that a SELECT … FOR UPDATE reads, on a connection of its own that may keep them for as long as it likes. */
export async function holdLock(
  databaseUrl: string,
  select: string,
  values: ExecuteValues[] = [],
): Promise<HeldLock> {
  const connection = await createConnection(databaseUrl);
  await connection.query("START TRANSACTION");
  await connection.execute(select, values);
  return {
    async release() {
      await connection.query("ROLLBACK");
      await connection.end();
    },
  };
}
