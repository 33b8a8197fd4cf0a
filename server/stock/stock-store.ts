import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import { type Database, type Parameter, placeholders, type Session } from "../database/database.ts";
import { caseOf, inPowerOfTwoChunks } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { SegmentId } from "../ids.ts";
import type { CodeRange, Segment, SegmentState } from "./segment.ts";
import type { StockMode } from "./stock-mode.ts";

interface SegmentRow {
  segment_id: SegmentId;
  product_id: string;
  state: SegmentState;
  first_sequence: bigint;
  next_sequence: bigint;
  end_sequence: bigint;
  encryption_key_id: string;
  created_at_ms: bigint;
  lease_expires_at_ms: bigint | null;
  lost_since_ms: bigint | null;
}

/** A code as it is stored. */
export interface StoredCode {
  readonly sequence: bigint;
  readonly ciphertext: Buffer;
  readonly fingerprint: Buffer;
}

/** A code that only its key and place can open. */
export type EncryptedCode = Pick<StoredCode, "sequence" | "ciphertext">;

/** A run of one product's codes. */
export interface ProductRange extends CodeRange {
  readonly productId: string;
}

const COLUMNS =
  "segment_id, product_id, state, first_sequence, next_sequence, end_sequence, encryption_key_id, " +
  "created_at_ms, lease_expires_at_ms, lost_since_ms";

// Enough for nearly every order; one that needs more segments asks again.
const SEGMENTS_PER_LOCK = 8;

/** Locks open segments of a product, oldest first, until they hold `qty` codes or there are no more. */
export async function lockOpenSegments(tx: Transaction, productId: string, qty: number): Promise<Segment[]> {
  const segments: Segment[] = [];
  let left = 0n;
  let after: bigint | null = null;
  for (;;) {
    // A bound on the first page would make it a range, and lock the first segment of the next product as well.
    const rows: SegmentRow[] = await tx.rows<SegmentRow>(
      `SELECT ${COLUMNS} FROM stock_segments
       WHERE product_id = ? AND state = 'open' ${after === null ? "" : "AND first_sequence > ?"}
       ORDER BY first_sequence LIMIT ${SEGMENTS_PER_LOCK} FOR UPDATE`,
      after === null ? [productId] : [productId, after],
    );
    for (const segment of rows.map(toSegment)) {
      segments.push(segment);
      left += segment.endSequence - segment.nextSequence;
      after = segment.firstSequence;
    }
    if (left >= BigInt(qty) || rows.length < SEGMENTS_PER_LOCK) return segments;
  }
}

/** Moves a segment past a range that starts at its next sequence; one that is sold out becomes `exhausted`. */
export async function advanceSegment(tx: Transaction, segment: Segment, range: CodeRange): Promise<void> {
  const state: SegmentState = range.endSequence === segment.endSequence ? "exhausted" : "open";
  const changed = await tx.change(
    `UPDATE stock_segments SET next_sequence = ?, state = ?
     WHERE segment_id = ? AND state = 'open' AND next_sequence = ? AND end_sequence = ?`,
    [range.endSequence, state, segment.segmentId, range.firstSequence, segment.endSequence],
  );
  if (changed !== 1) throw new Error(`Segment ${segment.segmentId} changed while it was locked.`);
}

/** How many codes of each product are left to sell; products without any are absent. */
export async function remainingStock(
  session: Session,
  productIds?: readonly string[],
): Promise<Map<string, number>> {
  const ids = paddedToPowerOfTwo(productIds ?? []);
  const only = productIds === undefined ? "" : `AND product_id IN (${placeholders(ids)})`;
  const rows = await session.rows<{ product_id: string; remaining: string }>(
    `SELECT product_id, SUM(end_sequence - next_sequence) AS remaining FROM stock_segments
     WHERE state = 'open' ${only} GROUP BY product_id`,
    ids,
  );
  return new Map(rows.map((row) => [row.product_id, Number(row.remaining)]));
}

/** The encrypted codes of several ranges, in the order of the ranges; within each by sequence. */
export async function findCodes(
  session: Session,
  ranges: readonly ProductRange[],
): Promise<EncryptedCode[][]> {
  const wanted = paddedToPowerOfTwo(ranges);
  const rows = await session.rows<{ product_id: string } & EncryptedCode>(
    `SELECT product_id, sequence, ciphertext FROM codes
     WHERE ${wanted.map(() => "(product_id = ? AND sequence >= ? AND sequence < ?)").join(" OR ")} ORDER BY sequence`,
    wanted.flatMap((range) => [range.productId, range.firstSequence, range.endSequence]),
  );
  const byProduct = Map.groupBy(rows, (row) => row.product_id);
  return ranges.map(({ productId, firstSequence, endSequence }) =>
    (byProduct.get(productId) ?? []).filter(
      ({ sequence }) => sequence >= firstSequence && sequence < endSequence,
    ),
  );
}

