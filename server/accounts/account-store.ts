import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import { placeholders, type Session } from "../database/database.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { microcents, optionalMicrocents } from "../money/microcents.ts";
import type { Account, AccountSettings, AccountStatus, NewAccount } from "./account.ts";

interface AccountRow {
  account_id: AccountId;
  name: string;
  status: AccountStatus;
  rpm_limit: number;
  balance_microcents: bigint;
  reserved_microcents: bigint;
  score_microcents: bigint;
  created_at_ms: bigint;
  calls_in_flight_limit: number | null;
  lowers_max_tokens: number;
  order_cap_ceiling_microcents: bigint | null;
  daily_cap_ceiling_microcents: bigint | null;
}

const NEW_COLUMNS =
  "account_id, name, status, rpm_limit, balance_microcents, reserved_microcents, score_microcents, created_at_ms";
const COLUMNS = `${NEW_COLUMNS}, calls_in_flight_limit, lowers_max_tokens,
  order_cap_ceiling_microcents, daily_cap_ceiling_microcents`;

/** Writes a new account, with nothing on it; from then on only `ledger/funds-store.ts` changes what it has. */
export async function insertAccount(
  session: Session,
  { accountId, name, status, rpmLimit, createdAtMs }: NewAccount,
): Promise<void> {
  await session.change(
    `INSERT INTO accounts (${NEW_COLUMNS}, ledger_sequence) VALUES (?, ?, ?, ?, 0, 0, 0, ?, 0)`,
    [accountId, name, status, rpmLimit, createdAtMs],
  );
}

/** Several accounts at once, in the order of the ids; null for one that does not exist. */
export async function findAccounts(
  session: Session,
  accountIds: readonly AccountId[],
): Promise<(Account | null)[]> {
  const ids = paddedToPowerOfTwo(accountIds);
  const sql = `SELECT ${COLUMNS} FROM accounts WHERE account_id IN (${placeholders(ids)})`;
  const rows = new Map((await session.rows<AccountRow>(sql, ids)).map((row) => [row.account_id, row]));
  return accountIds.map((id) => {
    const row = rows.get(id);
    return row === undefined ? null : toAccount(row);
  });
}

export async function findAccount(session: Session, accountId: AccountId): Promise<Account | null> {
  const [row] = await session.rows<AccountRow>(`SELECT ${COLUMNS} FROM accounts WHERE account_id = ?`, [
    accountId,
  ]);
  return row === undefined ? null : toAccount(row);
}

/** Locks an account until the transaction ends; null when there is none. */
export async function lockAccount(tx: Transaction, accountId: AccountId): Promise<Account | null> {
  const sql = `SELECT ${COLUMNS} FROM accounts WHERE account_id = ? FOR UPDATE`;
  const [row] = await tx.rows<AccountRow>(sql, [accountId]);
  return row === undefined ? null : toAccount(row);
}

/** All accounts, oldest first. */
export async function listAccounts(session: Session): Promise<Account[]> {
  const rows = await session.rows<AccountRow>(`SELECT ${COLUMNS} FROM accounts ORDER BY account_id`);
  return rows.map(toAccount);
}

/** @returns whether there is such an account. */
export async function updateAccountStatus(
  session: Session,
  accountId: AccountId,
  status: AccountStatus,
): Promise<boolean> {
  return (
    (await session.change("UPDATE accounts SET status = ? WHERE account_id = ?", [status, accountId])) === 1
  );
}

/** Sets what is given and leaves the rest. @returns whether there is such an account. */
export async function updateAccountSettings(
  session: Session,
  accountId: AccountId,
  settings: Partial<AccountSettings>,
): Promise<boolean> {
  const { callsInFlightLimit, lowersMaxTokens, orderCapCeilingMicrocents, dailyCapCeilingMicrocents } =
    settings;
  const orLeft = <T>(value: T | null | undefined) => [value !== undefined, value ?? null] as const;
  const changed = await session.change(
    `UPDATE accounts SET calls_in_flight_limit = CASE WHEN ? THEN ? ELSE calls_in_flight_limit END,
       lowers_max_tokens = COALESCE(?, lowers_max_tokens),
       order_cap_ceiling_microcents = CASE WHEN ? THEN ? ELSE order_cap_ceiling_microcents END,
       daily_cap_ceiling_microcents = CASE WHEN ? THEN ? ELSE daily_cap_ceiling_microcents END
     WHERE account_id = ?`,
    [
      ...orLeft(callsInFlightLimit),
      lowersMaxTokens ?? null,
      ...orLeft(orderCapCeilingMicrocents),
      ...orLeft(dailyCapCeilingMicrocents),
      accountId,
    ],
  );
  return changed === 1;
}

function toAccount(row: AccountRow): Account {
  return {
    accountId: row.account_id,
    name: row.name,
    status: row.status,
    rpmLimit: row.rpm_limit,
    balanceMicrocents: microcents(row.balance_microcents),
    reservedMicrocents: microcents(row.reserved_microcents),
    scoreMicrocents: microcents(row.score_microcents),
    createdAtMs: Number(row.created_at_ms),
    callsInFlightLimit: row.calls_in_flight_limit,
    lowersMaxTokens: row.lowers_max_tokens === 1,
    orderCapCeilingMicrocents: optionalMicrocents(row.order_cap_ceiling_microcents),
    dailyCapCeilingMicrocents: optionalMicrocents(row.daily_cap_ceiling_microcents),
  };
}
