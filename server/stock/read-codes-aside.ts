import { recordAction } from "../actions/record-action.ts";
import type { Database } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import { ConflictError, NotFoundError } from "../errors.ts";
import type { SegmentId } from "../ids.ts";
import type { Cipher } from "./code-cipher.ts";
import { openCode } from "./open-codes.ts";
import type { Segment } from "./segment.ts";
import { findCodes, findSegment } from "./stock-store.ts";

const CODES_AT_ONCE = 500;

/** What is left of a segment that is set aside. */
export interface CodesAside {
  readonly productId: string;
  /** How many codes there are, with those that cannot be opened. */
  readonly count: number;
  /** In the order in which they would have been sold; without those that cannot be opened. */
  readonly codes: AsyncIterable<string>;
}

/**
 * Opens what is left of a segment that is set aside, to be compared with what others know of it. Codes that are for sale are
 * nobody's business.
 * @throws {NotFoundError} @throws {ConflictError} it is not set aside.
 */
export async function readCodesAside(
  { database, cipher }: { database: Database; cipher: Pick<Cipher, "decrypt"> },
  segmentId: SegmentId,
): Promise<CodesAside> {
  const segment = await findSegment(database, segmentId);
  if (segment === null) throw new NotFoundError("segment", segmentId);
  const { productId, state, nextSequence, endSequence } = segment;
  if (state !== "set_aside") {
    throw new ConflictError(`Segment ${segmentId} is ${state}, not set aside; its codes are not shown.`, {
      segmentId,
      state,
    });
  }
  const count = Number(endSequence - nextSequence);
  // Before the first of them is shown.
  const action = { operation: "showCodes", targetId: segmentId, after: { productId, codes: count } } as const;
  await transaction(database, (tx) => recordAction(tx, action));
  return { productId, count, codes: codesOf(database, cipher, segment) };
}

async function* codesOf(
  database: Database,
  cipher: Pick<Cipher, "decrypt">,
  { productId, nextSequence, endSequence }: Segment,
): AsyncGenerator<string> {
  for (let first = nextSequence; first < endSequence; first += BigInt(CODES_AT_ONCE)) {
    const end = first + BigInt(CODES_AT_ONCE) < endSequence ? first + BigInt(CODES_AT_ONCE) : endSequence;
    const [codes = []] = await findCodes(database, [{ productId, firstSequence: first, endSequence: end }]);
    for (const code of codes) {
      const text = opened(() => openCode(cipher, productId, code));
      if (text !== null) yield text;
    }
  }
}

function opened(open: () => string): string | null {
  try {
    return open();
  } catch {
    return null;
  }
}
