import { LRUCache } from "lru-cache";
import type { CapCeilings } from "../accounts/account.ts";
import { type Accounts, checkCeilings } from "../accounts/accounts.ts";
import type { Operation } from "../actions/action.ts";
import { recordAction, recordedChange } from "../actions/record-action.ts";
import type { Action, Actor } from "../activity/activity-entry.ts";
import { type Clock, utcDay } from "../clock.ts";
import { batchedRead } from "../database/batched-read.ts";
import type { Database } from "../database/database.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { NotFoundError } from "../errors.ts";
import type { AccountId, KeyId } from "../ids.ts";
import type { Microcents } from "../money/microcents.ts";
import type { ApiKey, Caller, KeyProperties } from "./api-key.ts";
import { checkProperties } from "./check-key.ts";
import { createKey, type KeyRequest } from "./create-key.ts";
import { dailySpends, findKey, findUnusableKeys, listKeys, revokeActiveKey, updateKey } from "./key-store.ts";
import { createLastUses } from "./last-uses.ts";
import { recordKeyAct } from "./record-key-act.ts";
import { rotateKey } from "./rotate-key.ts";
import { hashSecret, isWellFormedSecret } from "./secret.ts";
import { deleteFormerSecrets, findSecrets, type KnownSecret, lockKey } from "./secret-store.ts";

// A revocation or suspension must be felt everywhere within a second.
const SECRET_CACHE = { max: 10_000, ttl: 500 };

export type Keys = ReturnType<typeof createKeys>;

/** What keys need. */
export interface KeysDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, "get">;
  /** What every key of this service starts with, e.g. `svc_sk_`. */
  readonly keyPrefix: string;
}

/** What can be done with API keys. */
export function createKeys(dependencies: KeysDependencies) {
  const { database, clock, accounts, keyPrefix } = dependencies;
  const lastUses = createLastUses(database);
  const anyKey = createKeyActions(dependencies, { owner: null, by: null });
  // Who lists keys asks for many at once.
  const spentToday: (keyId: KeyId) => Promise<Microcents> = batchedRead((keyIds: readonly KeyId[]) =>
    dailySpends(database, keyIds, utcDay(clock())),
  );
  return {
    ...anyKey,

    /** The same with the keys of one account: any other is not found. @param by whose acts they are. */
    ofAccount: (accountId: AccountId, by: Actor | null = null) =>
      createKeyActions(dependencies, { owner: accountId, by }),

    /**
     * Makes a key. The full key is in the answer and nowhere else: only its hash is stored.
     * @throws {NotFoundError} no such account. @throws {InvalidKeyFieldError} a property is out of bounds, or a cap above its
     * ceiling. @throws {KeyExistsError} the idempotency key has made one.
     */
    create: (request: KeyRequest, by: Actor | null = null): Promise<ApiKey & { key: string }> =>
      createKey(dependencies, request, by),

    /** An account's keys, newest first. @throws {NotFoundError} no such account. */
    async list(accountId: AccountId): Promise<ApiKey[]> {
      await accounts.get(accountId);
      return listKeys(database, accountId, clock());
    },

    /** What a key has spent on the present UTC day. */
    spentToday,

    /**
     * Sets the ceilings that a key has of its own (null: its account's hold) and leaves the others; felt within a second. Caps
     * that are above stay as they are set, and the smaller of both holds.
     * @throws {NotFoundError} @throws {InvalidInputError} a ceiling is out of bounds.
     */
    async setCeilings(keyId: KeyId, ceilings: Partial<CapCeilings>): Promise<ApiKey> {
      checkCeilings(ceilings);
      await transaction(database, (tx) => setCeilings(tx, keyId, ceilings, clock()));
      return anyKey.get(keyId);
    },

    /**
     * Which of some keys may not be used (any more): they are revoked or have expired, or their accounts are suspended. As it
     * is now.
     */
    findUnusable: (keyIds: readonly KeyId[]): Promise<KeyId[]> => findUnusableKeys(database, keyIds, clock()),

    /** Whether a text may hold a key of this service; for what is to be kept out of logs. */
    mayHoldKey: (text: string): boolean => text.includes(keyPrefix),

    /**
     * Whom a secret belongs to; null when it is unknown or its overlap has ended, its key is revoked or has expired, or its
     * account is suspended.
     */
    authenticate: createAuthenticate(dependencies, lastUses),

    /** Records which keys were used; see {@link createLastUses}. */
    writeLastUses: lastUses.write,
    startWritingLastUses: lastUses.startWriting,
  };
}

/** On whose behalf keys are worked with. */
interface KeyActor {
  /** Only keys of this account are found; null finds all. */
  readonly owner: AccountId | null;
  /** null: an operator's command. */
  readonly by: Actor | null;
}

