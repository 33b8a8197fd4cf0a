import { setTimeout as delay } from "node:timers/promises";
import { type Connection, createConnection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { closeDatabase } from "../../database/database.ts";
import { requestShop } from "../request-shop.ts";
import { startServerProcess } from "../server-process.ts";
import { openClusterServices, shopThroughFaults } from "./cluster-run.ts";
import type { ClusterNode, DatabaseCluster } from "./database-cluster.ts";
import { startGaleraCluster } from "./galera-cluster.ts";
import { findGalera } from "./galera-packages.ts";

const files = findGalera(console.log);
const MISSING = "Galera's packages cannot be had here";
/** Longer than the cluster waits for a member that says nothing. */
const SILENCE_MS = 12_000;

describe("three processes, each on a Galera node of its own", () => {
  let cluster: DatabaseCluster;
  let nodes: [ClusterNode, ClusterNode, ClusterNode];
  beforeAll(async () => {
    if (files === null) return;
    cluster = await startGaleraCluster(files);
    nodes = cluster.nodes as [ClusterNode, ClusterNode, ClusterNode];
  });
  afterAll(() => cluster?.dispose());

  test("know at once what another one has answered, also when their node is behind", async ({ skip }) => {
    if (files === null) skip(MISSING);
    const services = await openClusterServices(cluster);
    const { key } = await services.addKey(await services.addAccount());
    const { productId } = await services.addProduct();
    const [here, there] = [await startServerProcess(nodes[0].url), await startServerProcess(nodes[1].url)];
    onTestFinished(async () => {
      await Promise.all([here.kill("SIGTERM"), there.kill("SIGTERM")]);
      await closeDatabase(services.database);
    });
    // It has a connection, which waits for nothing.
    expect(await requestShop(there.baseUrl, "/balance", { key })).toMatchObject({ status: 200 });

    const holder = await createConnection(nodes[1].url);
    await holder.query("FLUSH TABLES WITH READ LOCK");
    const body = { externalOrderId: "order-1", productId, qty: 1 };
    const bought = await requestShop(here.baseUrl, "/orders", { key, body });
    expect(bought).toMatchObject({ status: 200 });
    const looking = requestShop(there.baseUrl, `/orders/${bought.body.orderId}`, { key });
    await Promise.race([looking, untilSomebodyWaits(holder)]);
    await holder.query("UNLOCK TABLES");
    await holder.end();
    expect(await looking).toMatchObject({ status: 200, body: { codes: bought.body.codes } });
  });

  test("answer and lose nothing, whatever happens to a node", async ({ skip }) => {
    if (files === null) skip(MISSING);
    const [, second, third] = nodes;
    await shopThroughFaults({
      cluster,
      urls: nodes.map(({ url }) => url),
      faults: [
        {
          name: "a node is killed",
          async happen() {
            await second.kill();
            await second.restart();
          },
        },
        {
          name: "a node is frozen",
          async happen() {
            third.freeze();
            await delay(SILENCE_MS);
            await third.thaw();
          },
        },
        {
          name: "a node is cut off",
          async happen() {
            await second.cutOff();
            await delay(SILENCE_MS);
            await second.connect();
          },
        },
        {
          name: "the nodes are restarted one after the other",
          async happen() {
            for (const node of nodes) {
              await node.stop();
              await node.restart();
            }
          },
        },
      ],
    });
  });
});

/** Until a statement of the service waits on the node. */
async function untilSomebodyWaits(connection: Connection): Promise<void> {
  const waiting = async () => {
    const [rows] = await connection.query(
      "SELECT 1 FROM information_schema.processlist WHERE command = 'Execute' AND id <> CONNECTION_ID()",
    );
    return (rows as unknown[]).length;
  };
  await expect.poll(waiting).toBeGreaterThan(0);
}
