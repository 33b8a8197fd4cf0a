import type { Session } from "../database/database.ts";
import { DATABASE_NOW_MS } from "../database/lease-store.ts";
import type { SignOfLife } from "./silence.ts";

/** A process of the service. */
export interface ServiceProcess {
  readonly processId: string;
  /** Where it runs, for people. */
  readonly name: string;
  /** What tells its encryption keys from others, the one that it encrypts with first; see `Cipher.keyFingerprints`. */
  readonly encryptionKeys: readonly string[];
}

interface ProcessRow {
  process_id: string;
  name: string;
  encryption_keys: string;
}

/** Records that a process lives, from now on for `leaseMs` of the database's clock. */
export async function recordProcess(
  session: Session,
  { processId, name, encryptionKeys }: ServiceProcess,
  leaseMs: number,
): Promise<void> {
  await session.change(
    `INSERT INTO service_processes (process_id, name, encryption_keys, until_ms) VALUES (?, ?, ?, ${DATABASE_NOW_MS} + ?)
     ON DUPLICATE KEY UPDATE until_ms = VALUES(until_ms)`,
    [processId, name, encryptionKeys.join(","), leaseMs],
  );
}

/** Removes a process that ends. */
export async function removeProcess(session: Session, processId: string): Promise<void> {
  await session.change("DELETE FROM service_processes WHERE process_id = ?", [processId]);
}

/** Removes the processes that have ended without saying so, that long ago. */
export async function removeDeadProcesses(session: Session, deadForMs: number): Promise<void> {
  await session.change(`DELETE FROM service_processes WHERE until_ms < ${DATABASE_NOW_MS} - ?`, [deadForMs]);
}

/** What each process has said last, also those that are dead, and whether it still counts as living. */
export async function findSignsOfLife(session: Session): Promise<(SignOfLife & { lives: boolean })[]> {
  const rows = await session.rows<{ process_id: string; until_ms: bigint; lives: number | bigint }>(
    `SELECT process_id, until_ms, until_ms >= ${DATABASE_NOW_MS} AS lives FROM service_processes`,
  );
  return rows.map(({ process_id, until_ms, lives }) => ({
    processId: process_id,
    untilMs: until_ms,
    lives: Number(lives) === 1,
  }));
}

/** The processes that live, by name. */
export async function findProcesses(session: Session): Promise<ServiceProcess[]> {
  const rows = await session.rows<ProcessRow>(
    `SELECT process_id, name, encryption_keys FROM service_processes WHERE until_ms >= ${DATABASE_NOW_MS}
     ORDER BY name, process_id`,
  );
  return rows.map((row) => ({
    processId: row.process_id,
    name: row.name,
    encryptionKeys: row.encryption_keys.split(","),
  }));
}
