import type { Parameter, Session } from "../database/database.ts";
import { inPowerOfTwoChunks, valuesOf } from "../database/many-rows.ts";
import type { AccountId, ActivityId, UserId } from "../ids.ts";
import type { ActivityEntry } from "./activity-entry.ts";

interface ActivityRow {
  account_id: AccountId;
  created_at_ms: bigint;
  activity_id: ActivityId;
  action: string;
  user_id: UserId;
  email: string;
  target_id: string | null;
  target_name: string | null;
  address: string;
}

/** Where an entry stands in its account's list. */
export type ActivityPosition = Pick<ActivityEntry, "createdAtMs" | "activityId">;

/** What a list of entries is narrowed to; what is absent does not narrow. */
export interface ActivityFilter {
  readonly action?: string | undefined;
  readonly userId?: string | undefined;
  readonly fromMs?: number | undefined;
  /** Only before this moment. */
  readonly toMs?: number | undefined;
  /** Only entries older than this one. */
  readonly before?: ActivityPosition | undefined;
}

const COLUMNS =
  "account_id, created_at_ms, activity_id, action, user_id, email, target_id, target_name, address";

export async function insertActivity(session: Session, entries: readonly ActivityEntry[]): Promise<void> {
  for (const some of inPowerOfTwoChunks(entries)) {
    const { sql, values } = valuesOf(
      some.map((entry) => [
        ...[entry.accountId, entry.createdAtMs, entry.activityId, entry.action, entry.userId, entry.email],
        ...[entry.targetId, entry.targetName, entry.address],
      ]),
    );
    await session.change(`INSERT INTO account_activity (${COLUMNS}) ${sql}`, values);
  }
}

/** An account's entries, newest first. */
export async function listActivity(
  session: Session,
  accountId: AccountId,
  filter: ActivityFilter,
  limit: number,
): Promise<ActivityEntry[]> {
  const { sql, values } = conditionsOf(filter);
  const rows = await session.rows<ActivityRow>(
    `SELECT ${COLUMNS} FROM account_activity WHERE account_id = ?${sql}
     ORDER BY created_at_ms DESC, activity_id DESC LIMIT ?`,
    [accountId, ...values, limit],
  );
  return rows.map(toEntry);
}

/** Whether an account has an entry at that position. */
export async function hasActivity(
  session: Session,
  accountId: AccountId,
  { createdAtMs, activityId }: ActivityPosition,
): Promise<boolean> {
  const rows = await session.rows(
    "SELECT 1 FROM account_activity WHERE account_id = ? AND created_at_ms = ? AND activity_id = ?",
    [accountId, createdAtMs, activityId],
  );
  return rows.length > 0;
}

function conditionsOf({ action, userId, fromMs, toMs, before }: ActivityFilter) {
  const conditions: [sql: string, values: readonly Parameter[]][] = [];
  if (action !== undefined) conditions.push(["action = ?", [action]]);
  if (userId !== undefined) conditions.push(["user_id = ?", [userId]]);
  if (fromMs !== undefined) conditions.push(["created_at_ms >= ?", [fromMs]]);
  if (toMs !== undefined) conditions.push(["created_at_ms < ?", [toMs]]);
  if (before !== undefined)
    conditions.push([
      // The first condition alone leads the way in the index.
      "created_at_ms <= ? AND (created_at_ms < ? OR activity_id < ?)",
      [before.createdAtMs, before.createdAtMs, before.activityId],
    ]);
  return {
    sql: conditions.map(([sql]) => ` AND ${sql}`).join(""),
    values: conditions.flatMap(([, values]) => values),
  };
}

function toEntry(row: ActivityRow): ActivityEntry {
  return {
    activityId: row.activity_id,
    accountId: row.account_id,
    action: row.action,
    userId: row.user_id,
    email: row.email,
    targetId: row.target_id,
    targetName: row.target_name,
    address: row.address,
    createdAtMs: Number(row.created_at_ms),
  };
}
