import { CommitOutcomeUnknownError, RowsInUseError } from "./faults.ts";
import { inPowerOfTwoChunks } from "./many-rows.ts";
import { shareTurns, type Waiting } from "./shared-turns.ts";

/** Writes all items in one transaction, or nothing and throws. Gives one result per item, in their order, or none at all. */
export type Write<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]> | Promise<void>;

// More in one transaction would save little, and each size is a statement of its own on every connection.
const MAX_ITEMS = 16;

/** What is to be known of items. */
export interface WriteOptions<Item> {
  /** Items of different kinds are written by different statements, so there may be as many of each. */
  readonly kindOf?: (item: Item) => unknown;
  /** The names of the rows that an item locks; while a write that needs one of them is slow, the item waits for it. */
  readonly rowsOf?: (item: Item) => readonly string[];
  /** The name of the contested row that an item locks; see {@link RowsInUseError}. */
  readonly contestedOf?: (item: Item) => string;
  /** Items that are written elsewhere by the time of their turn: they are refused with a {@link RowsInUseError}. */
  readonly isElsewhere?: (item: Item) => boolean;
}

/** How a batch is written. */
interface Writing<Item, Result> {
  readonly write: Write<Item, Result>;
  readonly kindOf: (item: Item) => unknown;
  readonly isHeld: (item: Item, rows: ReadonlySet<string>) => boolean;
}

/**
 * Lets concurrent callers share transactions: a call that finds no write under way begins at once; those that come while a
 * write is under way go into the next one together, with no wait added. One that fails the batch sends each into a
 * transaction of its own, so that every caller gets what would have come of it alone. Where the batch failed for rows that
 * others hold, only those of its items that want one of these are refused, and the others are written together again.
 * @param write is given lists of 1, 2, 4, 8 or 16 items, so that few different statements are prepared.
 * @returns resolves with the item's result when it is written. When the commit of a shared write got no answer, each of its
 *   callers is given that error.
 */
export function combinedWrite<Item, Result = void>(
  write: Write<Item, Result>,
  { kindOf = () => null, rowsOf, contestedOf, isElsewhere = () => false }: WriteOptions<Item> = {},
): (item: Item) => Promise<Result> {
  const isHeld = (item: Item, rows: ReadonlySet<string>) =>
    contestedOf !== undefined && rows.has(contestedOf(item));
  return shareTurns<Item, Result>({
    ...(rowsOf && { rowsOf }),
    take(waiting) {
      const elsewhere = waiting.filter(({ item }) => isElsewhere(item));
      const next = elsewhere.length > 0 ? new Set(elsewhere) : batchOf(waiting, kindOf);
      return { next: [...next], rest: waiting.filter((one) => !next.has(one)) };
    },
    async run(batch) {
      if (!batch.some(({ item }) => isElsewhere(item)))
        return writeTogether({ write, kindOf, isHeld }, batch);
      for (const { reject } of batch) reject(new RowsInUseError(null));
    },
  });
}

/** Those of each kind that have waited longest. */
function batchOf<Item, Result>(
  waiting: readonly Waiting<Item, Result>[],
  kindOf: (item: Item) => unknown,
): ReadonlySet<Waiting<Item, Result>> {
  const kinds = Map.groupBy(waiting, ({ item }) => kindOf(item)).values();
  return new Set(
    [...kinds].flatMap((some) => some.slice(0, largestPowerOfTwo(Math.min(some.length, MAX_ITEMS)))),
  );
}

async function writeTogether<Item, Result>(
  writing: Writing<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = (await writing.write(batch.map(({ item }) => item))) ?? [];
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  } catch (error) {
    const refused = refusedOf(writing, batch, error);
    for (const { reject } of refused) reject(error);
    const rest = batch.filter((one) => !refused.includes(one));
    const lists = refused.length === 0 ? rest.map((one) => [one]) : listsOf(rest, writing.kindOf);
    await Promise.all(lists.map((some) => writeTogether(writing, some)));
  }
}

/** Those of a batch whose outcome an error is; of the others it is not known what would become of them. */
function refusedOf<Item, Result>(
  { isHeld }: Writing<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
  error: unknown,
): readonly Waiting<Item, Result>[] {
  if (batch.length === 1 || error instanceof CommitOutcomeUnknownError) return batch;
  return error instanceof RowsInUseError ? batch.filter(({ item }) => isHeld(item, error.rows)) : [];
}

/** What goes together when it is written again; of each kind there are as many in a list as a power of two. */
function listsOf<Item, Result>(
  items: readonly Waiting<Item, Result>[],
  kindOf: (item: Item) => unknown,
): (readonly Waiting<Item, Result>[])[] {
  const kinds = Map.groupBy(items, ({ item }) => kindOf(item)).values();
  return [...kinds].flatMap(inPowerOfTwoChunks);
}

function largestPowerOfTwo(count: number): number {
  return 2 ** Math.floor(Math.log2(count));
}
