import { recordAction } from "../actions/record-action.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { ConflictError, NotFoundError } from "../errors.ts";
import type { SegmentId } from "../ids.ts";
import { sizeOf } from "./divide-segment.ts";
import { WrongEncryptionKeysError } from "./errors.ts";
import { type ImportCounts, type ImportDependencies, type ImportResult, importCodes } from "./import.ts";
import { type MarkedSold, markSold } from "./mark-sold.ts";
import { openCode } from "./open-codes.ts";
import { type CodesAside, readCodesAside } from "./read-codes-aside.ts";
import { type KnownUnsold, type ReopenedSegment, reopenSegment } from "./reopen-segment.ts";
import type { Segment } from "./segment.ts";
import {
  type LostSales,
  type MaybeSoldSegment,
  previewSetAside,
  setAsideAfterLoss,
} from "./set-aside-after-loss.ts";
import { countSetAside, listSegments, lockSegment, markRecalled, sampleCodes } from "./stock-store.ts";
import { checkRecordedKeys } from "./used-encryption-keys.ts";

export type Stock = ReturnType<typeof createStock>;

/** What an operator can do with codes. */
export function createStock(dependencies: ImportDependencies) {
  return {
    /**
     * Imports codes, one per line; see {@link importCodes}.
     * @param onProgress is called with the counts so far, after every few hundred lines.
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

    /** How many segments are set aside: a code of theirs cannot be opened, or may have been sold. */
    countSetAside: (): Promise<number> => countSetAside(dependencies.database),

    /** Puts what can be opened of a segment that is set aside up for sale again; see {@link reopenSegment}. */
    reopen: (segmentId: SegmentId, unsold: KnownUnsold = null): Promise<ReopenedSegment> =>
      reopenSegment(dependencies, segmentId, unsold),

    /** Takes out of sale what may have been sold; see {@link setAsideAfterLoss}. */
    setAsideAfterLoss: (
      lost: LostSales,
      onSegment: (done: number, of: number) => void = () => {},
    ): Promise<MaybeSoldSegment[]> => setAsideAfterLoss(dependencies.database, lost, onSegment),

    /** What {@link setAsideAfterLoss} would take out of sale; nothing is changed. */
    previewSetAside: (lost: LostSales): Promise<MaybeSoldSegment[]> =>
      previewSetAside(dependencies.database, lost),

    /** Takes codes out of sale for good that are known to be sold; see {@link markSold}. */
    markSold: (
      productId: string,
      lines: () => AsyncIterable<string>,
      onProgress: (counts: ImportCounts) => void = () => {},
    ): Promise<MarkedSold> => markSold(dependencies, productId, lines, onProgress),

    /** What is left of a segment that is set aside, in clear; see {@link readCodesAside}. */
    codesAside: (segmentId: SegmentId): Promise<CodesAside> => readCodesAside(dependencies, segmentId),

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
  await recordAction(tx, {
    operation: "recallSegment",
    targetId: segmentId,
    before: { state },
    after: {
      state: "recalled",
      recalled: sizeOf([{ firstSequence: segment.nextSequence, endSequence: segment.endSequence }]),
    },
  });
  return { ...segment, state: "recalled", leaseExpiresAtMs: null };
}
