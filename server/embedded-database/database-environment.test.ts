import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase } from "../testing/database/test-database.ts";
import { migrateEnvironment } from "./database-environment.ts";

/** Takes connections to a server; the first of them gets no word from it. @returns its URL, and how many have come */
async function silentAtFirst(url: string) {
  const { hostname, port } = new URL(url);
  let connections = 0;
  const front = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {});
    if (connections === 1) return;
    const server = connect(Number(port), hostname).on("error", () => socket.destroy());
    socket.pipe(server).pipe(socket);
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  onTestFinished(() => void front.close());
  const fronted = new URL(url);
  fronted.host = `127.0.0.1:${(front.address() as AddressInfo).port}`;
  return { url: fronted.href, connections: () => connections };
}

test("a database that does not answer at first, as on a slow machine, is asked again", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { url, connections } = await silentAtFirst(database.tcpUrl);
  await migrateEnvironment({ env: {}, databaseUrl: url, dataDir: undefined, close: async () => {} });
  expect(connections()).toBeGreaterThan(1);
});

test("a database that refuses is not asked again", async () => {
  const front = createServer((socket) => socket.destroy());
  let connections = 0;
  front.on("connection", () => {
    connections += 1;
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  onTestFinished(() => void front.close());
  const databaseUrl = `mysql://shop@127.0.0.1:${(front.address() as AddressInfo).port}/shop`;
  const migrating = migrateEnvironment({ env: {}, databaseUrl, dataDir: undefined, close: async () => {} });
  await expect(migrating).rejects.toThrow();
  // A read whose connection is lost is repeated once in any case.
  expect(connections).toBeLessThanOrEqual(2);
});
