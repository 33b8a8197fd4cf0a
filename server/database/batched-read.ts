import { shareTurns } from "./shared-turns.ts";

const KEYS_PER_READ = 64;

/**
 * Lets concurrent calls share reads without ever giving any of them something stale: each call is answered by a read
 * that began after the call did. A call on an idle reader begins at once; those that come while a read is under way are
 * put together into the next. A read that fails fails all whose keys were in it.
 * @param read gives one value per key, in the order of the keys.
 */
export function batchedRead<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  return shareTurns<Key, Value>({
    take: (waiting) => ({ next: waiting.slice(0, KEYS_PER_READ), rest: waiting.slice(KEYS_PER_READ) }),
    async run(batch) {
      try {
        const values = await read(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(values[index] as Value);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    },
  });
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
