import type { Database } from "../database/database.ts";
import type { Cipher } from "./code-cipher.ts";
import { WrongEncryptionKeysError } from "./errors.ts";

const PREFIX = "encryption-key:";

/** Records that codes are encrypted with the current key from now on, so that no process starts without it later. */
export async function recordEncryptionKey(database: Database, cipher: Cipher): Promise<void> {
  const name = PREFIX + cipher.currentKeyId;
  const sql = "INSERT IGNORE INTO service_secrets (name, ciphertext) VALUES (?, ?)";
  await database.change(sql, [name, cipher.encrypt(cipher.currentKeyId, name)]);
}

/** Opens what was recorded under each key. @throws {WrongEncryptionKeysError} one of them is missing or another. */
export async function checkRecordedKeys(database: Database, cipher: Cipher): Promise<void> {
  const sql = "SELECT name, ciphertext FROM service_secrets WHERE name LIKE ?";
  for (const { name, ciphertext } of await database.rows<{ name: string; ciphertext: Buffer }>(sql, [
    `${PREFIX}%`,
  ])) {
    try {
      cipher.decrypt(ciphertext, name);
    } catch {
      throw new WrongEncryptionKeysError();
    }
  }
}
