import { recordAction } from "../actions/record-action.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { ConflictError, NotFoundError } from "../errors.ts";
import type { SegmentId } from "../ids.ts";
import { divideSegment, type Piece, runsOf } from "./divide-segment.ts";
import { findPlaces } from "./find-places.ts";
import { type ImportCounts, type ImportDependencies, importCodes } from "./import.ts";
import { listSegments, lockSegment } from "./stock-store.ts";

/** Each piece becomes a segment of its own; those that are not for sale cost orders nothing. */
const MAX_PIECES = 5_000;

/** What became of codes that were sold without the database knowing. */
export interface MarkedSold {
  /** How many were left, for sale or set aside, and never will be sold again. */
  readonly takenOut: number;
  /** How many were not known, and are now, so that no import brings them. */
  readonly unknown: number;
  /** How many were out of sale already. */
  readonly alreadyOut: number;
  /** How many are on an order here: sold twice, unless that order is the sale which was meant. */
  readonly onOrders: number;
  /** Lines that are no code. */
  readonly invalid: number;
}

/**
 * Takes codes of a product out of sale for good that are known to be sold, one per line, and keeps those that it does not have
 * from being imported. May be repeated.
 * @param lines is asked for the lines as often as they are read: twice.
 * @throws as {@link importCodes} does. @throws {ConflictError} what is left would fall into too many pieces.
 */
export async function markSold(
  dependencies: ImportDependencies,
  productId: string,
  lines: () => AsyncIterable<string>,
  onProgress: (counts: ImportCounts) => void,
): Promise<MarkedSold> {
  // First, so that afterwards the product has every one of them, wherever it is.
  const { imported, invalid } = await importCodes(dependencies, productId, lines(), onProgress, "known");
  const { database } = dependencies;
  const { places } = await findPlaces(dependencies, productId, lines());
  const sold = [...new Set(places)];
  let [takenOut, onOrders] = [0, 0];
  for (const { segmentId, firstSequence, endSequence } of await listSegments(database, productId)) {
    const inside = sold.filter((one) => one >= firstSequence && one < endSequence);
    if (inside.length === 0) continue;
    const taken = await transaction(database, (tx) => takeOut(tx, segmentId, inside));
    takenOut += taken.takenOut;
    onOrders += taken.onOrders;
  }
  const alreadyOut = sold.length - imported - takenOut - onOrders;
  return { takenOut, unknown: imported, alreadyOut, onOrders, invalid };
}

/** Recalls those of some codes of a segment that are left of it. */
async function takeOut(
  tx: Transaction,
  segmentId: SegmentId,
  sequences: readonly bigint[],
): Promise<Pick<MarkedSold, "takenOut" | "onOrders">> {
  const segment = await lockSegment(tx, segmentId);
  if (segment === null) throw new NotFoundError("segment", segmentId);
  const { state, nextSequence: firstSequence, endSequence, lostSinceMs } = segment;
  const left = sequences.filter((one) => one >= firstSequence);
  const onOrders = sequences.length - left.length;
  if (left.length === 0 || state === "exhausted" || state === "recalled") return { takenOut: 0, onOrders };
  if (state === "importing")
    throw new ConflictError("An import brings some of these codes just now. Do it again when it is over.", {
      segmentId,
    });
  const runs = runsOf(segmentId, { firstSequence, endSequence }, left, MAX_PIECES);
  const pieces = runs.map(
    ({ isIn, ...range }): Piece => ({ ...range, state: isIn ? "recalled" : state, lostSinceMs }),
  );
  await divideSegment(tx, segment, pieces);
  const after = { productId: segment.productId, takenOut: left.length };
  await recordAction(tx, { operation: "markCodesSold", targetId: segmentId, after });
  return { takenOut: left.length, onOrders };
}
