import type { Session } from "./database.ts";

/** The database's own clock decides, so that processes whose clocks differ agree. */
export const DATABASE_NOW_MS = "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)";

/** The database's time, in Unix milliseconds. */
export async function databaseTimeMs(session: Session): Promise<number> {
  const [row] = await session.rows<{ now_ms: bigint }>(`SELECT ${DATABASE_NOW_MS} AS now_ms`);
  return Number(row?.now_ms);
}

/** Makes the table and the row of a lease; what migrations need is there before any of them. */
export async function createLease(session: Session, name: string): Promise<void> {
  await session.change(
    `CREATE TABLE IF NOT EXISTS service_leases (
       name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
       holder VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
       until_ms BIGINT NOT NULL
     ) ENGINE=InnoDB`,
  );
  await session.change("INSERT IGNORE INTO service_leases (name, holder, until_ms) VALUES (?, NULL, 0)", [
    name,
  ]);
}

/** Takes a lease that has no holder, or one that has not renewed it. @returns whether it was taken. */
export async function takeLease(
  session: Session,
  { name, holder, leaseMs }: { name: string; holder: string; leaseMs: number },
): Promise<boolean> {
  const taken = await session.change(
    `UPDATE service_leases SET holder = ?, until_ms = ${DATABASE_NOW_MS} + ? WHERE name = ? AND until_ms < ${DATABASE_NOW_MS}`,
    [holder, leaseMs, name],
  );
  return taken === 1;
}

/** Whether the last holder of a lease did not give it back. */
export async function hasHolder(session: Session, name: string): Promise<boolean> {
  const [row] = await session.rows<{ holder: string | null }>(
    "SELECT holder FROM service_leases WHERE name = ?",
    [name],
  );
  return row !== undefined && row.holder !== null;
}

/** Keeps a lease for longer. @returns whether it was still the holder's. */
export async function renewLease(
  session: Session,
  { name, holder, leaseMs }: { name: string; holder: string; leaseMs: number },
): Promise<boolean> {
  const renewed = await session.change(
    `UPDATE service_leases SET until_ms = ${DATABASE_NOW_MS} + ? WHERE name = ? AND holder = ?`,
    [leaseMs, name, holder],
  );
  return renewed === 1;
}

/** Gives a lease back. */
export async function endLease(session: Session, name: string, holder: string): Promise<void> {
  await session.change(
    "UPDATE service_leases SET holder = NULL, until_ms = 0 WHERE name = ? AND holder = ?",
    [name, holder],
  );
}

/** Ends a lease whose holder is known to be dead. */
export async function forgetHolder(session: Session, name: string): Promise<void> {
  await session.change("UPDATE service_leases SET holder = NULL, until_ms = 0 WHERE name = ?", [name]);
}

/** The lease of the process that rolls up statistics. */
export const ROLLUPS_LEASE = "rollups";

/** The name of a row that is only written to see whether the database takes changes. */
export const WRITE_PROBE = "write-probe";

/** Writes that row. @throws when the database takes no changes. */
export async function writeProbe(session: Session): Promise<void> {
  await session.change(`UPDATE service_leases SET until_ms = ${DATABASE_NOW_MS} WHERE name = ?`, [
    WRITE_PROBE,
  ]);
}
