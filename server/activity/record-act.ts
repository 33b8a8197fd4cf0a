import type { Transaction } from "../database/transaction.ts";
import { type AccountId, newId } from "../ids.ts";
import type { Act, Actor } from "./activity-entry.ts";
import { insertActivity } from "./activity-store.ts";

/** Who does what with which accounts, and when. */
interface Recorded extends Act {
  /** null: the shop's own command, which is none of the account's people. */
  readonly by: Actor | null;
  readonly accountIds: readonly AccountId[];
  readonly atMs: number;
}

/** Records what somebody does, in the transaction that does it: there is no act without its entry, and no entry without its act. */
export async function recordAct(
  tx: Transaction,
  { by, accountIds, atMs, action, targetId = null, targetName = null }: Recorded,
): Promise<void> {
  if (by === null || accountIds.length === 0) return;
  const { userId, email, address } = by;
  await insertActivity(
    tx,
    accountIds.map((accountId) => ({
      ...{ activityId: newId("act"), accountId, action, userId, email, targetId, targetName, address },
      createdAtMs: atMs,
    })),
  );
}
