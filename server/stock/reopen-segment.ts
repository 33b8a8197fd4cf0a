import type { Database } from "../database/database.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { ConflictError, NotFoundError } from "../errors.ts";
import { newId, type SegmentId } from "../ids.ts";
import type { Cipher } from "./code-cipher.ts";
import { UnreadableCodeError } from "./errors.ts";
import { openCodes } from "./open-codes.ts";
import type { CodeRange, Segment } from "./segment.ts";
import { findSegment, insertSegment, lockSegment, shortenSegment } from "./stock-store.ts";

const CODES_AT_ONCE = 500;
/** Each run becomes a segment of its own. */
const MAX_RUNS = 200;

/** What putting a segment up for sale again needs. */
export interface ReopenDependencies {
  readonly database: Database;
  readonly cipher: Pick<Cipher, "decrypt">;
}

/** What became of a segment that was set aside. */
export interface ReopenedSegment {
  /** How many of its codes are for sale again. */
  readonly forSale: number;
  /** How many cannot be opened, and stay aside, in segments of their own. */
  readonly unreadable: number;
}

/** A run of codes that all can be opened, or all cannot. */
interface Run extends CodeRange {
  readonly opens: boolean;
}

/**
 * Opens what is left of a segment that was set aside, and puts up for sale again what can be opened. What cannot stays aside,
 * in segments of its own.
 * @throws {NotFoundError} @throws {ConflictError} it is not set aside, or so much of it cannot be opened that it is of no use.
 */
export async function reopenSegment(
  { database, cipher }: ReopenDependencies,
  segmentId: SegmentId,
): Promise<ReopenedSegment> {
  const segment = await findSegment(database, segmentId);
  if (segment === null) throw new NotFoundError("segment", segmentId);
  refuseUnlessSetAside(segment);
  const runs = await runsOf(database, cipher, segment);
  if (runs.length > MAX_RUNS) {
    throw new ConflictError(`Too many codes of segment ${segmentId} cannot be opened. Recall it.`, {
      segmentId,
    });
  }
  await transaction(database, (tx) => divideSegment(tx, segment, runs));
  const sizeOf = (some: readonly Run[]) =>
    some.reduce((sum, run) => sum + Number(run.endSequence - run.firstSequence), 0);
  return {
    forSale: sizeOf(runs.filter(({ opens }) => opens)),
    unreadable: sizeOf(runs.filter(({ opens }) => !opens)),
  };
}

function refuseUnlessSetAside({ segmentId, state }: Segment): void {
  if (state === "set_aside") return;
  throw new ConflictError(`Segment ${segmentId} is ${state}, not set aside.`, { segmentId, state });
}

async function runsOf(
  database: Database,
  cipher: Pick<Cipher, "decrypt">,
  { productId, nextSequence, endSequence }: Segment,
): Promise<Run[]> {
  const runs: Run[] = [];
  const add = (run: Run) => {
    const last = runs.at(-1);
    if (last?.opens !== run.opens) runs.push(run);
    else runs[runs.length - 1] = { ...last, endSequence: run.endSequence };
  };
  for (let first = nextSequence; first < endSequence; ) {
    const end = first + BigInt(CODES_AT_ONCE) < endSequence ? first + BigInt(CODES_AT_ONCE) : endSequence;
    const bad = await firstUnreadable(database, cipher, {
      productId,
      firstSequence: first,
      endSequence: end,
    });
    const goodEnd = bad ?? end;
    if (goodEnd > first) add({ firstSequence: first, endSequence: goodEnd, opens: true });
    if (bad !== null) add({ firstSequence: bad, endSequence: bad + 1n, opens: false });
    if (runs.length > MAX_RUNS) return runs;
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

/** The first run stays the segment's own, with what was sold of it; each other becomes a segment. */
async function divideSegment(
  tx: Transaction,
  segment: Segment,
  [own, ...others]: readonly Run[],
): Promise<void> {
  const locked = await lockSegment(tx, segment.segmentId);
  if (locked === null) throw new NotFoundError("segment", segment.segmentId);
  refuseUnlessSetAside(locked);
  if (own === undefined) return;
  await shortenSegment(tx, segment, own.endSequence, stateOf(own));
  for (const run of others) {
    const { firstSequence, endSequence } = run;
    await insertSegment(tx, {
      ...segment,
      segmentId: newId("seg"),
      state: stateOf(run),
      firstSequence,
      nextSequence: firstSequence,
      endSequence,
    });
  }
}

function stateOf({ opens }: Run): "open" | "set_aside" {
  return opens ? "open" : "set_aside";
}
