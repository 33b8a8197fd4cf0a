import { expect, test } from "vitest";
import type { Log } from "../log.ts";
import { openTestServices } from "../testing/test-shop.ts";
import { settingsThatLose, warnOfLosses } from "./durability.ts";

const SAFE = {
  innodb_flush_log_at_trx_commit: "1",
  innodb_doublewrite: "ON",
  log_bin: "ON",
  sync_binlog: "1",
  wsrep_on: "OFF",
};

test.each<[string, Record<string, string>, string[]]>([
  ["what keeps every commit", {}, []],
  [
    "a log that is flushed once a second",
    { innodb_flush_log_at_trx_commit: "2" },
    ["innodb_flush_log_at_trx_commit=2"],
  ],
  ["a binary log that is not flushed", { sync_binlog: "0" }, ["sync_binlog=0"]],
  ["no binary log", { log_bin: "OFF", sync_binlog: "0" }, []],
  ["pages that may be torn", { innodb_doublewrite: "DETECT_ONLY" }, ["innodb_doublewrite=DETECT_ONLY"]],
  ["a Galera cluster", { innodb_flush_log_at_trx_commit: "0", sync_binlog: "0", wsrep_on: "ON" }, []],
  ["Group Replication", { sync_binlog: "0", group_replication_group_name: "aaaa" }, []],
  [
    "a replica that is waited for too late",
    { rpl_semi_sync_source_enabled: "ON", rpl_semi_sync_source_wait_point: "AFTER_COMMIT" },
    ["rpl_semi_sync_source_wait_point=AFTER_COMMIT"],
  ],
  [
    "a replica that is waited for in time",
    { rpl_semi_sync_master_enabled: "1", rpl_semi_sync_master_wait_point: "AFTER_SYNC" },
    [],
  ],
])("%s", (_what, variables, faults) => {
  expect(settingsThatLose(new Map(Object.entries({ ...SAFE, ...variables })))).toEqual(faults);
});

test("the operator is told once what the server itself says", async () => {
  const services = await openTestServices();
  const told: { settings: string[] }[] = [];
  const log = { warn: (facts: { settings: string[] }) => void told.push(facts) } as unknown as Log;
  await warnOfLosses(services.database, log);
  const name = "innodb_flush_log_at_trx_commit";
  const [row] = await services.database.rows<{ value: bigint }>(`SELECT @@${name} AS value`);
  const isLost = told.some(({ settings }) => settings.includes(`${name}=${row?.value}`));
  expect(isLost).toBe(row?.value !== 1n);
  await services.dispose();
});
