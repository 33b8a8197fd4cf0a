import { transaction } from "../database/transaction.ts";
import { ConflictError, NotFoundError } from "../errors.ts";
import type { SegmentId } from "../ids.ts";
import { codeContext } from "./code-cipher.ts";
import { WrongEncryptionKeysError } from "./errors.ts";
import { type ImportContext, type ImportCounts, type ImportResult, importCodes } from "./import.ts";
import type { Segment } from "./segment.ts";
import { listSegments, lockSegment, markRecalled, sampleCodes } from "./stock-store.ts";
import { checkRecordedKeys } from "./used-encryption-keys.ts";

export type Stock = ReturnType<typeof createStock>;

/** What an operator can do with codes. */
export function createStock(context: ImportContext) {
  const { database } = context;
  return {
    /**
     * Imports codes, one per line; see {@link importCodes}.
     * @param onProgress is called with the counts so far, after every few thousand lines.
     */
    import: (
      productId: string,
      lines: AsyncIterable<string>,
      onProgress: (counts: ImportCounts) => void = () => {},
    ): Promise<ImportResult> => importCodes(context, productId, lines, onProgress),

    /** Opens something of every encryption key that codes were ever encrypted with. @throws {WrongEncryptionKeysError} */
    async checkEncryptionKeys(): Promise<void> {
      await context.fingerprintKey();
      for (const { productId, sequence, ciphertext } of await sampleCodes(database)) {
        try {
          context.cipher.decrypt(ciphertext, codeContext(productId, sequence));
        } catch {
          throw new WrongEncryptionKeysError();
        }
      }
      await checkRecordedKeys(database, context.cipher);
    },

    /** A product's segments, oldest first; empty for a product that is not there. */
    list: (productId: string): Promise<Segment[]> => listSegments(database, productId),

    /**
     * Takes what is left of an import out of sale, for good; codes that were sold stay with their orders.
     * @throws {NotFoundError} no such segment. @throws {ConflictError} it is recalled or sold out already.
     */
    async recall(segmentId: SegmentId): Promise<Segment> {
      return transaction(database, async (tx) => {
        const segment = await lockSegment(tx, segmentId);
        if (segment === null) throw new NotFoundError("segment", segmentId);
        if (segment.state !== "open" && segment.state !== "importing") {
          throw new ConflictError(
            `Segment ${segmentId} is ${segment.state}; nothing of it is left to recall.`,
            {
              segmentId,
              state: segment.state,
            },
          );
        }
        await markRecalled(tx, segment);
        return { ...segment, state: "recalled", leaseExpiresAtMs: null };
      });
    },
  };
}
