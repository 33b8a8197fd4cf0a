import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { closeDatabase } from "../../database/database.ts";
import { startSupplierSimulator } from "../../simulators/supplier/supplier-simulator.ts";
import { requestShop } from "../request-shop.ts";
import { type ServerProcess, startServerProcess } from "../server-process.ts";
import { orderUntilDelivered } from "../supplied-orders.ts";
import { testOperator } from "../test-operator.ts";
import { TEST_KEY_RING } from "../test-shop.ts";
import { addOnDemandProduct } from "../test-supplier.ts";
import { openClusterServices } from "./cluster-run.ts";
import { DATABASE_NAME } from "./database-cluster.ts";
import { startPrimarySwitch } from "./primary-switch.ts";
import { startReplicatedPair } from "./replicated-pair.ts";

const CODES = 30;
const KEPT = 5;
const LOST = 8;
const MINUTE_MS = 60_000;
/** Until the address leads to the new primary. */
const MAX_WAIT_MS = 60_000;

test("after a failover that lost commits the drill keeps what was sold in the lost time from being sold again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "failover-drill-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pair = await startReplicatedPair("asynchronous");
  onTestFinished(pair.dispose);
  const { port, close } = await startPrimarySwitch(async () => pair.primaryPort());
  onTestFinished(close);
  const url = `mysql://root@127.0.0.1:${port}/${DATABASE_NAME}`;
  const services = await openClusterServices({ nodes: [{ url }] });
  const operator = testOperator(url, TEST_KEY_RING);
  const { key } = await services.addKey(await services.addAccount("1000"));
  const { productId, codes } = await services.addProduct({ codes: CODES });
  const simulator = await startSupplierSimulator();
  const supplied = await addOnDemandProduct(services, { simulator });

  let server: ServerProcess = await startServerProcess(url);
  onTestFinished(() => void server.kill("SIGKILL"));
  const post = (externalOrderId: string, of: string) => {
    const body = { externalOrderId, productId: of, qty: 1 };
    return orderUntilDelivered(() => requestShop(server.baseUrl, "/orders", { key, body }));
  };
  /** The codes of as many orders from stock, each of which is answered with its own. */
  const buy = async (name: string, count: number): Promise<string[]> => {
    const bought: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const { status, body } = await post(`${name}-${index}`, productId);
      expect(status).toBe(200);
      bought.push(...body.codes);
    }
    return bought;
  };
  const buyOut = async (): Promise<string[]> => {
    const bought: string[] = [];
    for (;;) {
      const { status, body } = await post(randomUUID(), productId);
      if (status !== 200) {
        expect(body.error).toBe("out_of_stock");
        return bought;
      }
      bought.push(...body.codes);
    }
  };

  const given = await buy("kept", KEPT);
  await pair.untilReplicaHasAll();
  const since = new Date(Date.now() - MINUTE_MS).toISOString();
  await pair.stopReceiving();
  const lost = await buy("lost", LOST);
  expect(await post("lost on demand", supplied.productId)).toMatchObject({ status: 200 });
  await pair.killSource();
  await server.kill("SIGKILL");
  await pair.promoteReplica();

  // The new primary knows nothing of them, and would sell their codes next.
  const known = () => services.database.rows("SELECT order_id FROM orders").catch(() => []);
  await expect.poll(known, { timeout: MAX_WAIT_MS }).toHaveLength(KEPT);
  const done = await operator.json(["after-loss", "--since", since]);
  expect(done).toMatchObject({ dryRun: false, codesSetAside: CODES - KEPT });
  const about = (name: string) => done.tasks.find((task: { about: string }) => task.about === name);
  expect(about("lost_orders")).toBeDefined();
  expect(about("purchases").found).toContain(supplied.supplierId);

  server = await startServerProcess(url);
  expect(await buyOut()).toEqual([]);
  writeFileSync(join(folder, "sold.txt"), lost.join("\n"));
  const marking = ["stock", "mark-sold", "--product", productId, "--file", join(folder, "sold.txt")];
  expect(await operator.json(marking)).toMatchObject({ takenOut: LOST, unknown: 0, onOrders: 0 });
  await operator.json(["stock", "reopen", "--product", productId, "--rest"]);
  const all = [...given, ...lost, ...(await buyOut())];
  expect(all.toSorted()).toEqual(codes.toSorted());
  await server.kill("SIGTERM");
  await services.expectCleanAudit();
  await closeDatabase(services.database);
  await simulator.close();
});
