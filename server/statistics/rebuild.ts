import { recordAction } from "../actions/record-action.ts";
import type { Database } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import { type AccountId, firstIdAt } from "../ids.ts";
import { entriesBefore, LATE_ENTRY_MS } from "../ledger/entries-before.ts";
import { checkPeriod, type Period } from "./buckets.ts";
import { addCallsAgain, addOrders, deleteRollups, lockProgress } from "./rollup-store.ts";

const DAY_MS = 24 * 60 * 60_000;
/** A call's id tells when it began, by the clock of its machine; it ended within a day of that. */
const CALL_SPAN_MS = DAY_MS;

/**
 * Makes an account's rollups of a period anew from the rows that are in them: those that are not yet are left to rolling up,
 * which waits meanwhile. One transaction for each day, so that one that is broken off leaves whole days.
 * @throws {InvalidInputError} no period.
 */
export async function rebuild(
  database: Database,
  accountId: AccountId,
  period: Period,
  onProgress: (share: number) => void,
): Promise<void> {
  checkPeriod(period);
  const action = { operation: "rebuildStatistics", targetId: accountId, after: asked(period) } as const;
  await transaction(database, (tx) => recordAction(tx, action));
  for (let { fromMs } = period; fromMs < period.toMs; fromMs += DAY_MS) {
    const day = { fromMs, toMs: Math.min(fromMs + DAY_MS, period.toMs) };
    await rebuildDay(database, accountId, day);
    onProgress((day.toMs - period.fromMs) / (period.toMs - period.fromMs));
  }
}

function asked({ fromMs, toMs }: Period): object {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

async function rebuildDay(database: Database, accountId: AccountId, day: Period): Promise<void> {
  const ids = {
    from: firstIdAt("call", Math.max(0, day.fromMs - CALL_SPAN_MS)),
    to: firstIdAt("call", day.toMs + CALL_SPAN_MS),
  };
  await transaction(database, async (tx) => {
    const rolledUp = await lockProgress(tx, accountId);
    // Not before: what is rolled up until then is deleted, and must be among these.
    const after = await entriesBefore(tx, accountId, day.fromMs);
    const end = await entriesBefore(tx, accountId, day.toMs + LATE_ENTRY_MS);
    await deleteRollups(tx, accountId, day);
    const upTo = rolledUp < end ? rolledUp : end;
    await addOrders(tx, accountId, { after, upTo }, day);
    await addCallsAgain(tx, accountId, day, ids);
  });
}
