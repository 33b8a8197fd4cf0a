import type { Action, Actor } from "../activity/activity-entry.ts";
import { recordAct } from "../activity/record-act.ts";
import type { Transaction } from "../database/transaction.ts";
import type { ApiKey } from "./api-key.ts";

/** Records what somebody does with a key, in the transaction that does it. */
export function recordKeyAct(
  tx: Transaction,
  action: Extract<Action, `key_${string}`>,
  { accountId, keyId, name }: Pick<ApiKey, "accountId" | "keyId" | "name">,
  { by, atMs }: { readonly by: Actor | null; readonly atMs: number },
): Promise<void> {
  return recordAct(tx, { by, accountIds: [accountId], action, targetId: keyId, targetName: name, atMs });
}
