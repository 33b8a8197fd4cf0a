import { ACTION_BUGS } from "./action-bugs.ts";
import { AUDIT_BUGS } from "./audit-bugs.ts";
import { CALL_BUGS } from "./call-bugs.ts";
import { KEY_BUGS } from "./key-bugs.ts";
import { LEDGER_BUGS } from "./ledger-bugs.ts";
import { LOSS_BUGS } from "./loss-bugs.ts";
import { ORDER_BUGS } from "./order-bugs.ts";
import type { Plant, PlantedBug } from "./planted-bug.ts";
import { PURCHASE_BUGS } from "./purchase-bugs.ts";
import { REQUEST_BUGS } from "./request-bugs.ts";
import { STATISTICS_BUGS } from "./statistics-bugs.ts";
import { STOCK_BUGS } from "./stock-bugs.ts";

/** All bugs that are known to be noticed. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...ORDER_BUGS,
  ...PURCHASE_BUGS,
  ...STOCK_BUGS,
  ...LOSS_BUGS,
  ...LEDGER_BUGS,
  ...CALL_BUGS,
  ...KEY_BUGS,
  ...AUDIT_BUGS,
  ...REQUEST_BUGS,
  ...STATISTICS_BUGS,
  ...ACTION_BUGS,
];

/**
 * @param text what PLANTED_BUG says: the name of a bug of the list, or a {@link Plant} as JSON.
 * @throws Error that names the known bugs.
 */
export function plantedBug(text: string): Plant {
  if (text.startsWith("{")) return JSON.parse(text);
  const bug = PLANTED_BUGS.find(({ name }) => name === text);
  if (bug === undefined) {
    throw new Error(`There is no planted bug ${text}: ${PLANTED_BUGS.map(({ name }) => name).join(", ")}.`);
  }
  return bug;
}
