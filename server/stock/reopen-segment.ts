import type { KeyObject } from "node:crypto";
import { recordAction } from "../actions/record-action.ts";
import type { Database } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import { ConflictError, NotFoundError } from "../errors.ts";
import type { SegmentId } from "../ids.ts";
import type { Cipher } from "./code-cipher.ts";
import { divideSegment, lockUnchanged, type Piece, runsOf, sizeOf } from "./divide-segment.ts";
import { UnreadableCodeError } from "./errors.ts";
import { findPlaces } from "./find-places.ts";
import { openCodes } from "./open-codes.ts";
import type { CodeRange, Segment } from "./segment.ts";
import { findSegment } from "./stock-store.ts";

const CODES_AT_ONCE = 500;
/** Each piece becomes a segment of its own. */
const MAX_PIECES = 2_000;
/** Whether a code opens is found out one by one. */
const MAX_READABLE_RUNS = 200;

/** What putting a segment up for sale again needs. */
export interface ReopenDependencies {
  readonly database: Database;
  readonly cipher: Pick<Cipher, "decrypt">;
  readonly fingerprintKey: () => Promise<KeyObject>;
}

/**
 * What an operator says of a segment of which sales may be lost: which codes were certainly not sold. `everything`: none of
 * what is left was. Null: nothing, which is enough only where no sales are lost.
 */
export type KnownUnsold = "everything" | AsyncIterable<string> | null;

/** What became of a segment that was set aside. */
export interface ReopenedSegment {
  /** How many of its codes are for sale again. */
  readonly forSale: number;
  /** How many cannot be opened, and stay aside, in segments of their own. */
  readonly unreadable: number;
  /** How many may have been sold, and stay aside, in segments of their own. */
  readonly maybeSold: number;
}

/** A run of codes that all can be opened, or all cannot. */
interface Run extends CodeRange {
  readonly opens: boolean;
}

/**
 * Opens what is left of a segment that was set aside, and puts up for sale again what can be opened and was not sold. The rest
 * stays aside, in segments of its own.
 * @throws {NotFoundError} @throws {ConflictError} it is not set aside, nothing was said of codes that may have been sold, or
 *   so many pieces would stay aside that it is of no use.
 */
export async function reopenSegment(
  dependencies: ReopenDependencies,
  segmentId: SegmentId,
  unsold: KnownUnsold = null,
): Promise<ReopenedSegment> {
  const { database } = dependencies;
  const segment = await findSegment(database, segmentId);
  if (segment === null) throw new NotFoundError("segment", segmentId);
  refuseUnlessSetAside(segment);
  const pieces = await piecesOf(dependencies, segment, unsold);
  if (pieces.length > MAX_PIECES) throw tooMany(segmentId);
  const reopened = countsOf(pieces);
  await transaction(database, async (tx) => {
    await divideSegment(tx, await lockUnchanged(tx, segment), pieces);
    await recordAction(tx, { operation: "reopenSegment", targetId: segmentId, after: reopened });
  });
  return reopened;
}

function countsOf(pieces: readonly Piece[]): ReopenedSegment {
  const aside = pieces.filter(({ state }) => state === "set_aside");
  return {
    forSale: sizeOf(pieces.filter(({ state }) => state === "open")),
    unreadable: sizeOf(aside.filter(({ lostSinceMs }) => lostSinceMs === null)),
    maybeSold: sizeOf(aside.filter(({ lostSinceMs }) => lostSinceMs !== null)),
  };
}

function tooMany(segmentId: SegmentId): ConflictError {
  return new ConflictError(`Too many codes of segment ${segmentId} have to stay aside. Recall it.`, {
    segmentId,
  });
}

function refuseUnlessSetAside({ segmentId, state }: Segment): void {
  if (state === "set_aside") return;
  throw new ConflictError(`Segment ${segmentId} is ${state}, not set aside.`, { segmentId, state });
}

async function piecesOf(
  dependencies: ReopenDependencies,
  segment: Segment,
  unsold: KnownUnsold,
): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const { isIn, ...range } of await unsoldRunsOf(dependencies, segment, unsold)) {
    if (!isIn) {
      pieces.push({ ...range, state: "set_aside", lostSinceMs: segment.lostSinceMs });
      continue;
    }
    for (const { opens, ...run } of await readableRunsOf(dependencies, segment, range))
      pieces.push({ ...run, state: opens ? "open" : "set_aside", lostSinceMs: null });
  }
  return pieces;
}

/** Which runs of what is left were certainly not sold, and which may have been. */
async function unsoldRunsOf(
  { database, fingerprintKey }: ReopenDependencies,
  segment: Segment,
  unsold: KnownUnsold,
): Promise<readonly (CodeRange & { readonly isIn: boolean })[]> {
  const { segmentId, productId, nextSequence: firstSequence, endSequence } = segment;
  const rest = { firstSequence, endSequence };
  if (unsold === "everything" || (unsold === null && segment.lostSinceMs === null))
    return [{ ...rest, isIn: true }];
  if (unsold === null) {
    throw new ConflictError(
      `What is left of segment ${segmentId} may have been sold: it was set aside after a loss. Say what was not sold.`,
      { segmentId },
    );
  }
  const { places } = await findPlaces({ database, fingerprintKey }, productId, unsold);
  return runsOf(segmentId, rest, places, MAX_PIECES);
}

async function readableRunsOf(
  { database, cipher }: ReopenDependencies,
  { segmentId, productId }: Segment,
  { firstSequence, endSequence }: CodeRange,
): Promise<Run[]> {
  const runs: Run[] = [];
  const add = (run: Run) => {
    const last = runs.at(-1);
    if (last?.opens !== run.opens) runs.push(run);
    else runs[runs.length - 1] = { ...last, endSequence: run.endSequence };
  };
  for (let first = firstSequence; first < endSequence; ) {
    const end = first + BigInt(CODES_AT_ONCE) < endSequence ? first + BigInt(CODES_AT_ONCE) : endSequence;
    const bad = await firstUnreadable(database, cipher, {
      productId,
      firstSequence: first,
      endSequence: end,
    });
    const goodEnd = bad ?? end;
    if (goodEnd > first) add({ firstSequence: first, endSequence: goodEnd, opens: true });
    if (bad !== null) add({ firstSequence: bad, endSequence: bad + 1n, opens: false });
    if (runs.length > MAX_READABLE_RUNS) throw tooMany(segmentId);
    first = bad === null ? end : bad + 1n;
  }
  return runs;
}

async function firstUnreadable(
  database: Database,
  cipher: Pick<Cipher, "decrypt">,
  range: CodeRange & { readonly productId: string },
): Promise<bigint | null> {
  try {
    await openCodes(database, cipher, [range]);
    return null;
  } catch (error) {
    if (error instanceof UnreadableCodeError) return error.sequence;
    throw error;
  }
}
