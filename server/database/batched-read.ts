import { DatabaseUnavailableError } from "./faults.ts";
import { shareTurns, type Waiting } from "./shared-turns.ts";

const KEYS_PER_READ = 64;

/** Gives one value per key, in the order of the keys. */
type Read<Key, Value> = (keys: readonly Key[]) => Promise<readonly Value[]>;

/**
 * Lets concurrent calls share reads without ever giving any of them something stale: each call is answered by a read
 * that began after the call did. A call on an idle reader begins at once; those that come while a read is under way are
 * put together into the next. A read that fails has each key read by itself, so that none fails the others; where the database
 * is away, it fails them all.
 */
export function batchedRead<Key, Value>(read: Read<Key, Value>): (key: Key) => Promise<Value> {
  return shareTurns<Key, Value>({
    take: (waiting) => ({ next: waiting.slice(0, KEYS_PER_READ), rest: waiting.slice(KEYS_PER_READ) }),
    run: (batch) => readTogether(read, batch),
  });
}

async function readTogether<Key, Value>(
  read: Read<Key, Value>,
  batch: readonly Waiting<Key, Value>[],
): Promise<void> {
  try {
    const values = await read(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(values[index] as Value);
  } catch (error) {
    const isOfAll = new Set(batch.map(({ item }) => item)).size === 1;
    if (isOfAll || error instanceof DatabaseUnavailableError) for (const { reject } of batch) reject(error);
    else await Promise.all(batch.map((one) => readTogether(read, [one])));
  }
}

/** A {@link batchedRead} of one thing that everybody wants. */
export function batchedSingleRead<Value>(read: () => Promise<Value>): () => Promise<Value> {
  const batched = batchedRead<undefined, Value>(async (keys) => {
    const value = await read();
    return keys.map(() => value);
  });
  return () => batched(undefined);
}

/** The items, the last one repeated up to the next power of two, so that few different statements are prepared. */
export function paddedToPowerOfTwo<T>(items: readonly T[]): T[] {
  const last = items.at(-1);
  if (last === undefined) return [];
  const length = 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...Array<T>(length - items.length).fill(last)];
}
