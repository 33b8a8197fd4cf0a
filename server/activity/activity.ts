import type { Accounts } from "../accounts/accounts.ts";
import type { Database } from "../database/database.ts";
import { InvalidInputError } from "../errors.ts";
import { type AccountId, parseId } from "../ids.ts";
import type { ActivityEntry } from "./activity-entry.ts";
import { type ActivityFilter, type ActivityPosition, hasActivity, listActivity } from "./activity-store.ts";

/** What the list of activity needs. */
export interface ActivityDependencies {
  readonly database: Database;
  readonly accounts: Pick<Accounts, "get">;
}

/** Which page of an account's activity is wanted. */
export interface ActivityPageRequest extends Omit<ActivityFilter, "before"> {
  readonly limit: number;
  /** Where an earlier page ended; the first page when not given. */
  readonly cursor?: string | undefined;
}

/** One page of an account's activity. */
export interface ActivityPage {
  readonly entries: readonly ActivityEntry[];
  /** Continues the list; null on the last page. */
  readonly nextCursor: string | null;
}

export type Activity = ReturnType<typeof createActivity>;

/** What an account's people have done; see `record-act.ts` for how it comes there. */
export function createActivity({ database, accounts }: ActivityDependencies) {
  return {
    /**
     * A page of an account's activity, newest first.
     * @throws {NotFoundError} no such account. @throws {InvalidInputError} the cursor is none that this list gave.
     */
    async page(
      accountId: AccountId,
      { limit, cursor, ...filter }: ActivityPageRequest,
    ): Promise<ActivityPage> {
      await accounts.get(accountId);
      const before = cursor === undefined ? undefined : await positionOf(database, accountId, cursor);
      // One more than is shown tells whether the list goes on.
      const found = await listActivity(database, accountId, { ...filter, before }, limit + 1);
      const entries = found.slice(0, limit);
      const last = entries.at(-1);
      return { entries, nextCursor: found.length > limit && last !== undefined ? toCursor(last) : null };
    },
  };
}

const CURSOR = /^(\d{1,15})-([0-9a-f]{32})$/;

function toCursor({ createdAtMs, activityId }: ActivityPosition): string {
  return `${createdAtMs}-${activityId.slice("act_".length)}`;
}

/** @throws {InvalidInputError} */
async function positionOf(
  database: Database,
  accountId: AccountId,
  cursor: string,
): Promise<ActivityPosition> {
  const [, time = "", digits = ""] = CURSOR.exec(cursor) ?? [];
  const activityId = parseId("act", `act_${digits}`);
  const position = activityId === null ? null : { createdAtMs: Number(time), activityId };
  if (position === null || !(await hasActivity(database, accountId, position)))
    throw new InvalidInputError("The cursor is none that this list gave. Begin again without a cursor.");
  return position;
}
