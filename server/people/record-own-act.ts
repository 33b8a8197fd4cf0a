import type { Act, Actor } from "../activity/activity-entry.ts";
import { recordAct } from "../activity/record-act.ts";
import type { Transaction } from "../database/transaction.ts";
import { accountsOf } from "./user-store.ts";

/** Records what somebody does about themselves, with every account that they are a member of. */
export async function recordOwnAct(tx: Transaction, by: Actor | null, act: Act, atMs: number): Promise<void> {
  if (by === null) return;
  await recordAct(tx, { ...act, by, accountIds: await accountsOf(tx, by.userId), atMs });
}
