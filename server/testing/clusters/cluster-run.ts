import { expect } from "vitest";
import { closeDatabase, openDatabase } from "../../database/database.ts";
import { migrateToLatest } from "../../database/migrate.ts";
import { startBusyShop } from "../faults/busy-shop.ts";
import { scaled } from "../faults/fault-runs.ts";
import { openTestServicesOn, type TestServices } from "../test-shop.ts";

/** Something that befalls a cluster, and its end. */
export interface ClusterFault {
  readonly name: string;
  /** Resolves when the cluster is whole again. */
  happen(): Promise<void>;
}

/** The shop's database wherever it is, on all nodes that are to agree. */
interface Databases {
  readonly nodes: readonly { readonly url: string }[];
}

interface ClusterRun {
  readonly cluster: Databases;
  /** The database of each of the shop's processes: nodes, or what leads to one. */
  readonly urls: readonly string[];
  readonly faults: readonly ClusterFault[];
}

const WORKERS = { order: 8, call: 3, stream: 1 };
const MOST_ORDERS = 5_000;
/** So many orders are delivered before the first fault, and after each; fewer where FAULTS_SCALE says so. */
const DELIVERED_BETWEEN = 40;

/**
 * Orders from stock and on demand, and calls, through one process for each of `urls`, while the faults happen one after the
 * other. Fails the test unless every answer was true and all nodes hold the same sound books. Prints figures.
 */
export async function shopThroughFaults({ cluster, urls, faults }: ClusterRun): Promise<void> {
  const services = await openClusterServices(cluster);
  const shop = await startBusyShop({ services, urls, workers: WORKERS, mostOrders: MOST_ORDERS });
  await shop.untilMoreDelivered(scaled(DELIVERED_BETWEEN));
  for (const fault of faults) {
    shop.figures.begin(fault.name);
    await fault.happen();
    await shop.untilMoreDelivered(scaled(DELIVERED_BETWEEN));
  }
  await shop.stop();
  await closeDatabase(services.database);
  await expectNodesToAgree(cluster);
}

/** The use cases on the cluster's first node, with the newest schema. */
export async function openClusterServices({ nodes }: Databases): Promise<TestServices> {
  const url = nodes[0]?.url as string;
  const database = openDatabase({ url, poolSize: 2 });
  await migrateToLatest(database).finally(() => closeDatabase(database));
  return openTestServicesOn({ url, tcpUrl: url, drop: async () => {} });
}

/** The audit finds nothing on any node, nothing is reserved, and all tables are the same everywhere. */
async function expectNodesToAgree({ nodes }: Databases): Promise<void> {
  const sums: unknown[] = [];
  for (const { url } of nodes) {
    const services = openTestServicesOn({ url, tcpUrl: url, drop: async () => {} });
    await services.expectCleanAudit();
    const reserved = await services.database.rows(
      "SELECT account_id FROM accounts WHERE reserved_microcents <> 0",
    );
    expect(reserved).toEqual([]);
    sums.push(await checksums(services));
    await closeDatabase(services.database);
  }
  for (const sum of sums) expect(sum).toEqual(sums[0]);
}

async function checksums({ database }: TestServices): Promise<unknown> {
  const [tables] = await database.pool.query("SHOW TABLES");
  const names = (tables as Record<string, string>[]).flatMap((row) => Object.values(row));
  const [rows] = await database.pool.query(`CHECKSUM TABLE ${names.map((name) => `\`${name}\``).join(", ")}`);
  return (rows as { Table: string; Checksum: bigint | null }[]).map(({ Table, Checksum }) => [
    Table,
    String(Checksum),
  ]);
}
