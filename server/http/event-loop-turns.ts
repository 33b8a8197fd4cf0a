/** How long work of one kind may keep all other requests waiting at a time. */
const SLICE_MS = 0.5;
/** For each thing that nobody waits for, so long passes between two of them, and at the most so long. */
const UNHURRIED_MS = 2;
const MOST_UNHURRIED_MS = 32;

/** A part of some long work that waits for its turn. */
interface Part {
  readonly rest: number;
  run(): void;
}

const waiting: Part[] = [];
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

/**
 * Does what nobody waits for, one such thing in two milliseconds, and less often the more there are: however many ask for it, it
 * takes a small part of the processor.
 */
export const unhurriedly = createUnhurried();

/** Makes an {@link unhurriedly} that knows of no other's work. */
export function createUnhurried(): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  function awaitNext(): void {
    setTimeout(doNext, Math.min(waiting.length * UNHURRIED_MS, MOST_UNHURRIED_MS));
  }
  function doNext(): void {
    const [work] = waiting;
    work?.();
    waiting.shift();
    if (waiting.length > 0) awaitNext();
  }
  return (work) => {
    waiting.push(work);
    if (waiting.length === 1) awaitNext();
  };
}

function awaitNextTurn(): void {
  if (isNextTurnAwaited) return;
  isNextTurnAwaited = true;
  setImmediate(() => {
    isNextTurnAwaited = false;
    spentMs = 0;
    while (waiting.length > 0 && spentMs < SLICE_MS) takeNearest().run();
    if (waiting.length > 0) awaitNextTurn();
  });
}

/** Of those that are as near, the first that came. */
function takeNearest(): Part {
  let nearest = 0;
  for (const [index, { rest }] of waiting.entries())
    if (rest < (waiting[nearest] as Part).rest) nearest = index;
  return waiting.splice(nearest, 1)[0] as Part;
}
