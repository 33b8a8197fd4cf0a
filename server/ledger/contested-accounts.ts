import type { Contested } from "../database/combined-write.ts";
import type { AccountId } from "../ids.ts";
import { lockFundsAtOnce } from "./funds-store.ts";

/** The accounts of items as rows that others may hold for long, for transactions that items share. */
export function contestedAccounts<Item>(
  chargedOf: (item: Item) => { readonly accountId: AccountId },
): Contested<Item> {
  return {
    rowOf: (item) => chargedOf(item).accountId,
    lockAtOnce: (tx, items) => lockFundsAtOnce(tx, items.map(chargedOf)),
  };
}
