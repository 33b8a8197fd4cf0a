/** How long work of one kind may keep all other requests waiting at a time. */
const SLICE_MS = 0.5;

/** A part of some long work that waits for its turn. */
interface Part {
  readonly rest: number;
  run(): void;
}

const waiting: Part[] = [];
const unhurried: (() => void)[] = [];
let spentMs = 0;
let isNextTurnAwaited = false;

/**
 * Does a part of some long work: at once, or when the event loop has turned, so that all long work together takes no more
 * than half a millisecond of each turn, and other requests are answered in between. What is nearest to its end goes first: the
 * small wait for nothing but each other, and of the large no more than one is half done, whose parts fill the memory.
 * @param rest how much is left of the whole work, this part included.
 */
export function inTurn<T>(rest: number, work: () => T): Promise<T> {
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
    else waiting.push({ rest, run });
    awaitNextTurn();
  });
}

/** Does what nobody waits for when the event loop has turned, one such thing in each turn. */
export function unhurriedly(work: () => void): void {
  unhurried.push(work);
  awaitNextTurn();
}

function awaitNextTurn(): void {
  if (isNextTurnAwaited) return;
  isNextTurnAwaited = true;
  setImmediate(() => {
    isNextTurnAwaited = false;
    spentMs = 0;
    while (waiting.length > 0 && spentMs < SLICE_MS) takeNearest().run();
    unhurried.shift()?.();
    if (waiting.length > 0 || unhurried.length > 0) awaitNextTurn();
  });
}

/** Of those that are as near, the first that came. */
function takeNearest(): Part {
  let nearest = 0;
  for (const [index, { rest }] of waiting.entries())
    if (rest < (waiting[nearest] as Part).rest) nearest = index;
  return waiting.splice(nearest, 1)[0] as Part;
}
