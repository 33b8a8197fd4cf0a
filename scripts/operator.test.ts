import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compose } from "../server/compose.ts";
import { loadConfig } from "../server/config.ts";
import { closeDatabase } from "../server/database/database.ts";
import {
  migrateEnvironment,
  openDatabaseEnvironment,
} from "../server/embedded-database/database-environment.ts";
import { runProgram } from "../server/testing/program.ts";
import { linesOf, usd } from "../server/testing/test-shop.ts";

const root = resolve(import.meta.dirname, "..");

/** A shop with an embedded database, which runs until the test ends or it is closed. */
async function openShop(dataDir: string) {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "", CODE_ENCRYPTION_KEYS: "" };
  const opened = await openDatabaseEnvironment(env, () => {});
  await migrateEnvironment(opened);
  const shop = compose(loadConfig(opened.env));
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await closeDatabase(shop.database);
    await opened.close();
  };
  onTestFinished(close);
  /** A command of the operator, as it is typed. */
  const operator = async (...args: string[]) => {
    const run = ["scripts/run.mjs", "scripts/operator.ts", ...args, "--json"];
    const { exitCode, stdout, stderr } = await runProgram(process.execPath, run, { cwd: root, env });
    if (exitCode !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
    return JSON.parse(stdout);
  };
  return { ...shop, operator, close };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

/** What a buyer gets who orders until nothing is for sale, at most so often. */
async function buy({ keys, orders }: Shop, key: string, most: number): Promise<string[]> {
  const caller = await keys.authenticate(key);
  if (caller === null) throw new Error("The key is not known.");
  const codes: string[] = [];
  for (let index = 0; index < most; index += 1) {
    const request = { caller, externalOrderId: crypto.randomUUID(), productId: "gift", qty: 1 };
    const placed = await orders
      .place({ ...request, expectedUnitPrice: null })
      .catch((error: { code?: string }) => error.code);
    if (typeof placed !== "object") {
      expect(placed).toBe("out_of_stock");
      break;
    }
    codes.push(...placed.order.codes);
  }
  return codes;
}

test("a lost embedded database is restored with the operator's commands, and sells no code twice", async () => {
  const folder = await mkdtemp(join(tmpdir(), "shop-loss-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const lost = await openShop(join(folder, "lost"));
  const { accountId } = await lost.accounts.create({ name: "Acme", rpmLimit: 60 });
  await lost.ledger.topUp({ accountId, amountMicrocents: usd("100"), reference: "first" });
  const { key } = await lost.keys.create({ accountId, kind: "product_ordering" });
  await lost.products.create({ productId: "gift", name: "Gift", redeemUrl: "https://redeem.example" });
  const price = usd("1");
  await lost.products.setPrices("gift", { 1: price, 2: price, 3: price, 4: price, 5: price });
  const codes = Array.from({ length: 10 }, (_, index) => `GIFT-${index}`);
  await lost.stock.import("gift", linesOf(codes));
  const given = await buy(lost, key, 2);
  await lost.operator("backup", "--to", join(folder, "backup"));
  given.push(...(await buy(lost, key, 4)));
  await lost.close();

  await mkdir(join(folder, "new"), { mode: 0o700 });
  const keysFile = "code-encryption-keys";
  await copyFile(join(folder, "lost", keysFile), join(folder, "new", keysFile));
  const shop = await openShop(join(folder, "new"));
  const restored = await shop.operator("restore", "--from", join(folder, "backup"));
  expect(restored).toMatchObject({ audit: { ok: true }, keysOpenTheCodes: true });
  const { tasks } = await shop.operator(...restored.nextStep.replace(/^.* -- /, "").split(" "));
  expect(await buy(shop, key, 1)).toEqual([]);
  const [{ segmentId }] = tasks[0].items;
  await writeFile(join(folder, "unsold.txt"), codes.slice(6).join("\n"));
  const reopened = await shop.operator("stock", "reopen", segmentId, "--unsold", join(folder, "unsold.txt"));
  expect(reopened).toMatchObject({ forSale: 4, maybeSold: 4 });
  const soldNow = await buy(shop, key, 10);
  expect([...given, ...soldNow]).toEqual(codes);
  expect(await shop.audit.run()).toMatchObject({ ok: true });
  await shop.close();
});
