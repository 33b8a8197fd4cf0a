const NOTHING = Buffer.alloc(0);
const BLANK_LINES = [Buffer.from("\n\n"), Buffer.from("\n\r\n")];
const MAX_BLANK_LINE_BYTES = 3;
/** Larger events are passed on in pieces. */
const MAX_BUFFERED_BYTES = 16 * 1024;

/**
 * Lets a stream pass event by event: the beginning of an event waits for its end, unless it is large. So whatever breaks,
 * the client has whole events, and can read what it is told after the last of them.
 */
export class EventBuffer {
  #held: Buffer = NOTHING;
  /** The last bytes that have passed of an event that was too large to wait; empty between events. */
  #begun: Buffer = NOTHING;

  /** Whether all that has passed are whole events. */
  get betweenEvents(): boolean {
    return this.#begun.length === 0;
  }

  /** What may pass now that these bytes have come; may be empty. */
  pass(chunk: Buffer): Buffer {
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = this.#endOfLastEvent(all);
    const tooLarge = all.length - end > MAX_BUFFERED_BYTES;
    // A copy, so that a few bytes do not keep a whole chunk in memory.
    this.#held = tooLarge || end === all.length ? NOTHING : Buffer.from(all.subarray(end));
    if (tooLarge) this.#begun = Buffer.from(all.subarray(-MAX_BLANK_LINE_BYTES));
    else if (end > 0) this.#begun = NOTHING;
    return tooLarge ? all : all.subarray(0, end);
  }

  /** Lets go of what is waiting, at the end of the stream. */
  rest(): Buffer {
    const rest = this.#held;
    this.#held = NOTHING;
    return rest;
  }

  /** Where the last event ends that ends in these bytes; 0 when none does. */
  #endOfLastEvent(bytes: Buffer): number {
    const begun = this.#begun;
    const joint = Buffer.concat([begun, bytes.subarray(0, MAX_BLANK_LINE_BYTES)]);
    const ends = BLANK_LINES.map((blankLine) => {
      const inside = bytes.lastIndexOf(blankLine);
      if (inside >= 0) return inside + blankLine.length;
      const start = joint.lastIndexOf(blankLine);
      return start < 0 ? 0 : start + blankLine.length - begun.length;
    });
    return Math.max(0, ...ends);
  }
}
