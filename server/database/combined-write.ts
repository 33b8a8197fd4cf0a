import type { Database } from "./database.ts";
import { shareTurns, type Waiting } from "./shared-turns.ts";
import { CommitOutcomeUnknownError, type Transaction, transaction } from "./transaction.ts";

/** Writes all items in one transaction, or nothing and throws. Gives one result per item, in their order, or none at all. */
type Write<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]> | Promise<void>;

// More in one transaction would save little, and each size is a statement of its own on every connection.
const MAX_ITEMS = 16;

/**
 * Lets concurrent callers share transactions: a call that finds no write under way begins at once; those that come while a
 * write is under way go into the next one together, with no wait added. One that fails the batch sends each into a
 * transaction of its own, so that every caller gets what would have come of it alone.
 * @param write is given lists of 1, 2, 4, 8 or 16 items, so that few different statements are prepared.
 * @param kindOf items of different kinds are written by different statements, so there may be as many of each.
 * @returns resolves with the item's result when it is written. When the commit of a shared write got no answer, each of its
 *   callers is given that error.
 */
export function combinedWrite<Item, Result = void>(
  write: Write<Item, Result>,
  kindOf: (item: Item) => unknown = () => null,
): (item: Item) => Promise<Result> {
  return shareTurns<Item, Result>({
    take(waiting) {
      const next = batchOf(waiting, kindOf);
      return { next: [...next], rest: waiting.filter((one) => !next.has(one)) };
    },
    run: (batch) => writeTogether(write, batch),
  });
}

/**
 * A {@link combinedWrite} whose writes are transactions. One that is shared waits only once for a lock: another
 * transaction may hold for long what one item needs, and the others need not wait for that.
 */
export function combinedTransaction<Item, Result = void>(
  database: Database,
  write: (tx: Transaction, items: readonly Item[]) => ReturnType<Write<Item, Result>>,
  kindOf?: (item: Item) => unknown,
): (item: Item) => Promise<Result> {
  return combinedWrite<Item, Result>(
    (items) =>
      transaction<unknown>(database, (tx) => write(tx, items), {
        retriesLockTimeout: items.length === 1,
      }) as ReturnType<Write<Item, Result>>,
    kindOf,
  );
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
