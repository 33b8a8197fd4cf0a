import type { Actor } from "../activity/activity-entry.ts";
import { recordAct } from "../activity/record-act.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import { NoCodesError } from "./errors.ts";
import type { OrderWithCodes } from "./order.ts";

/** What showing codes to people needs. */
export interface ShowCodesDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Records that somebody sees the codes of an order; only when that is committed may they be shown.
 * @throws {NoCodesError} it has none to show.
 */
export async function recordShownCodes(
  { database, clock }: ShowCodesDependencies,
  { orderId, accountId, status, codes }: OrderWithCodes,
  by: Actor,
): Promise<void> {
  if (codes.length === 0) throw new NoCodesError(orderId, status);
  await transaction(database, (tx) =>
    recordAct(tx, { by, accountIds: [accountId], action: "codes_shown", targetId: orderId, atMs: clock() }),
  );
}
