/** How long nothing may have been heard of a process until its work is taken up by others. */
const SILENT_AFTER_MS = 6_000;
/**
 * The longest that may lie between two looks. Who has not looked for longer, being frozen or without the database, does not
 * know whether the others could say that they live. With two times between signs of life it is no longer than the above.
 */
const MAX_GAP_MS = 3_000;

/** The last sign of life of a process: a value that is another one each time. */
export interface SignOfLife {
  readonly processId: string;
  readonly untilMs: bigint;
}

/**
 * Tells which processes have gone silent, from looking at their signs of life again and again. Clocks are not compared: a
 * process is silent when its sign has stayed the same for six seconds in which this one has looked all the time.
 */
export function createSilence() {
  let seen = new Map<string, { readonly untilMs: bigint; readonly sinceMs: number }>();
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return {
    /** @param nowMs of a clock that is never set. */
    look(signs: readonly SignOfLife[], nowMs: number): void {
      const known = nowMs - lookedAtMs > MAX_GAP_MS ? new Map() : seen;
      lookedAtMs = nowMs;
      seen = new Map(
        signs.map(({ processId, untilMs }) => {
          const before = known.get(processId);
          const isSame = before !== undefined && before.untilMs === untilMs;
          return [processId, isSame ? before : { untilMs, sinceMs: nowMs }];
        }),
      );
    },

    /** Those that are silent, as far as is known now. */
    silent(nowMs: number): string[] {
      if (nowMs - lookedAtMs > MAX_GAP_MS) return [];
      return [...seen].flatMap(([id, { sinceMs }]) => (lookedAtMs - sinceMs >= SILENT_AFTER_MS ? [id] : []));
    },
  };
}
