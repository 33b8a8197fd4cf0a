import type { Database } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Cipher } from "./code-cipher.ts";
import { type UnreadableCodeError, WrongEncryptionKeysError } from "./errors.ts";
import { setSegmentAside } from "./stock-store.ts";
import { isKeyInUse } from "./used-encryption-keys.ts";

/** What setting segments aside needs. */
export interface SetAsideDependencies {
  readonly database: Database;
  readonly cipher: Pick<Cipher, "hasKey">;
  readonly log: Log;
}

/**
 * Takes the segment of a code that cannot be opened out of sale and tells the operator, until the operator has looked into it.
 * @throws {WrongEncryptionKeysError} nothing is wrong with the code: this process lacks its encryption key.
 */
export type SetAside = (unreadable: UnreadableCodeError) => Promise<void>;

export function createSetAside({ database, cipher, log }: SetAsideDependencies): SetAside {
  return async ({ productId, sequence, encryptionKeyId: keyId }) => {
    if (keyId !== null && !cipher.hasKey(keyId) && (await isKeyInUse(database, keyId)))
      throw new WrongEncryptionKeysError();
    const segmentId = await setSegmentAside(database, productId, sequence);
    if (segmentId === null) return;
    log.error(
      { productId, segmentId, sequence: String(sequence) },
      "a code cannot be opened; its segment is set aside and not sold any more (see: operator stock list)",
    );
  };
}
