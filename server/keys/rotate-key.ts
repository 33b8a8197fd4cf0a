import { recordAction } from "../actions/record-action.ts";
import type { Actor } from "../activity/activity-entry.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { NotFoundError } from "../errors.ts";
import type { KeyId } from "../ids.ts";
import { type ApiKey, standingOf } from "./api-key.ts";
import { checkOverlap } from "./check-key.ts";
import { KeyEndedError } from "./errors.ts";
import { findKey } from "./key-store.ts";
import { recordKeyAct } from "./record-key-act.ts";
import { hashSecret, newSecret, previewSecret } from "./secret.ts";
import {
  deleteFormerSecrets,
  insertFormerSecret,
  lockKey,
  shortenOverlaps,
  updateSecret,
} from "./secret-store.ts";

/** What a rotation needs. */
export interface RotationDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly keyPrefix: string;
}

/** Which key gets a new secret, how long its present one works beside it, and whose act that is. */
interface Rotation {
  readonly keyId: KeyId;
  readonly overlapMs: number;
  readonly by: Actor | null;
}

/**
 * Gives a key a new secret. Its present one works until the overlap ends, earlier ones until then at the latest; everything
 * else about the key stays. Of two rotations at once one follows the other, and all three secrets work until then.
 * @returns the key with its new secret, which is nowhere else.
 * @throws {NotFoundError} @throws {KeyEndedError} @throws {InvalidKeyFieldError} the overlap is out of bounds.
 */
export async function rotateKey(
  { database, clock, keyPrefix }: RotationDependencies,
  { keyId, overlapMs, by }: Rotation,
): Promise<ApiKey & { key: string }> {
  checkOverlap(overlapMs);
  const secret = newSecret(keyPrefix);
  const rotated = await transaction(database, async (tx) => {
    const nowMs = clock();
    const worksUntilMs = nowMs + overlapMs;
    const { secretHash, preview } = await lockUsableKey(tx, keyId, nowMs);
    const before = await findKey(tx, keyId, nowMs);
    await shortenOverlaps(tx, keyId, worksUntilMs);
    await deleteFormerSecrets(tx, keyId, nowMs);
    const former = { preview, replacedAtMs: nowMs, worksUntilMs };
    if (overlapMs > 0) await insertFormerSecret(tx, keyId, secretHash, former);
    await updateSecret(tx, keyId, hashSecret(secret), previewSecret(keyPrefix, secret));
    // Read before the commit: once it is made, nothing may come between the new secret and who asked for it.
    const key = await findKey(tx, keyId, nowMs);
    if (key !== null) await recordKeyAct(tx, "key_rotated", key, { by, atMs: nowMs });
    await recordAction(tx, { operation: "rotateKey", targetId: keyId, before, after: key });
    return key;
  });
  if (rotated === null) throw new NotFoundError("key", keyId);
  return { ...rotated, key: secret };
}

/** @throws {NotFoundError} @throws {KeyEndedError} */
async function lockUsableKey(tx: Transaction, keyId: KeyId, nowMs: number) {
  const key = await lockKey(tx, keyId);
  if (key === null) throw new NotFoundError("key", keyId);
  const standing = standingOf(key, nowMs);
  if (standing !== "active") throw new KeyEndedError(keyId, standing);
  return key;
}
