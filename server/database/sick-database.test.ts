import { createConnection } from "mysql2/promise";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type KillableDatabase, startKillableDatabase } from "../testing/database/killable-database.ts";
import { requestShop } from "../testing/request-shop.ts";
import { type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { openTestServicesOn, type TestServices } from "../testing/test-shop.ts";

let server: KillableDatabase;
let services: TestServices;
let shop: ServerProcess;
beforeAll(async () => {
  server = await startKillableDatabase();
  services = openTestServicesOn({ url: server.url, tcpUrl: server.url, drop: async () => {} });
  // The administrator's own account may write whatever is set.
  await administer("CREATE USER shop@'%' IDENTIFIED BY 'secret'", "GRANT ALL ON shop.* TO shop@'%'");
  const url = new URL(server.url);
  url.username = "shop";
  url.password = "secret";
  shop = await startServerProcess(url.href);
});
afterAll(async () => {
  server.thaw();
  await shop.kill("SIGTERM");
  await services.dispose();
  await server.dispose();
});

async function administer(...statements: string[]): Promise<void> {
  const connection = await createConnection(server.url);
  for (const statement of statements) await connection.query(statement);
  await connection.end();
}

const readiness = async () => {
  const answer = await fetch(`${shop.adminUrl}/readyz`);
  return { status: answer.status, body: await answer.json() };
};

test("a database that takes no changes is an outage, and the next request after it is answered", async () => {
  const { productId } = await services.addProduct();
  const { key } = await services.addKey(await services.addAccount());
  const order = (externalOrderId: string) =>
    requestShop(shop.baseUrl, "/orders", { key, body: { externalOrderId, productId, qty: 1 } });
  expect(await order("before")).toMatchObject({ status: 200 });
  expect(await readiness()).toEqual({ status: 200, body: { ok: true } });

  await administer("SET GLOBAL read_only = 1");
  const refused = await order("meanwhile");
  expect(refused).toMatchObject({ status: 503, body: { error: "supplier_unavailable" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await readiness()).toMatchObject({
    status: 503,
    body: { ok: false, reason: expect.stringMatching(/read.only/) },
  });
  // What only reads goes on.
  expect(await requestShop(shop.baseUrl, "/balance", { key })).toMatchObject({ status: 200 });

  await administer("SET GLOBAL read_only = 0");
  expect(await order("meanwhile")).toMatchObject({ status: 200, body: { reused: false } });
  expect(await readiness()).toEqual({ status: 200, body: { ok: true } });
});

test("a database that says nothing is an outage in a bounded time, and the shop works when it speaks again", async () => {
  const { productId } = await services.addProduct();
  const { key } = await services.addKey(await services.addAccount());
  const ask = (path: string, body?: object) =>
    requestShop(shop.baseUrl, path, { key, ...(body && { body }) });
  const order = () => ask("/orders", { externalOrderId: "silent", productId, qty: 1 });
  expect(await ask("/balance")).toMatchObject({ status: 200, body: { balance: "100.00" } });

  server.freeze();
  const answers = await Promise.all([order(), ask("/balance"), ask("/products"), order()]);
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  for (const { headers } of answers) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await readiness()).toMatchObject({ status: 503, body: { ok: false } });
  // Having said nothing to them, it is not waited for as long any more: half a second, where it was five.
  const givenUp = createConnection({ uri: server.url, connectTimeout: 4_000 }).catch(() => "given up");
  expect(await Promise.race([order(), givenUp])).toMatchObject({ status: 503 });

  server.thaw();
  await expect.poll(async () => (await order()).status).toBe(200);
  expect(await ask("/balance")).toMatchObject({ status: 200, body: { balance: "99.00" } });
  await expect.poll(async () => (await readiness()).status).toBe(200);
});
