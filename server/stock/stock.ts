import { type Transaction, transaction } from "../database/transaction.ts";
import { ConflictError, NotFoundError } from "../errors.ts";
import type { SegmentId } from "../ids.ts";
import { WrongEncryptionKeysError } from "./errors.ts";
import { type ImportCounts, type ImportDependencies, type ImportResult, importCodes } from "./import.ts";
import { openCode } from "./open-codes.ts";
import { type ReopenedSegment, reopenSegment } from "./reopen-segment.ts";
import type { Segment } from "./segment.ts";
import { countSetAside, listSegments, lockSegment, markRecalled, sampleCodes } from "./stock-store.ts";
import { checkRecordedKeys } from "./used-encryption-keys.ts";

export type Stock = ReturnType<typeof createStock>;

/** What an operator can do with codes. */
export function createStock(dependencies: ImportDependencies) {
  return {
    /**
     * Imports codes, one per line; see {@link importCodes}.
     * @param onProgress is called with the counts so far, after every few thousand lines.
     */
    import: (
      productId: string,
      lines: AsyncIterable<string>,
      onProgress: (counts: ImportCounts) => void = () => {},
    ): Promise<ImportResult> => importCodes(dependencies, productId, lines, onProgress),

    /** Opens something of every encryption key that codes were ever encrypted with. @throws {WrongEncryptionKeysError} */
    checkEncryptionKeys: (): Promise<void> => checkEncryptionKeys(dependencies),

    /** A product's segments, oldest first; empty for a product that is not there. */
    list: (productId: string): Promise<Segment[]> => listSegments(dependencies.database, productId),

    /** How many segments are set aside, because a code of theirs cannot be opened. */
    countSetAside: (): Promise<number> => countSetAside(dependencies.database),

    /** Puts what can be opened of a segment that is set aside up for sale again; see {@link reopenSegment}. */
    reopen: (segmentId: SegmentId): Promise<ReopenedSegment> => reopenSegment(dependencies, segmentId),

    /**
     * Takes what is left of an import out of sale, for good; codes that were sold stay with their orders.
     * @throws {NotFoundError} no such segment. @throws {ConflictError} it is recalled or sold out already.
     */
    recall: (segmentId: SegmentId): Promise<Segment> =>
      transaction(dependencies.database, (tx) => recallInTransaction(tx, segmentId)),
  };
}

async function checkEncryptionKeys({ database, cipher, fingerprintKey }: ImportDependencies): Promise<void> {
  await fingerprintKey();
  for (const { productId, ...code } of await sampleCodes(database)) {
    try {
      openCode(cipher, productId, code);
    } catch {
      throw new WrongEncryptionKeysError();
    }
  }
  await checkRecordedKeys(database, cipher);
}

async function recallInTransaction(tx: Transaction, segmentId: SegmentId): Promise<Segment> {
  const segment = await lockSegment(tx, segmentId);
  if (segment === null) throw new NotFoundError("segment", segmentId);
  const { state } = segment;
  if (state !== "open" && state !== "importing" && state !== "set_aside") {
    throw new ConflictError(`Segment ${segmentId} is ${state}; nothing of it is left to recall.`, {
      segmentId,
      state,
    });
  }
  await markRecalled(tx, segment);
  return { ...segment, state: "recalled", leaseExpiresAtMs: null };
}
