import type { PlantedBug } from "./planted-bug.ts";

const STATISTICS_TEST = "server/statistics/statistics.test.ts";
const BUCKETS_TEST = "server/statistics/buckets.test.ts";

/** Faults of statistics: figures that are not what the rows say. */
export const STATISTICS_BUGS: readonly PlantedBug[] = [
  {
    name: "rollups-forget-progress",
    description: "Orders that are in the rollups are told a second time.",
    file: "server/statistics/roll-up.ts",
    find: "  await updateProgress(tx, accountId, upTo);\n",
    replace: "",
    caughtBy: STATISTICS_TEST,
    test: "told twice",
  },
  {
    name: "statistics-skip-what-is-new",
    description: "What is not rolled up yet is not told.",
    file: "server/statistics/statistics-store.ts",
    find: "WHERE account_id = ?), 0)`",
    replace: "WHERE account_id = ?), 0) + 1`",
    caughtBy: STATISTICS_TEST,
    test: "figures are current",
  },
  {
    name: "statistics-by-order-rather-than-refund",
    description: "A refund is told as another delivery.",
    file: "server/statistics/counted-rows-store.ts",
    find: "IF(e.type = 'order', o.qty, 0) AS codes",
    replace: "o.qty AS codes",
    caughtBy: STATISTICS_TEST,
    test: "figures are current",
  },
  {
    name: "calls-are-rolled-up-again",
    description: "Calls that are in the rollups are told a second time.",
    file: "server/statistics/counted-rows-store.ts",
    find: ")} AND rollup_due = 1`",
    replace: ")}`",
    caughtBy: STATISTICS_TEST,
    test: "figures are current",
  },
  {
    name: "rebuilding-takes-what-is-new",
    description: "Calls that are not rolled up yet are rebuilt, and rolled up as well.",
    file: "server/statistics/rollup-store.ts",
    find: " AND ended_at_ms < ? AND rollup_due IS NULL",
    replace: " AND ended_at_ms < ?",
    caughtBy: STATISTICS_TEST,
    test: "makes wrong rollups right",
  },
  {
    name: "rebuilding-takes-entries-that-are-new",
    description: "Orders that are not rolled up yet are rebuilt, and rolled up as well.",
    file: "server/statistics/rebuild.ts",
    find: "rolledUp < end ? rolledUp : end",
    replace: "end",
    caughtBy: STATISTICS_TEST,
    test: "makes wrong rollups right",
  },
  {
    name: "days-have-24-hours",
    description: "From a change of clocks on, days begin an hour too early or late.",
    file: "server/statistics/buckets.ts",
    find: "  return startOfDay(zone, { year, month, day: day + 1 });",
    replace: "  return timeMs + 24 * HOUR_MS;",
    caughtBy: BUCKETS_TEST,
    test: "a day has",
  },
  {
    name: "hours-are-those-of-utc",
    description: "Hours of Nepal begin a quarter of an hour too early.",
    file: "server/statistics/buckets.ts",
    find: "HOUR_MS - (localMs % HOUR_MS)",
    replace: "HOUR_MS - (timeMs % HOUR_MS)",
    caughtBy: BUCKETS_TEST,
    test: "hours begin where the zone's do",
  },
  {
    name: "audit-overlooks-codes-in-rollups",
    description: "Rollups with too many codes pass.",
    file: "server/audit/checks.ts",
    find: "HAVING orders_too_many <> 0 OR codes_too_many <> 0 OR",
    replace: "HAVING orders_too_many <> 0 OR",
    caughtBy: "server/audit/audit.test.ts",
    test: "one too many in the order_rollups is found",
  },
];