/** What is done with one key. */
function createKeyActions(dependencies: KeysDependencies, { owner, by }: KeyActor) {
  const { database, clock } = dependencies;

  async function get(keyId: KeyId): Promise<ApiKey> {
    const key = await findKey(database, keyId, clock());
    if (key === null || (owner !== null && key.accountId !== owner)) throw new NotFoundError("key", keyId);
    return key;
  }

  /** Changes a key that it locks, and records that. @param work says whether it has changed anything. */
  async function changed(
    keyId: KeyId,
    { act, operation }: { act: Extract<Action, `key_${string}`>; operation: Operation },
    work: (tx: Transaction, before: ApiKey, nowMs: number) => Promise<boolean>,
  ): Promise<void> {
    await transaction(database, async (tx) => {
      const nowMs = clock();
      await lockKey(tx, keyId);
      const before = await findKey(tx, keyId, nowMs);
      if (before === null || !(await work(tx, before, nowMs))) return;
      const after = (await findKey(tx, keyId, nowMs)) ?? before;
      await recordKeyAct(tx, act, after, { by, atMs: nowMs });
      await recordAction(tx, { operation, targetId: keyId, before, after });
    });
  }

  return {
    /** @throws {NotFoundError} */
    get,

    /**
     * Sets the properties that are given (null: none) and leaves the others; felt within a second. A key that has expired
     * works again when its expiry is moved.
     * @throws {NotFoundError} @throws {InvalidKeyFieldError} one is out of bounds, or a cap above its ceiling.
     */
    async change(keyId: KeyId, properties: Partial<KeyProperties>): Promise<ApiKey> {
      checkProperties(properties, await get(keyId), clock());
      await changed(keyId, { act: "key_changed", operation: "changeKey" }, async (tx, before) => {
        await updateKey(tx, keyId, properties);
        return changesAnything(before, properties);
      });
      return get(keyId);
    },

    /**
     * Gives a key a new secret, which is in the answer and nowhere else. The one that it replaces works for another `overlapMs`
     * (0: it ends within a second), earlier ones for no longer than that.
     * @throws {NotFoundError} @throws {KeyEndedError} @throws {InvalidKeyFieldError} the overlap is out of bounds.
     */
    async rotate(keyId: KeyId, overlapMs: number): Promise<ApiKey & { key: string }> {
      await get(keyId);
      return rotateKey(dependencies, { keyId, overlapMs, by });
    },

    /** From within a second on, only the key's present secret works. @throws {NotFoundError} */
    async endOverlap(keyId: KeyId): Promise<ApiKey> {
      await get(keyId);
      const what = { act: "key_overlap_ended", operation: "endKeyOverlap" } as const;
      await changed(keyId, what, async (tx, before) => {
        await deleteFormerSecrets(tx, keyId, null);
        return before.formerSecrets.length > 0;
      });
      return get(keyId);
    },

    /** From within a second on, the key gets 401; revoking it again changes nothing. @throws {NotFoundError} */
    async revoke(keyId: KeyId): Promise<ApiKey> {
      await get(keyId);
      await changed(keyId, { act: "key_revoked", operation: "revokeKey" }, (tx, _, nowMs) =>
        revokeActiveKey(tx, keyId, nowMs),
      );
      return get(keyId);
    },
  };
}

async function setCeilings(
  tx: Transaction,
  keyId: KeyId,
  ceilings: Partial<CapCeilings>,
  nowMs: number,
): Promise<void> {
  const action = { operation: "setKeyCeilings", targetId: keyId } as const;
  await recordedChange(tx, action, {
    read: async () => ((await lockKey(tx, keyId)) === null ? null : findKey(tx, keyId, nowMs)),
    change: async () => {
      await updateKey(tx, keyId, ceilings);
      return true;
    },
  });
}

/** Whether one of the properties that are given is another than the key has. */
function changesAnything(key: ApiKey, properties: Partial<KeyProperties>): boolean {
  const names = Object.keys(properties) as (keyof KeyProperties)[];
  return names.some((name) => properties[name] !== undefined && properties[name] !== key[name]);
}

/** Those who come at the same time share the reading, and for half a second what was read. */
function createAuthenticate(
  { database, clock, keyPrefix }: KeysDependencies,
  lastUses: ReturnType<typeof createLastUses>,
) {
  const findSecret = batchedRead((hashes: readonly Buffer[]) => findSecrets(database, hashes));
  // Room for all that it may hold is taken at once: not by commands, which authenticate nobody.
  let made: LRUCache<string, { known: KnownSecret | null }> | null = null;

  async function look(hash: Buffer): Promise<KnownSecret | null> {
    made ??= new LRUCache(SECRET_CACHE);
    const secrets = made;
    const cacheKey = hash.toString("latin1");
    const cached = secrets.get(cacheKey);
    if (cached !== undefined) return cached.known;
    const known = await findSecret(hash);
    secrets.set(cacheKey, { known });
    return known;
  }

  return async (secret: string): Promise<Caller | null> => {
    if (!isWellFormedSecret(keyPrefix, secret)) return null;
    const known = await look(hashSecret(secret));
    const nowMs = clock();
    if (known === null || (known.worksUntilMs !== null && known.worksUntilMs <= nowMs)) return null;
    lastUses.note(known.caller.keyId, known.lastUsedAtMs, nowMs);
    return known.caller;
  };
}
