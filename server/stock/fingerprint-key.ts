import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { Database } from "../database/database.ts";
import type { Cipher } from "./code-cipher.ts";
import { WrongEncryptionKeysError } from "./errors.ts";
import { findSecret, insertSecretOnce } from "./secret-store.ts";

/** What it is stored under, and bound to. */
export const FINGERPRINT_KEY_NAME = "code-fingerprint-key";
const KEY_BYTES = 32;

/**
 * The key of all code fingerprints: made once per database and kept in it, encrypted, so that it outlives any
 * change of the encryption keys (another key would take known codes for new ones).
 * @throws {WrongEncryptionKeysError}
 */
export async function loadFingerprintKey(database: Database, cipher: Cipher): Promise<KeyObject> {
  const fresh = cipher.encrypt(randomBytes(KEY_BYTES), FINGERPRINT_KEY_NAME);
  await insertSecretOnce(database, { name: FINGERPRINT_KEY_NAME, ciphertext: fresh });
  const kept = await findSecret(database, FINGERPRINT_KEY_NAME);
  if (kept === null) throw new Error("The fingerprint key is missing from service_secrets.");
  try {
    return createSecretKey(cipher.decrypt(kept.ciphertext, FINGERPRINT_KEY_NAME));
  } catch {
    throw new WrongEncryptionKeysError();
  }
}
