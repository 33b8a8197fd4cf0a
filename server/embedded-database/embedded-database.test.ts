import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import { afterEach, expect, test } from "vitest";
import { isRunning } from "../setup/process-identity.mjs";
import { startProgram } from "../testing/program.ts";
import { ensureCodeEncryptionKeys } from "./code-encryption-keys.ts";
import { type EmbeddedDatabase, openEmbeddedDatabase } from "./embedded-database.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newDataDir(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "shop-embedded-"));
  folders.push(folder);
  return join(folder, ...names);
}

const open = (dataDir: string) => openEmbeddedDatabase(dataDir, () => {});

async function query({ url }: EmbeddedDatabase, sql: string): Promise<unknown> {
  const connection = await createConnection(url);
  try {
    return (await connection.query(sql))[0];
  } finally {
    await connection.end();
  }
}

function serverOf(dataDir: string): string {
  return JSON.parse(readFileSync(join(dataDir, "database", "server.json"), "utf8")).identity;
}

/** Opens the database in another process and kills that process. */
async function openAndBeKilled(dataDir: string): Promise<void> {
  const program = `
    import { openEmbeddedDatabase } from ${JSON.stringify(join(import.meta.dirname, "embedded-database.ts"))};
    await openEmbeddedDatabase(${JSON.stringify(dataDir)}, () => {});
    console.log("open");
    setInterval(() => {}, 1000);`;
  const running = startProgram(process.execPath, ["--input-type=module", "-e", program]);
  await running.printed(/^open$/);
  await running.kill("SIGKILL");
}

test("what was written is there at the next start", async () => {
  const dataDir = newDataDir();
  const first = await open(dataDir);
  await query(first, "CREATE TABLE kept (id INT PRIMARY KEY)");
  await first.close();
  const second = await open(dataDir);
  expect(await query(second, "SHOW TABLES")).toHaveLength(1);
  await second.close();
});

test("several uses share one server, and the last to end stops it", async () => {
  const dataDir = newDataDir();
  const [first, second] = await Promise.all([open(dataDir), open(dataDir)]);
  expect(first.url).toBe(second.url);
  const server = serverOf(dataDir);
  await first.close();
  expect(isRunning(server)).toBe(true);
  await second.close();
  expect(isRunning(server)).toBe(false);
});

test("a commit is on the disk before it is answered, and other machines cannot connect", async () => {
  const database = await open(newDataDir());
  const settings =
    "SELECT @@innodb_flush_log_at_trx_commit AS flush, @@innodb_doublewrite AS doublewrite, @@port AS port";
  expect(await query(database, settings)).toMatchObject([{ flush: 1, port: 0 }]);
  await database.close();
});

test("the server of a killed process is taken over", async () => {
  const dataDir = newDataDir();
  await openAndBeKilled(dataDir);
  const left = serverOf(dataDir);
  expect(isRunning(left)).toBe(true);
  const database = await open(dataDir);
  expect(serverOf(dataDir)).toBe(left);
  await database.close();
  expect(isRunning(left)).toBe(false);
  expect(readdirSync(join(dataDir, "database", "users"))).toEqual([]);
});

test("a data folder that was cut short while it was made is made afresh", async () => {
  const dataDir = newDataDir();
  const unfinished = join(dataDir, "database", "data.unfinished");
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, "ibdata1"), "half");
  const database = await open(dataDir);
  await database.close();
  expect(existsSync(unfinished)).toBe(false);
});

test("a data folder with a long name is no obstacle", async () => {
  const database = await open(newDataDir("long".repeat(30)));
  expect(await query(database, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await database.close();
});

test("a server that cannot start says why, and leaves nothing running", async () => {
  const dataDir = newDataDir();
  mkdirSync(join(dataDir, "database", "data"), { recursive: true });
  await expect(open(dataDir)).rejects.toThrow(/ended while starting.*\n.*ERROR/);
});

test("the encryption key is made once, for its owner alone, and never replaced behind an existing database", () => {
  const dataDir = newDataDir();
  const keys = ensureCodeEncryptionKeys(dataDir);
  expect(keys).toMatch(/^k1:[A-Za-z0-9+/]{43}=$/);
  expect(ensureCodeEncryptionKeys(dataDir)).toBe(keys);
  rmSync(join(dataDir, "code-encryption-keys"));
  mkdirSync(join(dataDir, "database", "data"), { recursive: true });
  expect(() => ensureCodeEncryptionKeys(dataDir)).toThrow("is missing");
});
