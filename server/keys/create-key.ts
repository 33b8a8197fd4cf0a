import type { Accounts } from "../accounts/accounts.ts";
import { recordAction } from "../actions/record-action.ts";
import type { Actor } from "../activity/activity-entry.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import { type AccountId, newId } from "../ids.ts";
import type { ApiKey, KeyKind, KeyProperties } from "./api-key.ts";
import { checkIdempotencyKey, checkProperties } from "./check-key.ts";
import { KeyExistsError } from "./errors.ts";
import { findKeyMadeBy, insertKey } from "./key-store.ts";
import { recordKeyAct } from "./record-key-act.ts";
import { hashSecret, newSecret, previewSecret } from "./secret.ts";

/** What making a key needs. */
export interface KeyCreationDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, "get">;
  readonly keyPrefix: string;
}

/**
 * A key that is asked for; a property that is not given is none. Under the same idempotency key an account is made one key,
 * whatever else is asked for and however often.
 */
export type KeyRequest = {
  readonly accountId: AccountId;
  readonly kind: KeyKind;
  readonly idempotencyKey?: string | null;
} & Partial<KeyProperties>;

/** Makes a key; see `Keys.create`. */
export async function createKey(
  { database, clock, accounts, keyPrefix }: KeyCreationDependencies,
  request: KeyRequest,
  by: Actor | null = null,
): Promise<ApiKey & { key: string }> {
  const { idempotencyKey = null } = request;
  checkIdempotencyKey(idempotencyKey);
  const { accountId, ...account } = await accounts.get(request.accountId);
  if (idempotencyKey !== null) await refuseRepetition(database, accountId, idempotencyKey);
  checkProperties(request, account, clock());
  const secret = newSecret(keyPrefix);
  const key: ApiKey = {
    keyId: newId("key"),
    accountId,
    name: request.name ?? null,
    kind: request.kind,
    status: "active",
    preview: previewSecret(keyPrefix, secret),
    orderCapMicrocents: request.orderCapMicrocents ?? null,
    dailyCapMicrocents: request.dailyCapMicrocents ?? null,
    orderCapCeilingMicrocents: account.orderCapCeilingMicrocents,
    dailyCapCeilingMicrocents: account.dailyCapCeilingMicrocents,
    createdAtMs: clock(),
    expiresAtMs: request.expiresAtMs ?? null,
    lastUsedAtMs: null,
    formerSecrets: [],
  };
  const isMade = await transaction(database, async (tx) => {
    if (!(await insertKey(tx, key, { secretHash: hashSecret(secret), idempotencyKey }))) return false;
    await recordKeyAct(tx, "key_created", key, { by, atMs: key.createdAtMs });
    await recordAction(tx, { operation: "createKey", targetId: key.keyId, after: key });
    return true;
  });
  // Another request with the same idempotency key was faster.
  if (!isMade && idempotencyKey !== null) await refuseRepetition(database, accountId, idempotencyKey);
  return { ...key, key: secret };
}

/** @throws {KeyExistsError} */
async function refuseRepetition(
  database: Database,
  accountId: AccountId,
  idempotencyKey: string,
): Promise<void> {
  const keyId = await findKeyMadeBy(database, accountId, idempotencyKey);
  if (keyId !== null) throw new KeyExistsError(keyId);
}
