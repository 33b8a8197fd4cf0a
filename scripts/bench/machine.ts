import { cpus, totalmem } from "node:os";
import type { Database } from "../../server/database/database.ts";

/** What the figures were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly database: string;
  /** What the database does with a commit. */
  readonly durability: string;
}

/** Describes this machine and the database server on it. */
export async function describeMachine(database: Database): Promise<Machine> {
  const [server] = await database.rows<{ version: string; flush: bigint; doublewrite: unknown }>(
    "SELECT VERSION() AS version, @@innodb_flush_log_at_trx_commit AS flush, @@innodb_doublewrite AS doublewrite",
  );
  if (server === undefined) throw new Error("The database does not tell its version.");
  const { version, flush, doublewrite } = server;
  const written = doublewrite === 0n || doublewrite === "OFF" ? "off" : "on";
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    database: version.includes("MariaDB")
      ? version.replace(/^([\d.]+).*$/, "MariaDB $1")
      : `MySQL ${version}`,
    durability: `flush at every commit ${Number(flush) === 1 ? "on" : "off"}, doublewrite ${written}`,
  };
}

/** The description in one line. */
export function machineLine(machine: Machine): string {
  const { cpu, cores, memoryGiB, node, database, durability } = machine;
  return `${cores} cores (${cpu}), ${memoryGiB} GiB memory, Node ${node}, ${database} (${durability})`;
}
