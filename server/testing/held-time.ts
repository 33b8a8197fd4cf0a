import { afterEach, beforeEach, onTestFinished, vi } from "vitest";

/** The time of the tests of a file, which stands until they let it pass. */
export interface HeldTime {
  nowMs(): number;
  /** Lets timers run as far. */
  pass(milliseconds: number): void;
}

/** Holds timers, and the clock by which answers are kept, in every test of the file. */
export function holdTime(): HeldTime {
  let nowMs = 0;
  beforeEach(() => {
    nowMs = 1_000;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    // The memory of answers has the clock's object since it was loaded.
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  return {
    nowMs: () => nowMs,
    pass(milliseconds) {
      nowMs += milliseconds;
      vi.advanceTimersByTime(milliseconds);
    },
  };
}

/** Stops the clock by which suppliers' answers are kept, for the test that runs, and no timers. */
export function holdMemory(): Pick<HeldTime, "pass"> {
  let nowMs = performance.now();
  const spy = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  onTestFinished(() => spy.mockRestore());
  return {
    pass(milliseconds) {
      nowMs += milliseconds;
    },
  };
}
