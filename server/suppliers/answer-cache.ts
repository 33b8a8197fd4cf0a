import { LRUCache } from "lru-cache";
import { DomainError } from "../errors.ts";

interface Settings {
  readonly max: number;
  /** How old an answer may be, counted from when it was asked for. */
  readonly ttlMs: number;
  /** The same for a {@link DomainError}, counted from when it came; other errors are not kept. */
  readonly errorTtlMs: number;
}

interface Entry<T> {
  readonly answer: Promise<T>;
  isPending: boolean;
}

/** Keeps answers for a while; those who ask meanwhile, also while it is still being asked for, share one. */
export function createAnswerCache<T>({ max, ttlMs, errorTtlMs }: Settings) {
  // Room for all that it may hold is taken at once: not for a supplier that nobody asks.
  let made: LRUCache<string, Entry<T>> | null = null;
  return {
    /** @param fresh only an answer that is still to come will do. */
    get(key: string, ask: () => Promise<T>, { fresh = false } = {}): Promise<T> {
      made ??= new LRUCache({ max, ttl: ttlMs });
      const entries = made;
      const known = entries.get(key);
      if (known !== undefined && (known.isPending || !fresh)) return known.answer;
      const entry = { answer: ask(), isPending: true };
      entries.set(key, entry);
      const settle = () => {
        entry.isPending = false;
        return entries.peek(key) === entry;
      };
      entry.answer.then(settle, (error: unknown) => {
        if (!settle()) return;
        if (error instanceof DomainError) entries.set(key, entry, { ttl: errorTtlMs });
        else entries.delete(key);
      });
      return entry.answer;
    },
    /** Whether an answer is there, or asked for. */
    has: (key: string): boolean => made?.has(key) ?? false,
    forget: (key: string): void => void made?.delete(key),
  };
}