/** One stored code for each encryption key that any import was made under; of no segment that is set aside. */
export async function sampleCodes(session: Session): Promise<({ productId: string } & EncryptedCode)[]> {
  const rows = await session.rows<{ product_id: string } & EncryptedCode>(
    `SELECT c.product_id, c.sequence, c.ciphertext FROM codes c JOIN (
       SELECT MIN(segment_id) AS segment_id FROM stock_segments
       WHERE end_sequence > first_sequence AND state <> 'set_aside' GROUP BY encryption_key_id
     ) one JOIN stock_segments s ON s.segment_id = one.segment_id
     WHERE c.product_id = s.product_id AND c.sequence = s.first_sequence`,
  );
  return rows.map(({ product_id, ...code }) => ({ productId: product_id, ...code }));
}

/** A product's segments, oldest first. */
export async function listSegments(session: Session, productId: string): Promise<Segment[]> {
  const sql = `SELECT ${COLUMNS} FROM stock_segments WHERE product_id = ? ORDER BY first_sequence`;
  return (await session.rows<SegmentRow>(sql, [productId])).map(toSegment);
}

/** A segment, whatever its state. */
export async function findSegment(session: Session, segmentId: SegmentId): Promise<Segment | null> {
  const sql = `SELECT ${COLUMNS} FROM stock_segments WHERE segment_id = ?`;
  const [row] = await session.rows<SegmentRow>(sql, [segmentId]);
  return row === undefined ? null : toSegment(row);
}

/** Changes where a locked segment ends and what becomes of what is left of it. */
export async function changeRest(
  tx: Transaction,
  { segmentId, state: before, nextSequence, endSequence: endBefore }: Segment,
  { state, endSequence, lostSinceMs }: Pick<Segment, "state" | "endSequence" | "lostSinceMs">,
): Promise<void> {
  const changed = await tx.change(
    `UPDATE stock_segments SET end_sequence = ?, state = ?, lost_since_ms = ?, lease_expires_at_ms = NULL
     WHERE segment_id = ? AND state = ? AND next_sequence = ? AND end_sequence = ?`,
    [endSequence, state, lostSinceMs, segmentId, before, nextSequence, endBefore],
  );
  if (changed !== 1) throw new Error(`Segment ${segmentId} changed while it was locked.`);
}

/** Locks a segment, whatever its state. */
export async function lockSegment(tx: Transaction, segmentId: SegmentId): Promise<Segment | null> {
  const sql = `SELECT ${COLUMNS} FROM stock_segments WHERE segment_id = ? FOR UPDATE`;
  const [row] = await tx.rows<SegmentRow>(sql, [segmentId]);
  return row === undefined ? null : toSegment(row);
}

/** Takes the open segment of a code out of sale. @returns which; null when it is not open (any more). */
export async function setSegmentAside(
  session: Session,
  productId: string,
  sequence: bigint,
): Promise<SegmentId | null> {
  const [segment] = await session.rows<{ segment_id: SegmentId }>(
    `SELECT segment_id FROM stock_segments
     WHERE product_id = ? AND state = 'open' AND first_sequence <= ? AND end_sequence > ?`,
    [productId, sequence, sequence],
  );
  if (segment === undefined) return null;
  const changed = await session.change(
    "UPDATE stock_segments SET state = 'set_aside' WHERE segment_id = ? AND state = 'open'",
    [segment.segment_id],
  );
  return changed === 1 ? segment.segment_id : null;
}

/** The segments of all products of which something may still be sold, or again, one day. */
export async function listUnsoldSegments(session: Session): Promise<Segment[]> {
  const sql = `SELECT ${COLUMNS} FROM stock_segments WHERE state IN ('open', 'importing', 'set_aside')
    ORDER BY product_id, first_sequence`;
  return (await session.rows<SegmentRow>(sql)).map(toSegment);
}

