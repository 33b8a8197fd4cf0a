import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { Database } from "../database/database.ts";
import type { Cipher } from "./code-cipher.ts";
import { WrongEncryptionKeysError } from "./errors.ts";

const NAME = "code-fingerprint-key";
const KEY_BYTES = 32;

/**
 * The key of all code fingerprints: made once per database and kept in it, encrypted, so that it outlives any
 * change of the encryption keys (another key would take known codes for new ones).
 * @throws {WrongEncryptionKeysError}
 */
export async function loadFingerprintKey(database: Database, cipher: Cipher): Promise<KeyObject> {
  const fresh = cipher.encrypt(randomBytes(KEY_BYTES), NAME);
  await database.change("INSERT IGNORE INTO service_secrets (name, ciphertext) VALUES (?, ?)", [NAME, fresh]);
  const [row] = await database.rows<{ ciphertext: Buffer }>(
    "SELECT ciphertext FROM service_secrets WHERE name = ?",
    [NAME],
  );
  if (row === undefined) throw new Error("The fingerprint key is missing from service_secrets.");
  try {
    return createSecretKey(cipher.decrypt(row.ciphertext, NAME));
  } catch {
    throw new WrongEncryptionKeysError();
  }
}
