import type { Transaction } from "../../database/transaction.ts";

/** Does something while a transaction stays open: a server ends one of which nothing is asked for a while. */
export async function beside<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  const keepOpen = async () => {
    while (!isDone) await tx.rows("SELECT SLEEP(0.01)");
  };
  const [result] = await Promise.all([working, keepOpen()]);
  return result;
}
