import { combinedWrite, type Write, type WriteOptions } from "./combined-write.ts";
import type { Database } from "./database.ts";
import { RowsInUseError } from "./faults.ts";
import { createLines } from "./lines.ts";
import { BRIEF, IN_LINE, type LockWaits, type Transaction, transaction } from "./transaction.ts";

/**
 * Who has its row from the line, and waits for what others have locked, may be ended by the server, where one of these waits for
 * that row. The row is being passed on then, so the next attempt waits for it as briefly as they do, behind them.
 */
const IN_LINE_BY_TURNS: LockWaits = [
  ...(["in line", "brief", "in line", "brief", "in line"] as const),
  ...(["brief", "in line", "brief", "in line", "brief"] as const),
];

/**
 * A {@link combinedWrite} whose writes are transactions. One that meets a contested row which somebody holds for longer than a
 * moment is undone, since others may wait for what it has locked. Those of its items that want the row go into the row's line:
 * there they wait with what nobody else wants, and share transactions with none who could do without the row.
 */
export function combinedTransaction<Item, Result = void>(
  database: Database,
  write: (tx: Transaction, items: readonly Item[]) => ReturnType<Write<Item, Result>>,
  options: Omit<WriteOptions<Item>, "isElsewhere"> = {},
): (item: Item) => Promise<Result> {
  const writeAs =
    (lockWaits: LockWaits): Write<Item, Result> =>
    (items) =>
      transaction<unknown>(database, (tx) => write(tx, items), lockWaits) as ReturnType<Write<Item, Result>>;
  const { contestedOf } = options;
  if (contestedOf === undefined) return combinedWrite<Item, Result>(writeAs(IN_LINE), options);

  const lines = createLines<Item, Result>(writeAs(IN_LINE_BY_TURNS), { ...options, contestedOf });
  const writeBriefly = writeAs(BRIEF);
  const writeOrOpenLines: Write<Item, Result> = async (items) => {
    try {
      return (await writeBriefly(items)) as readonly Result[];
    } catch (error) {
      if (error instanceof RowsInUseError)
        for (const item of items) if (error.rows.has(contestedOf(item))) lines.open(item);
      throw error;
    }
  };
  const addToOthers = combinedWrite(writeOrOpenLines, { ...options, isElsewhere: lines.has });
  return async (item) => {
    if (!lines.has(item)) {
      try {
        return await addToOthers(item);
      } catch (error) {
        if (!(error instanceof RowsInUseError)) throw error;
      }
    }
    return lines.add(item);
  };
}
