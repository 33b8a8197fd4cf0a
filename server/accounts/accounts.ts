import type { Operation } from "../actions/action.ts";
import { recordAction, recordedChange } from "../actions/record-action.ts";
import type { Clock } from "../clock.ts";
import { batchedRead } from "../database/batched-read.ts";
import type { Database } from "../database/database.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { InvalidInputError, NotFoundError } from "../errors.ts";
import { type AccountId, newId } from "../ids.ts";
import { formatUsd, MAX_ACCOUNT_MICROCENTS, ZERO } from "../money/microcents.ts";
import {
  type Account,
  type AccountSettings,
  type AccountStatus,
  type CapCeilings,
  DEFAULT_RPM_LIMIT,
  MAX_CALLS_IN_FLIGHT,
  MAX_RPM_LIMIT,
  type NewAccount,
} from "./account.ts";
import {
  findAccounts,
  insertAccount,
  listAccounts,
  lockAccount,
  updateAccountSettings,
  updateAccountStatus,
} from "./account-store.ts";

const MAX_NAME_LENGTH = 200;

/** What accounts need. */
export interface AccountsDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/** An account that is asked for; 60 requests per minute when no limit is given. */
export interface AccountRequest {
  readonly name: string;
  readonly rpmLimit?: number;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** What can be done with accounts, apart from their money (see `ledger/`). */
export function createAccounts(dependencies: AccountsDependencies) {
  const { database } = dependencies;
  const read = batchedRead((accountIds: readonly AccountId[]) => findAccounts(database, accountIds));

  async function get(accountId: AccountId): Promise<Account> {
    const account = await read(accountId);
    if (account === null) throw new NotFoundError("account", accountId);
    return account;
  }

  async function changed(
    accountId: AccountId,
    operation: Operation,
    change: (tx: Transaction) => Promise<boolean>,
  ): Promise<Account> {
    const isFound = await transaction(database, (tx) =>
      recordedChange(
        tx,
        { operation, targetId: accountId },
        { read: () => lockAccount(tx, accountId), change: () => change(tx) },
      ),
    );
    if (!isFound) throw new NotFoundError("account", accountId);
    return get(accountId);
  }

  function setStatus(accountId: AccountId, status: AccountStatus): Promise<Account> {
    const operation = status === "suspended" ? "suspendAccount" : "resumeAccount";
    return changed(accountId, operation, (tx) => updateAccountStatus(tx, accountId, status));
  }

  return {
    /** Opens an account with nothing on it. @throws {InvalidInputError} name or limit out of bounds. */
    create: (request: AccountRequest): Promise<Account> => create(dependencies, request),

    /** @throws {NotFoundError} */
    get,

    /** All accounts, oldest first. */
    list: (): Promise<Account[]> => listAccounts(database),

    /** From within a second on, every key of the account gets 401. @throws {NotFoundError} */
    suspend: (accountId: AccountId): Promise<Account> => setStatus(accountId, "suspended"),

    /**
     * Sets what is given of an account's settings and leaves the rest; felt within a second. A ceiling (null: none) may be
     * below caps that keys have: they keep them, and the smaller of both holds.
     * @throws {NotFoundError} @throws {InvalidInputError} a limit or a ceiling out of bounds.
     */
    async set(accountId: AccountId, settings: Partial<AccountSettings>): Promise<Account> {
      checkSettings(settings);
      return changed(accountId, "changeAccount", (tx) => updateAccountSettings(tx, accountId, settings));
    },

    /** Takes a suspension back. @throws {NotFoundError} */
    resume: (accountId: AccountId): Promise<Account> => setStatus(accountId, "active"),
  };
}

function checkSettings(settings: Partial<AccountSettings>): void {
  const limit = settings.callsInFlightLimit ?? 1;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_CALLS_IN_FLIGHT) {
    throw new InvalidInputError(`Calls at once are a whole number from 1 to ${MAX_CALLS_IN_FLIGHT}.`);
  }
  checkCeilings(settings);
}

/** @throws {InvalidInputError} a ceiling that is given is no possible cap. */
export function checkCeilings(ceilings: Partial<CapCeilings>): void {
  for (const ceiling of [ceilings.orderCapCeilingMicrocents, ceilings.dailyCapCeilingMicrocents]) {
    if (ceiling === null || ceiling === undefined) continue;
    if (ceiling <= 0n || ceiling > MAX_ACCOUNT_MICROCENTS) {
      throw new InvalidInputError(
        `A ceiling is an amount above zero and at most ${formatUsd(MAX_ACCOUNT_MICROCENTS)} USD.`,
      );
    }
  }
}

async function create(
  { database, clock }: AccountsDependencies,
  { name, rpmLimit = DEFAULT_RPM_LIMIT }: AccountRequest,
): Promise<Account> {
  if (name.trim() === "" || name.length > MAX_NAME_LENGTH) {
    throw new InvalidInputError(`An account's name has 1 to ${MAX_NAME_LENGTH} characters.`);
  }
  if (!Number.isInteger(rpmLimit) || rpmLimit < 1 || rpmLimit > MAX_RPM_LIMIT) {
    throw new InvalidInputError(`Requests per minute are a whole number from 1 to ${MAX_RPM_LIMIT}.`);
  }
  const account: NewAccount = {
    accountId: newId("acc"),
    name,
    status: "active",
    rpmLimit,
    createdAtMs: clock(),
  };
  await transaction(database, async (tx) => {
    await insertAccount(tx, account);
    await recordAction(tx, { operation: "createAccount", targetId: account.accountId, after: account });
  });
  return {
    ...account,
    balanceMicrocents: ZERO,
    reservedMicrocents: ZERO,
    scoreMicrocents: ZERO,
    callsInFlightLimit: null,
    lowersMaxTokens: false,
    orderCapCeilingMicrocents: null,
    dailyCapCeilingMicrocents: null,
  };
}
