import { type Database, sessionOnConnection } from "../database/database.ts";
import { CHECKS } from "./checks.ts";

const MAX_ROWS = 100;
/** A check reads whole tables. */
const CHECK_LIMIT_MS = 3_600_000;

/** What the audit needs. */
export interface AuditDependencies {
  readonly database: Database;
}

/** One check of the books and the rows that break it (at most 100), amounts as decimal digits. */
export interface AuditCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
}

/** Checks what must always be true of the books. */
export function createAudit({ database }: AuditDependencies) {
  return {
    /** Runs every check on one consistent view of the database; safe while the service is at work. */
    async run(): Promise<{ ok: boolean; checks: AuditCheck[] }> {
      const connection = await database.writing.acquire();
      const set = (sql: string) => connection.promise().query(sql);
      try {
        await set("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        await set("START TRANSACTION WITH CONSISTENT SNAPSHOT");
        const session = sessionOnConnection(connection, { limitMs: CHECK_LIMIT_MS });
        const checks: AuditCheck[] = [];
        for (const [name, sql] of Object.entries(CHECKS)) {
          const rows = await session.rows<Record<string, unknown>>(`${sql} LIMIT ${MAX_ROWS}`);
          checks.push({ name, ok: rows.length === 0, rows: rows.map(printable) });
        }
        return { ok: checks.every((check) => check.ok), checks };
      } finally {
        // The snapshot must not outlive the audit on a connection that others use.
        await set("ROLLBACK").catch(() => connection.destroy());
        connection.release();
      }
    },
  };
}

function printable(row: Record<string, unknown>): Record<string, string | number | null> {
  const entries = Object.entries(row).map(([name, value]): [string, string | number | null] => [
    name,
    value === null || typeof value === "number" ? value : String(value),
  ]);
  return Object.fromEntries(entries);
}
