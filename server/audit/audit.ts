import { setTimeout as delay } from "node:timers/promises";
import { type CheckedChain, checkChain, type NotedEnd } from "../actions/check-chain.ts";
import { type Database, type Session, sessionOnConnection } from "../database/database.ts";
import { isLockTimeout } from "../database/faults.ts";
import { portionEnd } from "./audit-store.ts";
import { CHECKS, PORTIONS } from "./checks.ts";

const MAX_ROWS = 100;
/** The books of one account, product or supplier are one portion, however large they are. */
const PORTION_LIMIT_MS = 600_000;
/** While a migration changes a table, its turn is waited for. */
const LOCKED_TABLE_ATTEMPTS = 60;
const LOCKED_TABLE_PAUSE_MS = 500;

/** What the audit needs. */
export interface AuditDependencies {
  readonly database: Database;
  /** How many accounts, orders, … are read at a time; for tests. */
  readonly portionSize?: number;
}

type Row = Readonly<Record<string, string | number | null>>;

/** One check of the books and the rows that break it (at most 100), amounts as decimal digits. */
export interface AuditCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly rows: readonly Row[];
}

/** What an audit has found. */
export interface Audited {
  readonly ok: boolean;
  readonly checks: readonly AuditCheck[];
  /** Where the log of operators' actions ends; who notes it can tell later whether it was made anew or cut off. */
  readonly actionsEnd: NotedEnd;
}

/** Checks what must always be true of the books. */
export function createAudit({ database, portionSize }: AuditDependencies) {
  return {
    /**
     * Runs every check on the books, a portion after the other; safe while the service is at work. Each portion of a check is
     * one statement, which reads all that it compares as it was at one moment, and no transaction outlives it: nothing is
     * kept from being cleaned up, and a migration waits for no more than a portion.
     * @param noted the end of the log of actions, as an earlier audit told it.
     */
    async run(noted: NotedEnd | null = null): Promise<Audited> {
      const connection = await database.reading.acquire();
      try {
        const session = sessionOnConnection(connection, { limitMs: PORTION_LIMIT_MS });
        const found = new Map<string, Row[]>();
        for (const by of Object.keys(PORTIONS) as By[]) {
          await readAll(session, by, portionSize ?? PORTIONS[by].size, found);
        }
        const checks = Object.keys(CHECKS).map((name): AuditCheck => {
          const rows = found.get(name) ?? [];
          return { name, ok: rows.length === 0, rows };
        });
        const chain = await patiently(() => checkChain(session, { noted, maxFaults: MAX_ROWS }));
        const all = [...checks, chainCheck(chain)];
        return { ok: all.every((check) => check.ok), checks: all, actionsEnd: chain.end };
      } finally {
        connection.release();
      }
    },
  };
}

function chainCheck({ faults }: CheckedChain): AuditCheck {
  const rows = faults.map(({ sequence, fault }) => ({ sequence: String(sequence), fault }));
  return { name: "operator_actions_are_one_chain", ok: rows.length === 0, rows };
}

type By = keyof typeof PORTIONS;

/** All keys after `after`, up to `upTo` and with it; null: to the end. */
interface Portion {
  readonly after: string;
  readonly upTo: string | null;
}

/** Runs the checks that are read by the same thing, and adds the rows that break them. */
async function readAll(session: Session, by: By, size: number, found: Map<string, Row[]>): Promise<void> {
  const checks = Object.entries(CHECKS).filter(([, check]) => check.by === by);
  for await (const portion of portionsOf(session, by, size)) {
    for (const [name, { sql }] of checks) {
      const rows = found.get(name) ?? [];
      if (rows.length < MAX_ROWS)
        found.set(name, [...rows, ...(await rowsIn(session, sql, portion, MAX_ROWS - rows.length))]);
    }
  }
}

async function* portionsOf(session: Session, by: By, size: number): AsyncGenerator<Portion> {
  const { key } = PORTIONS[by];
  let after = "";
  for (;;) {
    const start = after;
    const upTo = await patiently(() => portionEnd(session, { table: by, key, size }, start));
    yield { after, upTo };
    if (upTo === null) return;
    after = upTo;
  }
}

async function rowsIn(session: Session, sql: string, { after, upTo }: Portion, most: number): Promise<Row[]> {
  const parameters: string[] = [];
  const statement = sql.replaceAll(/IN_PORTION\(([\w.]+)\)/g, (_, column: string) => {
    parameters.push(after, ...(upTo === null ? [] : [upTo]));
    return upTo === null ? `${column} > ?` : `(${column} > ? AND ${column} <= ?)`;
  });
  const rows = await patiently(() =>
    session.rows<Record<string, unknown>>(`${statement} LIMIT ${MAX_ROWS}`, parameters),
  );
  return rows.slice(0, most).map(printable);
}

async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (!isLockTimeout(error) || attempt === LOCKED_TABLE_ATTEMPTS) throw error;
      await delay(LOCKED_TABLE_PAUSE_MS);
    }
  }
}

function printable(row: Record<string, unknown>): Row {
  const entries = Object.entries(row).map(([name, value]): [string, string | number | null] => [
    name,
    value === null || typeof value === "number" ? value : String(value),
  ]);
  return Object.fromEntries(entries);
}
