/** An item that waits for its turn, and its caller. */
export interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

type Batch<Item, Result> = readonly Waiting<Item, Result>[];

/** How items are put together. */
export interface SharedTurns<Item, Result> {
  /** Those that go next, at least one, and in a list of its own those that go on waiting. */
  take(waiting: Batch<Item, Result>): { next: Batch<Item, Result>; rest: Waiting<Item, Result>[] };
  /** Settles every one of them; never rejects. */
  run(batch: Batch<Item, Result>): Promise<void>;
}

// A turn that takes longer, for it is large, waits for a lock or its connection stalls, no longer holds up those behind it.
const SLOW_TURN_MS = 20;

/**
 * Lets concurrent callers share work: a call that finds none under way begins at once; those that come while some is go
 * into the next turn together, with no wait added.
 * @returns resolves, or rejects, as `run` settles the item.
 */
export function shareTurns<Item, Result>({
  take,
  run,
}: SharedTurns<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let busy = false;

  async function begin(): Promise<void> {
    const { next, rest } = take(waiting);
    waiting = rest;
    let blocksNextTurn = true;
    const startNextTurn = () => {
      if (!blocksNextTurn) return;
      blocksNextTurn = false;
      busy = false;
      if (waiting.length > 0) void begin();
    };
    busy = true;
    const slow = setTimeout(startNextTurn, SLOW_TURN_MS);
    await run(next);
    clearTimeout(slow);
    startNextTurn();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) void begin();
    });
}
