import type { SegmentId } from "../ids.ts";

/**
 * - `importing`: codes are being added; none is for sale.
 * - `open`: its codes are sold in sequence.
 * - `exhausted`: all are sold.
 * - `recalled`: an operator took what was left out of sale, for good.
 * - `set_aside`: one of its codes cannot be opened, or may have been sold; nothing of it is sold until an operator has looked
 *   into it.
 */
export type SegmentState = "importing" | "open" | "exhausted" | "recalled" | "set_aside";

/** One import of codes: the sequences from `firstSequence` up to, not including, `endSequence` of a product. */
export interface Segment {
  readonly segmentId: SegmentId;
  readonly productId: string;
  readonly state: SegmentState;
  readonly firstSequence: bigint;
  /** The next sequence to sell. */
  readonly nextSequence: bigint;
  readonly endSequence: bigint;
  /** Which of the encryption keys its codes were encrypted with. */
  readonly encryptionKeyId: string;
  readonly createdAtMs: number;
  /** While importing: until when the import that fills it is known to live. */
  readonly leaseExpiresAtMs: number | null;
  /** While set aside: since when sales of what is left may be lost; null when none are. */
  readonly lostSinceMs: number | null;
}

/** A run of a product's codes: sequences from `firstSequence` up to, not including, `endSequence`. */
export interface CodeRange {
  readonly firstSequence: bigint;
  readonly endSequence: bigint;
}

/** What is left to sell of a segment. */
export function remainingIn(segment: Segment): number {
  return segment.state === "open" ? Number(segment.endSequence - segment.nextSequence) : 0;
}

/**
 * Which codes an order takes: from the first segments on, in order, until the quantity is met.
 * @returns the taking from each segment, or null when the segments hold too few.
 */
export function allocateFromSegments(
  segments: readonly Segment[],
  qty: number,
): { segment: Segment; range: CodeRange }[] | null {
  const allocations: { segment: Segment; range: CodeRange }[] = [];
  let missing = BigInt(qty);
  for (const segment of segments) {
    if (missing === 0n) break;
    const left = segment.endSequence - segment.nextSequence;
    const taken = left < missing ? left : missing;
    if (taken === 0n) continue;
    allocations.push({
      segment,
      range: { firstSequence: segment.nextSequence, endSequence: segment.nextSequence + taken },
    });
    missing -= taken;
  }
  return missing === 0n ? allocations : null;
}

/**
 * Deals out runs of codes, from the first on, so that each of some quantities gets as many.
 * @param ranges hold as many codes as the quantities come to.
 */
export function divideRanges(ranges: readonly CodeRange[], quantities: readonly number[]): CodeRange[][] {
  const left = [...ranges];
  return quantities.map((qty) => {
    const share: CodeRange[] = [];
    for (let missing = BigInt(qty); missing > 0n; ) {
      const run = left.shift();
      if (run === undefined) throw new Error("There are fewer codes than are to be dealt out.");
      const size = run.endSequence - run.firstSequence;
      const end = run.firstSequence + (size < missing ? size : missing);
      share.push({ firstSequence: run.firstSequence, endSequence: end });
      if (end < run.endSequence) left.unshift({ firstSequence: end, endSequence: run.endSequence });
      missing -= end - run.firstSequence;
    }
    return share;
  });
}
