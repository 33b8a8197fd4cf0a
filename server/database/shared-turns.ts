import { ContentionError } from "./faults.ts";

/** An item that waits for its turn, and its caller. */
export interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  readonly sinceMs: number;
}

type Batch<Item, Result> = readonly Waiting<Item, Result>[];

/** How items are put together. */
export interface SharedTurns<Item, Result> {
  /** Those that go next, at least one, and in a list of its own those that go on waiting. */
  take(waiting: Batch<Item, Result>): { next: Batch<Item, Result>; rest: Waiting<Item, Result>[] };
  /** Settles every one of them; never rejects. */
  run(batch: Batch<Item, Result>): Promise<void>;
  /** The names of what an item needs for itself while it is worked on; none when not given. */
  rowsOf?(item: Item): readonly string[];
}

// A turn that takes longer, for it is large, waits for a lock or its connection stalls, no longer holds up those behind it
// that need other rows.
const SLOW_TURN_MS = 20;
/** As long as an item waits for rows that a slow turn needs as well. */
const MAX_WAIT_FOR_ROWS_MS = 4_000;

/**
 * Lets concurrent callers share work: a call that finds none under way begins at once; those that come while some is go
 * into the next turn together, with no wait added. A turn that is slow is overtaken, but not by items that need the same
 * rows: these would only take more connections to wait behind the same locks.
 * @returns resolves, or rejects, as `run` settles the item. @throws {ContentionError} its rows were in use for too long.
 */
export function shareTurns<Item, Result>({
  take,
  run,
  rowsOf = () => [],
}: SharedTurns<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let busy = false;
  /** How many slow turns need each row. */
  const taken = new Map<string, number>();

  function startNextTurn(): void {
    if (busy || waiting.length === 0) return;
    const free = taken.size === 0 ? waiting : waiting.filter(({ item }) => !rowsOf(item).some(isTaken));
    if (free.length === 0) return;
    const { next, rest } = take(free);
    waiting = free === waiting ? rest : waiting.filter((one) => !next.includes(one));
    void runTurn(next);
  }

  async function runTurn(batch: Batch<Item, Result>): Promise<void> {
    busy = true;
    let isSlow = false;
    const slow = setTimeout(() => {
      isSlow = true;
      busy = false;
      countRows(batch, 1);
      startNextTurn();
    }, SLOW_TURN_MS);
    await run(batch);
    clearTimeout(slow);
    if (isSlow) countRows(batch, -1);
    else busy = false;
    refuseLongWaiting();
    startNextTurn();
  }

  const isTaken = (row: string) => taken.has(row);

  function countRows(batch: Batch<Item, Result>, change: number): void {
    for (const row of batch.flatMap(({ item }) => rowsOf(item))) {
      const count = (taken.get(row) ?? 0) + change;
      if (count === 0) taken.delete(row);
      else taken.set(row, count);
    }
  }

  function refuseLongWaiting(): void {
    if (taken.size === 0) return;
    const latestMs = performance.now() - MAX_WAIT_FOR_ROWS_MS;
    const [tooLong = [], others = []] = [true, false].map((isLong) =>
      waiting.filter(({ sinceMs }) => sinceMs < latestMs === isLong),
    );
    waiting = others;
    for (const { reject } of tooLong) reject(new ContentionError(null));
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject, sinceMs: performance.now() });
      startNextTurn();
    });
}
