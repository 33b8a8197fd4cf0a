import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { requestShop } from "../testing/request-shop.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { orderUntilDelivered } from "../testing/supplied-orders.ts";
import { openTestServices } from "../testing/test-shop.ts";

const CLIENTS = 6;
const ROTATIONS = 3;
const ORDERS_BETWEEN = 20;
const HOUR_MS = 3_600_000;

test("a key that is rotated again and again under load, at two processes, loses no order; its last use is written", async () => {
  const services = await openTestServices();
  const { keyId, key } = await services.addKey(await services.addAccount("10000"));
  const { productId } = await services.addProduct({ price: "0.01", codes: 20_000 });
  const servers = await Promise.all([start(), start()]);
  async function start(): Promise<ServerProcess> {
    const server = await startServerProcess(services.databaseUrl);
    onTestFinished(() => void server.kill("SIGKILL"));
    return server;
  }
  /** Of the two newest, half of the requests use each: programs take a new secret when their turn comes. */
  const secrets = [key];
  const failures: string[] = [];
  const ids = new Set<string>();
  let isStopped = false;
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    for (let turn = index; !isStopped; turn += 1) {
      const server = servers[turn % 2];
      const body = { externalOrderId: randomUUID(), productId, qty: 1 };
      // A machine that is very busy may answer with a 503 first.
      const answer = await orderUntilDelivered(() => {
        const secret = secrets.at(turn % 2 === 0 ? -1 : -2) ?? key;
        return requestShop(server?.baseUrl ?? "", "/orders", { key: secret, body });
      });
      if (answer.status === 200) ids.add(answer.body.orderId);
      else failures.push(`${answer.status} ${answer.text}`);
    }
  });
  for (let rotation = 0; rotation <= ROTATIONS; rotation += 1) {
    const target = ids.size + failures.length + ORDERS_BETWEEN;
    await expect.poll(() => ids.size + failures.length).toBeGreaterThanOrEqual(target);
    if (rotation < ROTATIONS) secrets.push((await services.keys.rotate(keyId, HOUR_MS)).key);
  }
  isStopped = true;
  await Promise.all(clients);
  expect(failures).toEqual([]);
  const rows = await services.database.rows("SELECT order_id FROM orders WHERE key_id = ?", [keyId]);
  expect(rows).toHaveLength(ids.size);
  await Promise.all(servers.map((server) => server.kill("SIGTERM")));
  expect((await services.keys.get(keyId)).lastUsedAtMs).not.toBeNull();
  for (const server of servers)
    for (const secret of secrets) expect(server.log()).not.toContain(secret.slice(11));
  await services.dispose();
});
