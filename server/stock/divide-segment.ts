import type { Transaction } from "../database/transaction.ts";
import { ConflictError, NotFoundError } from "../errors.ts";
import { newId, type SegmentId } from "../ids.ts";
import type { CodeRange, Segment } from "./segment.ts";
import { changeRest, insertSegment, lockSegment } from "./stock-store.ts";

/** A run of what is left of a segment, and what becomes of it. */
export interface Piece extends CodeRange, Pick<Segment, "lostSinceMs"> {
  readonly state: "open" | "recalled" | "set_aside";
}

/**
 * Divides what is left of a segment into pieces. The first stays the segment's own, with what was sold of it; each other
 * becomes a segment.
 * @param segment locked.
 * @param pieces cover what is left of it, in sequence.
 */
export async function divideSegment(
  tx: Transaction,
  segment: Segment,
  [own, ...others]: readonly Piece[],
): Promise<void> {
  if (own === undefined) return;
  await changeRest(tx, segment, own);
  for (const { firstSequence, endSequence, state, lostSinceMs } of others) {
    await insertSegment(tx, {
      ...segment,
      segmentId: newId("seg"),
      state,
      firstSequence,
      nextSequence: firstSequence,
      endSequence,
      lostSinceMs,
      leaseExpiresAtMs: null,
    });
  }
}

/**
 * Locks a segment of which nothing was changed since it was read.
 * @throws {NotFoundError} @throws {ConflictError} something was; do it again.
 */
export async function lockUnchanged(tx: Transaction, segment: Segment): Promise<Segment> {
  const locked = await lockSegment(tx, segment.segmentId);
  if (locked === null) throw new NotFoundError("segment", segment.segmentId);
  const { state, nextSequence, endSequence } = segment;
  if (locked.state === state && locked.nextSequence === nextSequence && locked.endSequence === endSequence)
    return locked;
  throw new ConflictError(`Segment ${segment.segmentId} was changed meanwhile. Do it again.`, {
    segmentId: segment.segmentId,
  });
}

/** How many codes some runs have. */
export function sizeOf(ranges: readonly CodeRange[]): number {
  return ranges.reduce((sum, { firstSequence, endSequence }) => sum + Number(endSequence - firstSequence), 0);
}

/**
 * The runs of a range of sequences that are in a set, and those between them, in sequence.
 * @param members in any order, also outside of the range.
 * @throws {ConflictError} they are more than `most`.
 */
export function runsOf(
  segmentId: SegmentId,
  { firstSequence, endSequence }: CodeRange,
  members: readonly bigint[],
  most: number,
): (CodeRange & { readonly isIn: boolean })[] {
  const inside = [...new Set(members)].filter((one) => one >= firstSequence && one < endSequence);
  const runs: (CodeRange & { isIn: boolean })[] = [];
  let begin = firstSequence;
  for (const sequence of inside.toSorted((a, b) => (a < b ? -1 : 1))) {
    const last = runs.at(-1);
    if (last?.endSequence === sequence) runs[runs.length - 1] = { ...last, endSequence: sequence + 1n };
    else {
      if (sequence > begin) runs.push({ firstSequence: begin, endSequence: sequence, isIn: false });
      runs.push({ firstSequence: sequence, endSequence: sequence + 1n, isIn: true });
    }
    begin = sequence + 1n;
  }
  if (begin < endSequence) runs.push({ firstSequence: begin, endSequence, isIn: false });
  if (runs.length <= most) return runs;
  throw new ConflictError(
    `What is left of segment ${segmentId} would fall into ${runs.length} pieces, more than ${most}. Recall it.`,
    { segmentId },
  );
}