/** How many segments are set aside. */
export async function countSetAside(session: Session): Promise<number> {
  const [row] = await session.rows<{ count: bigint }>(
    "SELECT COUNT(*) AS count FROM stock_segments WHERE state = 'set_aside'",
  );
  return Number(row?.count ?? 0n);
}

/** Takes a locked segment out of sale for good. */
export async function markRecalled(tx: Transaction, { segmentId, state }: Segment): Promise<void> {
  const sql =
    "UPDATE stock_segments SET state = 'recalled', lease_expires_at_ms = NULL WHERE segment_id = ? AND state = ?";
  if ((await tx.change(sql, [segmentId, state])) !== 1)
    throw new Error(`Segment ${segmentId} was not recalled.`);
}

/**
 * Writes a product's row, so that only one import of it can begin at a time: also on a cluster, where a row that is only
 * locked is locked on one node alone.
 * @returns how it is sold; null when it does not exist.
 */
export async function countImport(tx: Transaction, productId: string): Promise<StockMode | null> {
  await tx.change("UPDATE products SET imports = imports + 1 WHERE product_id = ?", [productId]);
  const sql = "SELECT stock_mode FROM products WHERE product_id = ?";
  const [row] = await tx.rows<{ stock_mode: StockMode }>(sql, [productId]);
  return row?.stock_mode ?? null;
}

