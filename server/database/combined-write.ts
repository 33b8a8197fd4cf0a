import type { Database } from "./database.ts";
import { CommitOutcomeUnknownError, ContentionError, isLockTimeout } from "./faults.ts";
import { shareTurns, type Waiting } from "./shared-turns.ts";
import { type Transaction, transaction } from "./transaction.ts";

/** Writes all items in one transaction, or nothing and throws. Gives one result per item, in their order, or none at all. */
type Write<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]> | Promise<void>;

// More in one transaction would save little, and each size is a statement of its own on every connection.
const MAX_ITEMS = 16;

/** What is to be known of items. */
interface WriteOptions<Item> {
  /** Items of different kinds are written by different statements, so there may be as many of each. */
  readonly kindOf?: (item: Item) => unknown;
  /** The names of the rows that an item locks; while a write that needs one of them is slow, the item waits for it. */
  readonly rowsOf?: (item: Item) => readonly string[];
  /** Items that would only fail a batch: each is written by itself, and between two of them those that wait for none. */
  readonly isApart?: (item: Item) => boolean;
}

/** What is to be known of items that are written in transactions. */
interface TransactionOptions<Item> extends Omit<WriteOptions<Item>, "isApart"> {
  readonly contested?: Contested<Item>;
}

/** A row of each item that others may hold for long. */
export interface Contested<Item> {
  rowOf(item: Item): string;
  /**
   * Locks those rows of the items, or throws at once. Asked of items whose row could not be locked in time lately, before
   * anything else is locked: nobody else is then kept waiting by what they have locked already.
   */
  lockAtOnce(tx: Transaction, items: readonly Item[]): Promise<void>;
}

/**
 * Lets concurrent callers share transactions: a call that finds no write under way begins at once; those that come while a
 * write is under way go into the next one together, with no wait added. One that fails the batch sends each into a
 * transaction of its own, so that every caller gets what would have come of it alone.
 * @param write is given lists of 1, 2, 4, 8 or 16 items, so that few different statements are prepared.
 * @returns resolves with the item's result when it is written. When the commit of a shared write got no answer, each of its
 *   callers is given that error.
 */
export function combinedWrite<Item, Result = void>(
  write: Write<Item, Result>,
  { kindOf = () => null, rowsOf, isApart = () => false }: WriteOptions<Item> = {},
): (item: Item) => Promise<Result> {
  let lastWasApart = false;
  return shareTurns<Item, Result>({
    ...(rowsOf && { rowsOf }),
    take(waiting) {
      const [apart, others] = divide(waiting, ({ item }) => isApart(item));
      lastWasApart = apart.length > 0 && (others.length === 0 || !lastWasApart);
      const next = lastWasApart ? new Set(apart.slice(0, 1)) : batchOf(others, kindOf);
      return { next: [...next], rest: waiting.filter((one) => !next.has(one)) };
    },
    run: (batch) => writeTogether(write, batch),
  });
}

/** A {@link combinedWrite} whose writes are transactions. */
export function combinedTransaction<Item, Result = void>(
  database: Database,
  write: (tx: Transaction, items: readonly Item[]) => ReturnType<Write<Item, Result>>,
  { contested, ...options }: TransactionOptions<Item> = {},
): (item: Item) => Promise<Result> {
  const run = (items: readonly Item[], first?: (tx: Transaction) => Promise<void>) =>
    transaction<unknown>(database, async (tx) => {
      await first?.(tx);
      return write(tx, items);
    }) as ReturnType<Write<Item, Result>>;
  if (contested === undefined) return combinedWrite<Item, Result>((items) => run(items), options);

  const { rowOf, lockAtOnce } = contested;
  /** Rows that could not be locked in time, until a transaction has had them. */
  const held = new Set<string>();
  const isSuspected = (item: Item) => held.has(rowOf(item));
  const writeItems = async (items: readonly Item[]) => {
    const suspected = items.filter(isSuspected);
    const first = (tx: Transaction) => lockAtOnce(tx, suspected);
    try {
      const results = await run(items, suspected.length === 0 ? undefined : first);
      for (const item of suspected) held.delete(rowOf(item));
      return results as readonly Result[];
    } catch (error) {
      // Of several items it is not known whose row it was: each is written alone then, and has to have its row first.
      if (error instanceof ContentionError && isLockTimeout(error.cause))
        for (const item of items) held.add(rowOf(item));
      throw error;
    }
  };
  return combinedWrite<Item, Result>(writeItems, { ...options, isApart: isSuspected });
}

function divide<T>(
  items: readonly T[],
  isFirst: (item: T) => boolean,
): [first: readonly T[], others: readonly T[]] {
  const first = items.filter(isFirst);
  return first.length === 0 ? [first, items] : [first, items.filter((item) => !isFirst(item))];
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
  write: Write<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = (await write(batch.map(({ item }) => item))) ?? [];
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  } catch (error) {
    if (batch.length === 1 || error instanceof CommitOutcomeUnknownError) {
      for (const { reject } of batch) reject(error);
      return;
    }
    await Promise.all(batch.map((one) => writeTogether(write, [one])));
  }
}

function largestPowerOfTwo(count: number): number {
  return 2 ** Math.floor(Math.log2(count));
}
