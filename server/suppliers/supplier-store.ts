import type { Session } from "../database/database.ts";
import type { Transaction } from "../database/transaction.ts";
import type { Supplier, SupplierStatus } from "./supplier.ts";

interface SupplierRow {
  supplier_id: string;
  base_url: string;
  api_key_ciphertext: Buffer;
  status: SupplierStatus;
  created_at_ms: bigint;
}

/** A supplier with its encrypted API key. */
export interface StoredSupplier extends Supplier {
  readonly apiKeyCiphertext: Buffer;
}

const COLUMNS = "supplier_id, base_url, api_key_ciphertext, status, created_at_ms";

export async function insertSupplier(session: Session, supplier: StoredSupplier): Promise<void> {
  await session.change(`INSERT INTO suppliers (${COLUMNS}) VALUES (?, ?, ?, ?, ?)`, [
    supplier.supplierId,
    supplier.baseUrl,
    supplier.apiKeyCiphertext,
    supplier.status,
    supplier.createdAtMs,
  ]);
}

export async function findSupplier(session: Session, supplierId: string): Promise<StoredSupplier | null> {
  const sql = `SELECT ${COLUMNS} FROM suppliers WHERE supplier_id = ?`;
  const [row] = await session.rows<SupplierRow>(sql, [supplierId]);
  return row === undefined ? null : toSupplier(row);
}

/** Locks a supplier until the transaction ends; null when there is none. */
export async function lockSupplier(tx: Transaction, supplierId: string): Promise<StoredSupplier | null> {
  const sql = `SELECT ${COLUMNS} FROM suppliers WHERE supplier_id = ? FOR UPDATE`;
  const [row] = await tx.rows<SupplierRow>(sql, [supplierId]);
  return row === undefined ? null : toSupplier(row);
}

/** All suppliers, by id. */
export async function listSuppliers(session: Session): Promise<StoredSupplier[]> {
  return (await session.rows<SupplierRow>(`SELECT ${COLUMNS} FROM suppliers ORDER BY supplier_id`)).map(
    toSupplier,
  );
}

/** Changes what is given and leaves the rest. @returns whether there is such a supplier. */
export async function updateSupplier(
  session: Session,
  supplierId: string,
  { baseUrl, apiKeyCiphertext, status }: Partial<Omit<StoredSupplier, "supplierId">>,
): Promise<boolean> {
  const sql = `UPDATE suppliers SET base_url = COALESCE(?, base_url), status = COALESCE(?, status),
    api_key_ciphertext = COALESCE(?, api_key_ciphertext) WHERE supplier_id = ?`;
  const values = [baseUrl ?? null, status ?? null, apiKeyCiphertext ?? null, supplierId];
  return (await session.change(sql, values)) === 1;
}

/** Puts a new ciphertext in the place of an old one, unless the operator has set another key since. */
export async function replaceApiKeyCiphertext(
  session: Session,
  supplierId: string,
  before: Buffer,
  after: Buffer,
): Promise<void> {
  const sql = "UPDATE suppliers SET api_key_ciphertext = ? WHERE supplier_id = ? AND api_key_ciphertext = ?";
  await session.change(sql, [after, supplierId, before]);
}

function toSupplier(row: SupplierRow): StoredSupplier {
  return {
    supplierId: row.supplier_id,
    baseUrl: row.base_url,
    apiKeyCiphertext: row.api_key_ciphertext,
    status: row.status,
    createdAtMs: Number(row.created_at_ms),
  };
}
