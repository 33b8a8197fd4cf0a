import type { Log } from "../log.ts";
import type { Session } from "./database.ts";

/** By their names in lower case. */
type Variables = ReadonlyMap<string, string>;

const READ = [
  "innodb_flush_log_at_trx_commit",
  "innodb_doublewrite",
  "log_bin",
  "sync_binlog",
  "wsrep_on",
  "group_replication_group_name",
  "rpl_semi_sync_master_enabled",
  "rpl_semi_sync_master_wait_point",
  "rpl_semi_sync_source_enabled",
  "rpl_semi_sync_source_wait_point",
];

/** What of a database server's settings may lose commits that were answered, as `name=value`. */
export function settingsThatLose(variables: Variables): string[] {
  const isOn = (name: string) => ["ON", "1"].includes((variables.get(name) ?? "").toUpperCase());
  const faults: string[] = [];
  const demand = (name: string, ...allowed: string[]) => {
    const value = variables.get(name);
    if (value !== undefined && !allowed.includes(value.toUpperCase())) faults.push(`${name}=${value}`);
  };
  // A cluster keeps what one of its nodes loses.
  const isCluster = isOn("wsrep_on") || (variables.get("group_replication_group_name") ?? "") !== "";
  if (!isCluster) {
    demand("innodb_flush_log_at_trx_commit", "1");
    if (isOn("log_bin")) demand("sync_binlog", "1");
    demand("innodb_doublewrite", "ON", "1", "FAST");
  }
  for (const role of ["master", "source"])
    if (isOn(`rpl_semi_sync_${role}_enabled`)) demand(`rpl_semi_sync_${role}_wait_point`, "AFTER_SYNC");
  return faults;
}

/** Tells the operator once, at the start, when a crash of the database server may lose commits that were answered. */
export async function warnOfLosses(session: Session, log: Log): Promise<void> {
  const names = READ.map((name) => `'${name}'`).join(", ");
  const rows = await session.rows<{ Variable_name: string; Value: string }>(
    `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names})`,
  );
  const settings = settingsThatLose(
    new Map(rows.map(({ Variable_name: name, Value: value }) => [name.toLowerCase(), value])),
  );
  if (settings.length === 0) return;
  log.warn(
    { settings },
    "a crash of the database server may lose orders that were answered; see the operators' manual, after a loss",
  );
}
