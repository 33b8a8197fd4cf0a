import type { Database } from "../database/database.ts";
import type { Cipher } from "./code-cipher.ts";
import { WrongEncryptionKeysError } from "./errors.ts";
import { deleteSecret, findSecret, findSecretsOf, insertSecretOnce } from "./secret-store.ts";
import { hasSegmentOfKey } from "./stock-store.ts";

const PREFIX = "encryption-key:";

/** Records that codes are encrypted with the current key from now on, so that no process starts without it later. */
export async function recordEncryptionKey(database: Database, cipher: Cipher): Promise<void> {
  const name = PREFIX + cipher.currentKeyId;
  await insertSecretOnce(database, { name, ciphertext: cipher.encrypt(cipher.currentKeyId, name) });
}

/** Forgets what was recorded under other keys than the current one, when nothing is encrypted with them any more. */
export async function forgetOtherKeys(database: Database, { currentKeyId }: Cipher): Promise<void> {
  for (const { name } of await findSecretsOf(database, PREFIX))
    if (name !== PREFIX + currentKeyId) await deleteSecret(database, name);
}

/** Whether anything in this database may be encrypted with a key. */
export async function isKeyInUse(database: Database, keyId: string): Promise<boolean> {
  const recorded = await findSecret(database, PREFIX + keyId);
  return recorded !== null || (await hasSegmentOfKey(database, keyId));
}

/** Opens what was recorded under each key. @throws {WrongEncryptionKeysError} one of them is missing or another. */
export async function checkRecordedKeys(database: Database, cipher: Cipher): Promise<void> {
  for (const { name, ciphertext } of await findSecretsOf(database, PREFIX)) {
    try {
      cipher.decrypt(ciphertext, name);
    } catch {
      throw new WrongEncryptionKeysError();
    }
  }
}
