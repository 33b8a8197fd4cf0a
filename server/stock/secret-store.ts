import type { Session } from "../database/database.ts";

/** A secret of the service as it is stored: encrypted, and bound to its name. */
export interface StoredSecret {
  readonly name: string;
  readonly ciphertext: Buffer;
}

/** Writes a secret unless there is one of its name already. */
export async function insertSecretOnce(session: Session, { name, ciphertext }: StoredSecret): Promise<void> {
  const sql = "INSERT IGNORE INTO service_secrets (name, ciphertext) VALUES (?, ?)";
  await session.change(sql, [name, ciphertext]);
}

/** Puts a new ciphertext in the place of a secret's. */
export async function replaceSecret(session: Session, { name, ciphertext }: StoredSecret): Promise<void> {
  await session.change("UPDATE service_secrets SET ciphertext = ? WHERE name = ?", [ciphertext, name]);
}

/** Removes a secret. */
export async function deleteSecret(session: Session, name: string): Promise<void> {
  await session.change("DELETE FROM service_secrets WHERE name = ?", [name]);
}

export async function findSecret(session: Session, name: string): Promise<StoredSecret | null> {
  const sql = "SELECT name, ciphertext FROM service_secrets WHERE name = ?";
  const [row] = await session.rows<StoredSecret>(sql, [name]);
  return row ?? null;
}

/** All secrets whose names begin with a text, which holds no `%` and no `_`. */
export async function findSecretsOf(session: Session, prefix: string): Promise<StoredSecret[]> {
  const sql = "SELECT name, ciphertext FROM service_secrets WHERE name LIKE ?";
  return session.rows<StoredSecret>(sql, [`${prefix}%`]);
}
