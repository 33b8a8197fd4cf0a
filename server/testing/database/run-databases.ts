import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { isRunning, ownIdentity } from "../../setup/process-identity.mjs";
import { connectToServer } from "./server-address.ts";

// Several machines may test on one server, and each may only judge its own processes.
const machinePrefix = `shop_test_${createHash("sha256").update(hostname()).digest("hex").slice(0, 6)}_`;

/** How the names of all databases of this run begin: they tell the machine and the process that made them. */
export const runPrefix = `${machinePrefix}${ownIdentity.replace(":", "_")}_`;

/** Drops the databases of this run and of runs on this machine that were killed. */
export async function removeLeftDatabases(serverUrl: string): Promise<void> {
  const connection = await connectToServer(serverUrl);
  try {
    const [rows] = await connection.query("SHOW DATABASES");
    for (const name of (rows as Record<string, string>[]).flatMap((row) => Object.values(row))) {
      if (isLeft(name)) await connection.query(`DROP DATABASE IF EXISTS \`${name}\``);
    }
  } finally {
    await connection.end();
  }
}

function isLeft(name: string): boolean {
  if (name.startsWith(runPrefix)) return true;
  if (!name.startsWith(machinePrefix)) return false;
  const [pid, start] = name.slice(machinePrefix.length).split("_");
  return !isRunning(`${pid}:${start}`);
}
