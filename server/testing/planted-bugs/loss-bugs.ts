import type { PlantedBug } from "./planted-bug.ts";

const LOSSES_TEST = "server/losses/losses.test.ts";
const BACKUPS_TEST = "server/backup/backups.test.ts";

/** Faults of backups, and of what is done after a loss. */
export const LOSS_BUGS: readonly PlantedBug[] = [
  {
    name: "newest-movement-of-money-overlooked",
    description: "A loss is taken to begin long before the newest row, where that is a top-up or a refund.",
    file: "server/losses/loss-store.ts",
    find: "  UNION ALL (SELECT MAX(e.created_at_ms) FROM accounts a JOIN ledger_entries e\n    ON e.account_id = a.account_id AND e.sequence = a.ledger_sequence)\n",
    replace: "",
    caughtBy: LOSSES_TEST,
    test: "the newest row is told",
  },
  {
    name: "orders-since-by-one-clock",
    description: "Orders of the lost time are not listed where the shop's clock is ahead of the machine's.",
    file: "server/losses/loss-store.ts",
    find: "Math.max(sinceMs - 60_000, 0)",
    replace: "sinceMs",
    caughtBy: LOSSES_TEST,
    test: "whose clock is ahead",
  },
  {
    name: "disabled-suppliers-not-asked",
    description: "What a supplier delivered in the lost time is not found once it is disabled.",
    file: "server/losses/losses.ts",
    find: "of await suppliers.list()) {",
    replace: 'of (await suppliers.list()).filter((one) => one.status === "active")) {',
    caughtBy: LOSSES_TEST,
    test: "what suppliers delivered",
  },
  {
    name: "empty-segment-after-a-loss",
    description: "A segment that is set aside as a whole leaves an empty one for sale.",
    file: "server/stock/set-aside-after-loss.ts",
    find: "|| most >= endSequence)",
    replace: "|| most > endSequence)",
    caughtBy: "server/stock/set-aside-after-loss.test.ts",
    test: "no more is left",
  },
  {
    name: "backup-dated-at-its-end",
    description: "A backup says that it holds what was committed while it was taken.",
    file: "server/backup/take-backup.ts",
    find: "        takenAt,\n",
    replace: "        takenAt: new Date(clock()).toISOString(),\n",
    caughtBy: BACKUPS_TEST,
    test: "since when commits are missing",
  },
  {
    name: "keys-restored-first",
    description: "Buyers are let into a shop that is half restored.",
    file: "server/backup/backup-store.ts",
    find: "ORDER BY c.TABLE_NAME = ?,",
    replace: "ORDER BY c.TABLE_NAME <> ?,",
    caughtBy: BACKUPS_TEST,
    test: "lets nobody in",
  },
  {
    name: "revoked-keys-counted",
    description: "Keys that were revoked are told as ones that may have to be.",
    file: "server/losses/loss-store.ts",
    find: "FROM api_keys WHERE status = 'active'",
    replace: "FROM api_keys",
    caughtBy: LOSSES_TEST,
    test: "without a trace",
  },
  {
    name: "orders-on-demand-listed",
    description: "Orders whose codes come from suppliers are listed as sales from stock.",
    file: "server/losses/loss-store.ts",
    find: "\n    AND EXISTS (SELECT 1 FROM order_code_ranges r WHERE r.order_id = o.order_id)`",
    replace: "`",
    caughtBy: LOSSES_TEST,
    test: "what suppliers delivered",
  },
  {
    name: "empty-shop-not-restored-into",
    description: "A backup is not restored where a process has only looked.",
    file: "server/backup/backup-store.ts",
    find: "if (OWN_TABLES.includes(table) || table === MADE_AT_START) continue;",
    replace: "if (OWN_TABLES.includes(table)) continue;",
    caughtBy: BACKUPS_TEST,
    test: "the one that was backed up",
  },
];
