import type { KeyObject } from "node:crypto";
import { recordAction } from "../actions/record-action.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { CommitOutcomeUnknownError } from "../database/faults.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { ConflictError, DomainError, NotFoundError } from "../errors.ts";
import { newId, type SegmentId } from "../ids.ts";
import { isCode } from "./code.ts";
import { type Cipher, codeContext, fingerprint } from "./code-cipher.ts";
import type { Segment } from "./segment.ts";
import {
  countImport,
  deleteImportingCodes,
  deleteImportingSegment,
  findSegment,
  finishSegment,
  growSegment,
  insertCodes,
  insertSegment,
  knownFingerprints,
  listSegments,
  type StoredCode,
} from "./stock-store.ts";

// As fast as larger ones, and what a batch leaves behind is still young when it is collected: memory stays flat.
const BATCH_CODES = 500;
const DISCARDED_AT_ONCE = 2_000;
const LEASE_MS = 15_000;

/** How far an import is, or how it ended. Blank lines count nowhere. */
export interface ImportCounts {
  readonly imported: number;
  /** Lines whose code the product has already, or that came earlier in the same file. */
  readonly duplicates: number;
  /** Lines that are no code: too long, or with characters that cannot be printed. */
  readonly invalid: number;
}

/** A complete import; no segment where no code was new. */
export interface ImportResult extends ImportCounts {
  readonly segmentId: SegmentId | null;
}

/** Another import of the product is running; or one died, and is taken for running until its lease ends. */
export class ImportRunningError extends DomainError {
  readonly code = "import_running";
  readonly retryAfterMs: number;

