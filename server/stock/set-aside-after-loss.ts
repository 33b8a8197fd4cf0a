import { recordAction } from "../actions/record-action.ts";
import type { Database } from "../database/database.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import type { SegmentId } from "../ids.ts";
import { divideSegment, type Piece, sizeOf } from "./divide-segment.ts";
import type { Segment, SegmentState } from "./segment.ts";
import { listUnsoldSegments, lockSegment } from "./stock-store.ts";

/** What may have been sold without the database knowing. */
export interface LostSales {
  /** Since when sales may be lost. */
  readonly sinceMs: number;
  /** As many codes of each segment may have been sold at the most; null when nobody knows. */
  readonly atMostPerSegment: number | null;
}

/** What became of a segment after a loss. */
export interface MaybeSoldSegment {
  readonly segmentId: SegmentId;
  readonly productId: string;
  /** What it was before. */
  readonly before: SegmentState;
  /** How many of its codes may have been sold, and are set aside. */
  readonly maybeSold: number;
  /** How many codes of it stay for sale, as a segment of their own, since so many cannot have been sold. */
  readonly forSale: number;
}

/**
 * Takes out of sale whatever of the stock may have been sold since a moment without the database knowing: all that is left of
 * every segment or, of those for sale, the next so many codes, for each segment is sold in sequence. Imports that run are
 * broken off, for one that ended in the lost time was for sale. Safe to run again, and while orders are placed.
 * @param onSegment is called with the number of segments that are dealt with, and of all.
 */
export async function setAsideAfterLoss(
  database: Database,
  lost: LostSales,
  onSegment: (done: number, of: number) => void,
): Promise<MaybeSoldSegment[]> {
  const found: MaybeSoldSegment[] = [];
  const segments = await listUnsoldSegments(database);
  for (const [index, { segmentId }] of segments.entries()) {
    const one = await transaction(database, (tx) => setOneAside(tx, segmentId, lost));
    if (one !== null) found.push(one);
    onSegment(index + 1, segments.length);
  }
  return found;
}

/** What {@link setAsideAfterLoss} would do. */
export async function previewSetAside(database: Database, lost: LostSales): Promise<MaybeSoldSegment[]> {
  return (await listUnsoldSegments(database)).map((segment) => outcomeOf(segment, piecesOf(segment, lost)));
}

/** @returns null when nothing of it is left meanwhile. */
async function setOneAside(
  tx: Transaction,
  segmentId: SegmentId,
  lost: LostSales,
): Promise<MaybeSoldSegment | null> {
  const segment = await lockSegment(tx, segmentId);
  if (segment === null || segment.state === "exhausted" || segment.state === "recalled") return null;
  const pieces = piecesOf(segment, lost);
  await divideSegment(tx, segment, pieces);
  const { state, lostSinceMs } = segment;
  const [{ lostSinceMs: nowLostSinceMs }] = pieces;
  await recordAction(tx, {
    operation: "setSegmentAside",
    targetId: segmentId,
    before: { state, lostSinceMs },
    after: { state: "set_aside", lostSinceMs: nowLostSinceMs },
  });
  return outcomeOf(segment, pieces);
}

function piecesOf(segment: Segment, { sinceMs, atMostPerSegment }: LostSales): [Piece, ...Piece[]] {
  const { state, nextSequence: firstSequence, endSequence } = segment;
  const lostSinceMs = Math.min(sinceMs, segment.lostSinceMs ?? sinceMs);
  const most = firstSequence + BigInt(atMostPerSegment ?? 0);
  // Only of what is for sale is it known where its sales went on.
  if (state !== "open" || atMostPerSegment === null || most >= endSequence)
    return [{ firstSequence, endSequence, state: "set_aside", lostSinceMs }];
  return [
    { firstSequence, endSequence: most, state: "set_aside", lostSinceMs },
    { firstSequence: most, endSequence, state: "open", lostSinceMs: null },
  ];
}

function outcomeOf({ segmentId, productId, state }: Segment, pieces: readonly Piece[]): MaybeSoldSegment {
  const [aside, rest] = [pieces.slice(0, 1), pieces.slice(1)];
  return { segmentId, productId, before: state, maybeSold: sizeOf(aside), forSale: sizeOf(rest) };
}