export async function insertSegment(tx: Transaction, segment: Segment): Promise<void> {
  await tx.change(`INSERT INTO stock_segments (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
    segment.segmentId,
    segment.productId,
    segment.state,
    segment.firstSequence,
    segment.nextSequence,
    segment.endSequence,
    segment.encryptionKeyId,
    segment.createdAtMs,
    segment.leaseExpiresAtMs,
    segment.lostSinceMs,
  ]);
}

/**
 * Grows a segment that is being imported and renews its lease, which is also the proof that the segment is still
 * this import's own. @returns false when another took it over or away.
 */
export async function growSegment(tx: Transaction, segment: Segment, grown: Segment): Promise<boolean> {
  const changed = await tx.change(
    `UPDATE stock_segments SET end_sequence = ?, lease_expires_at_ms = ?
     WHERE segment_id = ? AND state = 'importing' AND lease_expires_at_ms = ?`,
    [grown.endSequence, grown.leaseExpiresAtMs, segment.segmentId, segment.leaseExpiresAtMs],
  );
  return changed === 1;
}

/** Ends the import of a complete segment. @returns false when another took it over or away. */
export async function finishSegment(
  session: Session,
  segment: Segment,
  state: "open" | "recalled",
): Promise<boolean> {
  const changed = await session.change(
    `UPDATE stock_segments SET state = ?, lease_expires_at_ms = NULL
     WHERE segment_id = ? AND state = 'importing' AND lease_expires_at_ms = ?`,
    [state, segment.segmentId, segment.leaseExpiresAtMs],
  );
  return changed === 1;
}

/** Deletes up to `limit` codes of a segment that never was for sale. @returns how many were deleted. */
export async function deleteImportingCodes(
  tx: Transaction,
  segment: Segment,
  limit: number,
): Promise<number> {
  return tx.change(
    `DELETE FROM codes WHERE product_id = ? AND sequence >= ? AND sequence < ? LIMIT ${limit}`,
    [segment.productId, segment.firstSequence, segment.endSequence],
  );
}

export async function deleteImportingSegment(session: Session, segment: Segment): Promise<void> {
  await session.change(
    "DELETE FROM stock_segments WHERE segment_id = ? AND state = 'importing' AND lease_expires_at_ms = ?",
    [segment.segmentId, segment.leaseExpiresAtMs],
  );
}

/** How many codes there are, of all products, sold or not. */
export async function countCodes(session: Session): Promise<number> {
  const [row] = await session.rows<{ count: bigint }>("SELECT COUNT(*) AS count FROM codes");
  return Number(row?.count ?? 0n);
}

/** The next codes after one, by product and sequence. */
export async function findCodesAfter(
  session: Session,
  { productId, sequence }: { readonly productId: string; readonly sequence: bigint },
  limit: number,
): Promise<({ productId: string } & EncryptedCode)[]> {
  // One condition for both would not be read along the key by either engine.
  const read = (condition: string, values: readonly Parameter[], most: number) =>
    session.rows<{ product_id: string } & EncryptedCode>(
      `SELECT product_id, sequence, ciphertext FROM codes WHERE ${condition}
       ORDER BY product_id, sequence LIMIT ?`,
      [...values, most],
    );
  const rows = await read("product_id = ? AND sequence > ?", [productId, sequence], limit);
  if (rows.length < limit) rows.push(...(await read("product_id > ?", [productId], limit - rows.length)));
  return rows.map(({ product_id, ...code }) => ({ productId: product_id, ...code }));
}

/** Puts new ciphertexts in the places of some codes of a product. */
export async function replaceCiphertexts(
  session: Session,
  productId: string,
  codes: readonly EncryptedCode[],
): Promise<void> {
  for (const some of inPowerOfTwoChunks(codes)) {
    const { sql, values } = caseOf(
      "sequence",
      some.map(({ sequence, ciphertext }) => [sequence, ciphertext]),
    );
    const sequences = some.map(({ sequence }) => sequence);
    await session.change(
      `UPDATE codes SET ciphertext = ${sql} WHERE product_id = ? AND sequence IN (${placeholders(sequences)})`,
      [...values, productId, ...sequences],
    );
  }
}

/** The segments that are not known to be encrypted with a key alone. */
export async function segmentsOfOtherKeys(session: Session, encryptionKeyId: string): Promise<SegmentId[]> {
  const rows = await session.rows<{ segment_id: SegmentId }>(
    "SELECT segment_id FROM stock_segments WHERE encryption_key_id <> ?",
    [encryptionKeyId],
  );
  return rows.map((row) => row.segment_id);
}

/** Says of segments that a key opens all of their codes; not of those that are being imported. */
export async function setSegmentKeys(
  session: Session,
  segmentIds: readonly SegmentId[],
  encryptionKeyId: string,
): Promise<void> {
  for (const some of inPowerOfTwoChunks(segmentIds)) {
    await session.change(
      `UPDATE stock_segments SET encryption_key_id = ?
       WHERE segment_id IN (${placeholders(some)}) AND state <> 'importing'`,
      [encryptionKeyId, ...some],
    );
  }
}

/** Whether any import was made under an encryption key. */
export async function hasSegmentOfKey(session: Session, encryptionKeyId: string): Promise<boolean> {
  const sql = "SELECT 1 FROM stock_segments WHERE encryption_key_id = ? LIMIT 1";
  return (await session.rows(sql, [encryptionKeyId])).length > 0;
}

/** Which of the fingerprints are stored already (as latin1 texts, for a Set). */
export async function knownFingerprints(
  database: Database,
  fingerprints: readonly Buffer[],
): Promise<Set<string>> {
  const rows = await database
    .knex("codes")
    .whereIn("fingerprint", fingerprints)
    .pluck<Buffer[]>("fingerprint");
  return new Set(rows.map((known) => known.toString("latin1")));
}

/** Which of a product's sequences have codes with these fingerprints. */
export async function findSequences(
  session: Session,
  productId: string,
  fingerprints: readonly Buffer[],
): Promise<bigint[]> {
  const sequences: bigint[] = [];
  for (const some of inPowerOfTwoChunks(fingerprints)) {
    const rows = await session.rows<{ sequence: bigint }>(
      `SELECT sequence FROM codes WHERE fingerprint IN (${placeholders(some)}) AND product_id = ?`,
      [...some, productId],
    );
    sequences.push(...rows.map(({ sequence }) => sequence));
  }
  return sequences;
}

/** Adds codes of one product, in one statement. */
export async function insertCodes(
  tx: Transaction,
  productId: string,
  codes: readonly StoredCode[],
): Promise<void> {
  const sql = `INSERT INTO codes (product_id, sequence, ciphertext, fingerprint) VALUES ${codes.map(() => "(?, ?, ?, ?)").join(", ")}`;
  const values = codes.flatMap((code) => [productId, code.sequence, code.ciphertext, code.fingerprint]);
  if ((await tx.change(sql, values)) !== codes.length) throw new Error("Not every code was stored.");
}

function toSegment(row: SegmentRow): Segment {
  return {
    segmentId: row.segment_id,
    productId: row.product_id,
    state: row.state,
    firstSequence: row.first_sequence,
    nextSequence: row.next_sequence,
    endSequence: row.end_sequence,
    encryptionKeyId: row.encryption_key_id,
    createdAtMs: Number(row.created_at_ms),
    leaseExpiresAtMs: row.lease_expires_at_ms === null ? null : Number(row.lease_expires_at_ms),
    lostSinceMs: row.lost_since_ms === null ? null : Number(row.lost_since_ms),
  };
}