  constructor(segmentId: SegmentId, retryAfterMs: number) {
    super(`Another import into this product is running (${segmentId}).`, { segmentId, retryAfterMs });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The import was recalled, or taken for dead and replaced, while it ran; nothing of it is for sale. */
export class ImportInterruptedError extends DomainError {
  readonly code = "import_interrupted";

  constructor(segmentId: SegmentId) {
    super(`The import ${segmentId} was recalled or replaced while it ran. Repeat it.`, { segmentId });
  }
}

/** What an import needs. */
export interface ImportDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly cipher: Cipher;
  readonly fingerprintKey: () => Promise<KeyObject>;
}

/**
 * What an import is for: codes to be sold, or codes that are only to be known, since they were sold elsewhere, so that no
 * import brings them.
 */
export type ImportPurpose = "for-sale" | "known";

/**
 * Imports codes, one per line, as one segment that is put up for sale, or recalled, when it is complete. An import that fails
 * leaves nothing; what one that died left behind is removed first, so repeating it is safe.
 * @throws {NotFoundError} no such product. @throws {ConflictError} it is bought on demand.
 * @throws {ImportRunningError} @throws {ImportInterruptedError}
 */
export async function importCodes(
  dependencies: ImportDependencies,
  productId: string,
  lines: AsyncIterable<string>,
  onProgress: (counts: ImportCounts) => void,
  purpose: ImportPurpose = "for-sale",
): Promise<ImportResult> {
  let segment = await beginImport(dependencies, productId);
  let counts: ImportCounts = { imported: 0, duplicates: 0, invalid: 0 };
  try {
    for await (const batch of batches(lines, BATCH_CODES)) {
      const outcome = await importBatch(dependencies, segment, batch);
      segment = outcome.segment;
      counts = sum(counts, outcome);
      onProgress(counts);
    }
    return { ...counts, segmentId: await finishImport(dependencies, segment, { counts, purpose }) };
  } catch (error) {
    // What cannot be removed now is removed by the next import.
    await discard(dependencies, segment).catch(() => {});
    throw error;
  }
}

async function finishImport(
  { database }: ImportDependencies,
  segment: Segment,
  { counts, purpose }: { counts: ImportCounts; purpose: ImportPurpose },
): Promise<SegmentId | null> {
  if (segment.endSequence === segment.firstSequence) {
    await deleteImportingSegment(database, segment);
    return null;
  }
  const state = purpose === "for-sale" ? "open" : "recalled";
  try {
    await transaction(database, async (tx) => {
      if (!(await finishSegment(tx, segment, state))) throw new ImportInterruptedError(segment.segmentId);
      await recordAction(tx, {
        operation: purpose === "for-sale" ? "importCodes" : "markCodesSold",
        targetId: segment.segmentId,
        after: { productId: segment.productId, state, ...counts },
      });
    });
  } catch (error) {
    // It may have been finished all the same.
    const isUnknown = error instanceof CommitOutcomeUnknownError;
    if (!isUnknown || (await findSegment(database, segment.segmentId))?.state !== state) throw error;
  }
  return segment.segmentId;
}

function sum(a: ImportCounts, b: ImportCounts): ImportCounts {
  return {
    imported: a.imported + b.imported,
    duplicates: a.duplicates + b.duplicates,
    invalid: a.invalid + b.invalid,
  };
}

async function beginImport(dependencies: ImportDependencies, productId: string): Promise<Segment> {
  for (;;) {
    const started = await transaction(dependencies.database, (tx) =>
      beginInTransaction(tx, dependencies, productId),
    );
    if ("begun" in started) return started.begun;
    await discard(dependencies, started.dead);
  }
}

async function beginInTransaction(
  tx: Transaction,
  { clock, cipher }: ImportDependencies,
  productId: string,
): Promise<{ begun: Segment } | { dead: Segment }> {
  const stockMode = await countImport(tx, productId);
  if (stockMode === null) throw new NotFoundError("product", productId);
  if (stockMode === "on_demand") {
    throw new ConflictError(
      `The product ${productId} is bought from a supplier when it is ordered, and has no stock to import into.`,
      { productId },
    );
  }
  const segments = await listSegments(tx, productId);
  const unfinished = segments.find((segment) => segment.state === "importing");
  if (unfinished !== undefined) {
    const leaseLeftMs = (unfinished.leaseExpiresAtMs ?? 0) - clock();
    if (leaseLeftMs > 0) throw new ImportRunningError(unfinished.segmentId, leaseLeftMs);
    return { dead: unfinished };
  }
  const firstSequence = segments.reduce(
    (end, segment) => (segment.endSequence > end ? segment.endSequence : end),
    0n,
  );
  const begun: Segment = {
    segmentId: newId("seg"),
    productId,
    state: "importing",
    firstSequence,
    nextSequence: firstSequence,
    endSequence: firstSequence,
    encryptionKeyId: cipher.currentKeyId,
    createdAtMs: clock(),
    leaseExpiresAtMs: clock() + LEASE_MS,
    lostSinceMs: null,
  };
  await insertSegment(tx, begun);
  return { begun };
}

// Every step proves anew that the segment is still this import's own: a process that stalls here must not delete what another
// has put in its place since.
async function discard({ database, clock }: ImportDependencies, dead: Segment): Promise<void> {
  let held = dead;
  for (;;) {
    const renewed = withNewLease(held, clock());
    const deleted = await transaction(database, async (tx) =>
      (await growSegment(tx, held, renewed)) ? deleteImportingCodes(tx, renewed, DISCARDED_AT_ONCE) : null,
    );
    if (deleted === null) return;
    held = renewed;
    if (deleted === 0) break;
  }
  await deleteImportingSegment(database, held);
}

async function importBatch(
  dependencies: ImportDependencies,
  segment: Segment,
  lines: readonly string[],
): Promise<ImportCounts & { segment: Segment }> {
  const codes = lines.map((line) => line.trim()).filter((line) => line !== "");
  const valid = codes.filter(isCode);
  const fresh = await withoutDuplicates(dependencies, segment.productId, valid);
  const grown: Segment = {
    ...withNewLease(segment, dependencies.clock()),
    endSequence: segment.endSequence + BigInt(fresh.length),
  };
  const stored = fresh.map(({ code, digest }, index): StoredCode => {
    const sequence = segment.endSequence + BigInt(index);
    const ciphertext = dependencies.cipher.encrypt(code, codeContext(segment.productId, sequence));
    return { sequence, ciphertext, fingerprint: digest };
  });
  await transaction(dependencies.database, async (tx) => {
    if (!(await growSegment(tx, segment, grown))) throw new ImportInterruptedError(segment.segmentId);
    if (stored.length > 0) await insertCodes(tx, segment.productId, stored);
  });
  return {
    segment: grown,
    imported: fresh.length,
    duplicates: valid.length - fresh.length,
    invalid: codes.length - valid.length,
  };
}

// The lease is also the proof of ownership, so no two may be alike.
function withNewLease(segment: Segment, nowMs: number): Segment {
  return { ...segment, leaseExpiresAtMs: Math.max(nowMs + LEASE_MS, (segment.leaseExpiresAtMs ?? 0) + 1) };
}

async function withoutDuplicates(
  { database, fingerprintKey }: ImportDependencies,
  productId: string,
  codes: readonly string[],
): Promise<{ code: string; digest: Buffer }[]> {
  if (codes.length === 0) return [];
  const key = await fingerprintKey();
  const digests = codes.map((code) => ({ code, digest: fingerprint(key, productId, code) }));
  const known = await knownFingerprints(
    database,
    digests.map(({ digest }) => digest),
  );
  return digests.filter(({ digest }) => {
    const text = digest.toString("latin1");
    if (known.has(text)) return false;
    known.add(text);
    return true;
  });
}

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
