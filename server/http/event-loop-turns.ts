/** How long work of one kind may keep all other requests waiting at a time. */
const SLICE_MS = 1;

const waiting: (() => void)[] = [];
let spentMs = 0;
let isNextTurnAwaited = false;

/**
 * Does a part of some long work: at once, or when the event loop has turned, so that all long work together takes no more
 * than a millisecond of each turn, and other requests are answered in between.
 */
export function inTurn<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const run = () => {
      const startedMs = performance.now();
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
      spentMs += performance.now() - startedMs;
    };
    if (waiting.length === 0 && spentMs < SLICE_MS) run();
    else waiting.push(run);
    awaitNextTurn();
  });
}

function awaitNextTurn(): void {
  if (isNextTurnAwaited) return;
  isNextTurnAwaited = true;
  setImmediate(() => {
    isNextTurnAwaited = false;
    spentMs = 0;
    while (waiting.length > 0 && spentMs < SLICE_MS) waiting.shift()?.();
    if (waiting.length > 0) awaitNextTurn();
  });
}
