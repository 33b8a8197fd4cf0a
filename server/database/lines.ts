import { BulkheadRejectedError, bulkhead } from "cockatiel";
import { combinedWrite, type Write, type WriteOptions } from "./combined-write.ts";
import { ContentionError, RowsInUseError } from "./faults.ts";

/** As many lines as wait at the database at a time, each on a connection; so many more wait for these. */
const MAX_AT_DATABASE = 4;
const MAX_WAITING = 64;

/** The row that an item waits for, and what is to be known of items that are written together. */
type LineOptions<Item> = Pick<WriteOptions<Item>, "kindOf"> &
  Required<Pick<WriteOptions<Item>, "contestedOf">>;

/** Items that wait for one row. */
interface Line<Item, Result> {
  readonly add: (item: Item) => Promise<Result>;
  count: number;
  /** Whether the row was waited for in vain. */
  isHeld: boolean;
}

/**
 * Items in the lines of rows that others hold for long: those of one row are written together and one turn after the other, so
 * that at the database they wait in line with other processes, on one connection. A line ends when nobody is left in it,
 * unless its row could not be had.
 */
export function createLines<Item, Result>(
  write: Write<Item, Result>,
  { kindOf, contestedOf }: LineOptions<Item>,
) {
  const lines = new Map<string, Line<Item, Result>>();
  const atDatabase = bulkhead(MAX_AT_DATABASE, MAX_WAITING);

  function lineOf(row: string): Line<Item, Result> {
    const known = lines.get(row);
    if (known !== undefined) return known;
    const writeNext: Write<Item, Result> = (items) => atDatabase.execute(() => writeInLine(line, items));
    const rowsOf = () => [row];
    const add = combinedWrite(writeNext, { ...(kindOf && { kindOf }), contestedOf, rowsOf });
    const line: Line<Item, Result> = { add, count: 0, isHeld: false };
    lines.set(row, line);
    return line;
  }

  async function writeInLine(line: Line<Item, Result>, items: readonly Item[]): Promise<readonly Result[]> {
    try {
      const results = await write(items);
      line.isHeld = false;
      return results ?? [];
    } catch (error) {
      line.isHeld = error instanceof RowsInUseError;
      throw error;
    }
  }

  return {
    /** Begins the line of an item's row; it stays until the row was had. */
    open(item: Item): void {
      lineOf(contestedOf(item)).isHeld = true;
    },

    /** Whether an item has to wait in the line of its row. */
    has: (item: Item) => lines.has(contestedOf(item)),

    /** Writes an item in its turn. @throws {ContentionError} its row was waited for in vain. */
    async add(item: Item): Promise<Result> {
      const row = contestedOf(item);
      const line = lineOf(row);
      line.count += 1;
      try {
        return await line.add(item);
      } catch (error) {
        throw error instanceof BulkheadRejectedError ? new ContentionError(error) : error;
      } finally {
        line.count -= 1;
        if (line.count === 0 && !line.isHeld) lines.delete(row);
      }
    },
  };
}
