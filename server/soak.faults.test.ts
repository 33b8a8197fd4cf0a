import { setTimeout as delay } from "node:timers/promises";
import { createConnection } from "mysql2/promise";
import { expect, onTestFinished, test } from "vitest";
import { startKillableDatabase } from "./testing/database/killable-database.ts";
import { startBusyShop } from "./testing/faults/busy-shop.ts";
import { scaled } from "./testing/faults/fault-runs.ts";
import { startRelay } from "./testing/relay.ts";
import { openTestServicesOn } from "./testing/test-shop.ts";

/** Of the whole; each of the phases lasts its share. */
const SOAK_MS = scaled(10 * 60_000);
const PHASES = 7;
const QUIET_MS = SOAK_MS / PHASES;
/** So long the database is away: longer than a statement may take, where the soak is long enough. */
const AWAY_MS = Math.min(12_000, QUIET_MS / 2);
const WORKERS = { order: 8, call: 3, stream: 3, "slow stream": 2, abort: 2 };
const MOST_ORDERS = Math.max(2_000, scaled(100_000));
const DELIVERED_AFTER = 20;
const MAX_MEMORY_BYTES = 1024 ** 3;

test("ten minutes of everything, with a database that is frozen, silent, read-only and killed", async () => {
  const database = await startKillableDatabase();
  const { url } = database;
  const relay = await startRelay(() => Number(new URL(url).port));
  onTestFinished(relay.close);
  const administer = await createAdministrator(url, relay.port);
  const services = openTestServicesOn({ url, tcpUrl: url, drop: database.dispose });
  const shop = await startBusyShop({
    services,
    urls: [administer.shopUrl, administer.shopUrl],
    workers: WORKERS,
    mostOrders: MOST_ORDERS,
  });
  onTestFinished(database.thaw);
  const frozen = async () => {
    database.freeze();
    await delay(AWAY_MS);
    database.thaw();
  };
  const silent = async () => {
    relay.silence();
    await delay(AWAY_MS);
    relay.speak();
  };
  const phases: readonly (readonly [string, () => Promise<void>])[] = [
    ["frozen", frozen],
    ["silent", silent],
    ["read-only", () => administer.readOnlyFor(AWAY_MS)],
    ["frozen again", frozen],
    ["killed", () => database.kill().then(() => database.restart())],
    ["its connections cut", administer.cutConnections],
  ];
  await delay(QUIET_MS);
  for (const [name, happen] of phases) {
    shop.figures.begin(name);
    await happen();
    await delay(QUIET_MS);
    await shop.untilMoreDelivered(DELIVERED_AFTER);
  }
  const memory = await Promise.all(shop.processes.map(({ adminUrl }) => residentBytes(adminUrl)));
  console.log(
    `memory of the processes: ${memory.map((bytes) => `${Math.round(bytes / 1024 ** 2)} MiB`).join(", ")}`,
  );
  await shop.stop();
  for (const bytes of memory) expect(bytes).toBeLessThan(MAX_MEMORY_BYTES);
  // Ends with the audit.
  await services.dispose();
});

/** What an administrator does to the database; the shop's own account may not write when nobody may. */
async function createAdministrator(url: string, shopPort: number) {
  const administer = async (...statements: readonly string[]) => {
    const connection = await createConnection(url);
    const results = [];
    for (const statement of statements) results.push((await connection.query(statement))[0]);
    await connection.end();
    return results;
  };
  await administer("CREATE USER shop@'%' IDENTIFIED BY 'secret'", "GRANT ALL ON shop.* TO shop@'%'");
  const shopUrl = new URL(url);
  shopUrl.username = "shop";
  shopUrl.password = "secret";
  shopUrl.port = String(shopPort);
  return {
    shopUrl: shopUrl.href,
    async readOnlyFor(timeMs: number) {
      await administer("SET GLOBAL read_only = 1");
      await delay(timeMs);
      await administer("SET GLOBAL read_only = 0");
    },
    async cutConnections() {
      const [rows] = await administer("SELECT id FROM information_schema.processlist WHERE user = 'shop'");
      for (const { id } of rows as { id: number }[]) await administer(`KILL ${id}`).catch(() => {});
    },
  };
}

async function residentBytes(adminUrl: string): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
}
