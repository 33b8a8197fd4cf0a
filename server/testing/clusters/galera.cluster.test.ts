import { setTimeout as delay } from "node:timers/promises";
import { type Connection, createConnection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { actAs } from "../../actions/acting.ts";
import { checkChain } from "../../actions/check-chain.ts";
import { compose, type Services } from "../../compose.ts";
import { closeDatabase, type Database, openDatabase } from "../../database/database.ts";
import { ContentionError } from "../../database/faults.ts";
import { type Transaction, transaction } from "../../database/transaction.ts";
import { ImportRunningError } from "../../stock/import.ts";
import { scaledSelection } from "../faults/fault-runs.ts";
import { requestShop } from "../request-shop.ts";
import { startServerProcess } from "../server-process.ts";
import { testConfig } from "../test-shop.ts";
import { openClusterServices, shopThroughFaults } from "./cluster-run.ts";
import type { ClusterNode, DatabaseCluster } from "./database-cluster.ts";
import { startGaleraCluster } from "./galera-cluster.ts";
import { findGalera } from "./galera-packages.ts";

const files = findGalera(console.log);
const MISSING = "Galera's packages cannot be had here";
/** Longer than the cluster waits for a member that says nothing. */
const SILENCE_MS = 12_000;
const ACTS_AT_EACH_NODE = 40;
const UNDONE_TRANSACTIONS = 150;
const NEW_STATEMENTS = 20;
const IMPORT_ROUNDS = 10;
const MAX_PAUSE_MS = 5;
/** Takes a node a millisecond to prepare. */
const SLOWLY_PREPARED = `SELECT writes FROM wanted WHERE id = 1 ${"AND writes <> -1 ".repeat(400)}`;

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

  test("commit nothing of a transaction that a node undoes while it prepares a statement", async ({
    skip,
  }) => {
    if (files === null) skip(MISSING);
    const [here, there] = [nodes[0], nodes[1]].map(({ url }) => openDatabase({ url, poolSize: 1 })) as [
      Database,
      Database,
    ];
    const { knex } = here;
    await knex.raw("CREATE TABLE wanted (id INT PRIMARY KEY, writes BIGINT NOT NULL)");
    await knex.raw("CREATE TABLE halves (attempt INT, half INT, PRIMARY KEY (attempt, half))");
    await here.change("INSERT INTO wanted VALUES (1, 0)");
    let done = false;
    const disturbing = (async () => {
      while (!done) {
        await there.change("UPDATE wanted SET writes = writes + 1 WHERE id = 1").catch(ignoreContention);
        await delay(Math.random() * MAX_PAUSE_MS);
      }
    })();
    onTestFinished(async () => {
      done = true;
      await disturbing;
      await knex.raw("DROP TABLE wanted, halves");
      await Promise.all([here, there].map(closeDatabase));
    });
    let [attempt, committed] = [0, 0];
    while (attempt - committed < UNDONE_TRANSACTIONS) {
      const work = async (tx: Transaction) => {
        attempt += 1;
        await tx.change("UPDATE wanted SET writes = writes + 1 WHERE id = 1");
        await tx.change("INSERT INTO halves VALUES (?, 1)", [attempt]);
        for (let number = 0; number < NEW_STATEMENTS; number += 1)
          await tx.rows(`${SLOWLY_PREPARED} AND ${attempt * NEW_STATEMENTS + number} > 0`);
        await tx.change("INSERT INTO halves VALUES (?, 2)", [attempt]);
      };
      const committing = transaction(here, work).then(() => {
        committed += 1;
      });
      await committing.catch(ignoreContention);
    }
    const halfDone = "SELECT attempt FROM halves GROUP BY attempt HAVING COUNT(*) <> 2";
    expect(await here.rows(halfDone)).toEqual([]);
  });

  test("have one chain of what operators do on all nodes at once", async ({ skip }) => {
    if (files === null) skip(MISSING);
    const all = [
      await openClusterServices(cluster),
      ...nodes.slice(1).map(({ url }) => compose(testConfig(url))),
    ];
    onTestFinished(async () => {
      for (const { database } of all) await closeDatabase(database);
    });
    const before = (await checkChain(all[0]?.database as Database, { noted: null, maxFaults: 1 })).end
      .sequence;
    await Promise.all(all.map((services, node) => actOften(services, `node-${node}`)));
    for (const { database } of all) {
      const { end, faults } = await checkChain(database, { noted: null, maxFaults: 10 });
      expect({ faults, recorded: end.sequence - before }).toEqual({
        faults: [],
        recorded: BigInt(ACTS_AT_EACH_NODE * all.length),
      });
    }
    const { actions } = await (all[0] as (typeof all)[0]).actions.page({ limit: 1_000 });
    const names = actions.map(({ after }) => JSON.parse(after ?? "{}").name);
    expect(new Set(names).size).toBe(ACTS_AT_EACH_NODE * all.length);
  });

  test("import into a product one at a time, also when two nodes begin at once", async ({ skip }) => {
    if (files === null) skip(MISSING);
    const services = await openClusterServices(cluster);
    const others = nodes.slice(1).map(({ url }) => compose(testConfig(url)));
    onTestFinished(async () => {
      for (const { database } of [services, ...others]) await closeDatabase(database);
    });
    const { productId } = await services.addProduct();
    const beginnings = () =>
      services.database.rows<{ first_sequence: bigint }>(
        "SELECT DISTINCT first_sequence FROM stock_segments WHERE product_id = ?",
        [productId],
      );
    const before = (await beginnings()).length;
    for (let round = 0; round < IMPORT_ROUNDS; round += 1) {
      // Who has begun waits for the others, each of which begins too or is refused.
      const all = [services, ...others];
      let undecided = all.length;
      const decided = Promise.withResolvers<void>();
      const decide = () => {
        undecided -= 1;
        if (undecided === 0) decided.resolve();
      };
      const imports = all.map(async ({ stock }, node) => {
        let hasBegun = false;
        async function* lines() {
          hasBegun = true;
          decide();
          await decided.promise;
          yield `ROUND-${round}-NODE-${node}`;
        }
        await stock.import(productId, lines()).catch((error: unknown) => {
          if (!hasBegun) decide();
          throw error;
        });
      });
      const outcomes = await Promise.allSettled(imports);
      const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
      for (const error of failures)
        if (!(error instanceof ImportRunningError || error instanceof ContentionError)) throw error;
      expect(failures).toHaveLength(all.length - 1);
    }
    expect(await beginnings()).toHaveLength(before + IMPORT_ROUNDS);
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
            for (const node of scaledSelection(nodes)) {
              await node.stop();
              await node.restart();
            }
          },
        },
      ],
    });
  });
});

/** Opens accounts one after the other, as an operator who tries again when others are in the way. */
async function actOften({ accounts }: Services, node: string): Promise<void> {
  const acting = {
    by: { kind: "command_line", id: null, name: node },
    requestId: node,
    clock: Date.now,
  } as const;
  for (let done = 0; done < ACTS_AT_EACH_NODE; ) {
    const act = actAs(acting, () => accounts.create({ name: `${node}-${done}` }));
    await act.then(() => {
      done += 1;
    }, ignoreContention);
  }
}

function ignoreContention(error: unknown): void {
  if (!(error instanceof ContentionError)) throw error;
}

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
