import { LRUCache } from "lru-cache";
import type { Accounts } from "../accounts/accounts.ts";
import { type Clock, utcDay } from "../clock.ts";
import { batchedRead } from "../database/batched-read.ts";
import type { Database } from "../database/database.ts";
import { InvalidInputError, NotFoundError } from "../errors.ts";
import { type AccountId, type KeyId, newId } from "../ids.ts";
import { formatUsd, MAX_ACCOUNT_MICROCENTS, type Microcents } from "../money/microcents.ts";
import type { ApiKey, Caller, KeyCaps, KeyKind } from "./api-key.ts";
import {
  dailySpend,
  findCallers,
  findKey,
  findUnusableKeys,
  insertKey,
  listKeys,
  revokeActiveKey,
  updateKeyCaps,
} from "./key-store.ts";
import { hashSecret, isWellFormedSecret, newSecret, previewSecret } from "./secret.ts";

// A revocation or suspension must be felt everywhere within a second.
const CALLER_CACHE = { max: 10_000, ttl: 500 };

export type Keys = ReturnType<typeof createKeys>;

/** What keys need. */
export interface KeysDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, "get">;
  /** What every key of this service starts with, e.g. `svc_sk_`. */
  readonly keyPrefix: string;
}

/** A key that is asked for; a cap that is not given is no limit. */
export type KeyRequest = { readonly accountId: AccountId; readonly kind: KeyKind } & Partial<KeyCaps>;

/** What can be done with API keys. */
export function createKeys(dependencies: KeysDependencies) {
  const { database, clock, accounts, keyPrefix } = dependencies;

  async function get(keyId: KeyId): Promise<ApiKey> {
    const key = await findKey(database, keyId);
    if (key === null) throw new NotFoundError("key", keyId);
    return key;
  }

  return {
    /**
     * Makes a key. The full key is in the answer and nowhere else: only its hash is stored.
     * @throws {NotFoundError} no such account. @throws {InvalidInputError} a cap is out of bounds.
     */
    create: (request: KeyRequest): Promise<ApiKey & { key: string }> => create(dependencies, request),

    /** @throws {NotFoundError} */
    get,

    /** An account's keys, oldest first. @throws {NotFoundError} no such account. */
    async list(accountId: AccountId): Promise<ApiKey[]> {
      await accounts.get(accountId);
      return listKeys(database, accountId);
    },

    /** What a key has spent on the present UTC day. */
    spentToday: (keyId: KeyId): Promise<Microcents> => dailySpend(database, keyId, utcDay(clock())),

    /**
     * Sets the caps that are given (null: no limit) and leaves the others; felt within a second.
     * @throws {NotFoundError} @throws {InvalidInputError}
     */
    async setCaps(keyId: KeyId, caps: Partial<KeyCaps>): Promise<ApiKey> {
      checkCaps(caps);
      await updateKeyCaps(database, keyId, caps);
      return get(keyId);
    },

    /** From within a second on, the key gets 401; revoking it again changes nothing. @throws {NotFoundError} */
    async revoke(keyId: KeyId): Promise<ApiKey> {
      await revokeActiveKey(database, keyId, clock());
      return get(keyId);
    },

    /** Which of some keys may not be used (any more): they are revoked, or their accounts suspended. As it is now. */
    findUnusable: (keyIds: readonly KeyId[]): Promise<KeyId[]> => findUnusableKeys(database, keyIds),

    /** Whether a text may hold a key of this service; for what is to be kept out of logs. */
    mayHoldKey: (text: string): boolean => text.includes(keyPrefix),

    /** Whom a secret belongs to; null when the key is unknown or revoked or its account suspended. */
    authenticate: createAuthenticate(dependencies),
  };
}

async function create(
  { database, clock, accounts, keyPrefix }: KeysDependencies,
  request: KeyRequest,
): Promise<ApiKey & { key: string }> {
  checkCaps(request);
  const { accountId } = await accounts.get(request.accountId);
  const secret = newSecret(keyPrefix);
  const key: ApiKey = {
    keyId: newId("key"),
    accountId,
    kind: request.kind,
    status: "active",
    preview: previewSecret(keyPrefix, secret),
    orderCapMicrocents: request.orderCapMicrocents ?? null,
    dailyCapMicrocents: request.dailyCapMicrocents ?? null,
    createdAtMs: clock(),
  };
  await insertKey(database, key, hashSecret(secret));
  return { ...key, key: secret };
}

/** Those who come at the same time share the reading, and for half a second what was read. */
function createAuthenticate({ database, keyPrefix }: KeysDependencies) {
  const findCaller = batchedRead((hashes: readonly Buffer[]) => findCallers(database, hashes));
  const callers = new LRUCache<string, { caller: Caller | null }>(CALLER_CACHE);
  return async (secret: string): Promise<Caller | null> => {
    if (!isWellFormedSecret(keyPrefix, secret)) return null;
    const hash = hashSecret(secret);
    const cacheKey = hash.toString("latin1");
    const known = callers.get(cacheKey);
    if (known !== undefined) return known.caller;
    const caller = await findCaller(hash);
    callers.set(cacheKey, { caller });
    return caller;
  };
}

function checkCaps({ orderCapMicrocents, dailyCapMicrocents }: Partial<KeyCaps>): void {
  for (const cap of [orderCapMicrocents, dailyCapMicrocents]) {
    if (cap === null || cap === undefined) continue;
    if (cap <= 0n || cap > MAX_ACCOUNT_MICROCENTS) {
      throw new InvalidInputError(
        `A cap is an amount above zero and at most ${formatUsd(MAX_ACCOUNT_MICROCENTS)} USD.`,
      );
    }
  }
}
