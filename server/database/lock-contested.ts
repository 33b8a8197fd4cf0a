import type { Parameter } from "./database.ts";
import { isDeadlock, isLockTimeout, isStatementTimeLimit, RowsInUseError } from "./faults.ts";
import type { Transaction } from "./transaction.ts";

/** Longer than it takes until a row is passed on that many want; then others who wait have waited for long enough. */
const MAX_BRIEF_WAIT_MS = 100;

/** Rows that many transactions want. */
interface ContestedRows {
  /** What is read of them. */
  readonly columns: string;
  /** The column of their names. */
  readonly nameColumn: string;
  /** All from FROM on up to FOR UPDATE; where there are several, in an order that everybody keeps. */
  readonly from: string;
  /** Values of the placeholders: names of rows, one of them perhaps several times. */
  readonly names: readonly (Parameter & string)[];
}

/**
 * Reads contested rows and takes their locks, in line with others who want them, for as long as the transaction may wait for
 * them.
 * @throws {RowsInUseError} in vain, or in a circle of transactions that wait for each other, where one that waits briefly gives way
 *   to who is in line.
 */
export async function lockContested<Row>(
  tx: Transaction,
  rows: ContestedRows,
  maxBriefWaitMs = MAX_BRIEF_WAIT_MS,
): Promise<Row[]> {
  const { columns, from, names } = rows;
  if (tx.lockWait === "brief") return lockBriefly(tx, rows, maxBriefWaitMs);
  try {
    return await tx.rows<Row>(`SELECT ${columns} ${from} FOR UPDATE`, names);
  } catch (error) {
    throw isLockTimeout(error) ? new RowsInUseError(error, names) : error;
  }
}

/** No engine's lock wait is less than a second, so the statement itself has a limit, in the way of either engine. */
async function lockBriefly<Row>(tx: Transaction, rows: ContestedRows, maxWaitMs: number): Promise<Row[]> {
  const { columns, from, names } = rows;
  try {
    return await tx.rows<Row>(
      `/*M! SET STATEMENT max_statement_time = ${maxWaitMs / 1_000} FOR */
       SELECT /*+ MAX_EXECUTION_TIME(${maxWaitMs}) */ ${columns} ${from} FOR UPDATE`,
      names,
    );
  } catch (error) {
    if (!isStatementTimeLimit(error) && !isDeadlock(error)) throw error;
    throw new RowsInUseError(error, await heldByOthers(tx, rows));
  }
}

/** Those that others hold at this moment; asked also where the server has undone the transaction, for it waits for nothing. */
async function heldByOthers(
  tx: Transaction,
  { nameColumn, from, names }: ContestedRows,
): Promise<Set<string>> {
  const free = await tx.rows<{ name: string }>(
    `SELECT ${nameColumn} AS name ${from} FOR UPDATE SKIP LOCKED`,
    names,
  );
  const held = new Set<string>(names);
  for (const { name } of free) held.delete(name);
  return held;
}
