import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestShop, type TestShop } from "../../server/testing/test-shop.ts";
import { createFileStore } from "../file-store.ts";
import { runBuyer } from "./buyer.ts";

let shop: TestShop;
let folder: string;
beforeAll(async () => {
  shop = await startTestShop();
  folder = await mkdtemp(join(tmpdir(), "buyer-"));
});
afterAll(async () => {
  await shop.stop();
  await rm(folder, { recursive: true });
});

const environment = () => ({ SHOP_URL: shop.baseUrl, SHOP_API_KEY: shop.orderingKey, SHOP_STORE: folder });

/** Runs a command; what it says is split at spaces. */
async function buyer(line: string, env: Record<string, string> = environment()) {
  const said = { stdout: "", stderr: "" };
  const streamOf = (name: keyof typeof said) => ({
    write(text: string) {
      said[name] += text;
    },
  });
  const args = line.split(" ");
  const exitCode = await runBuyer(args, { env, stdout: streamOf("stdout"), stderr: streamOf("stderr") });
  return { exitCode, ...said };
}

const json = async (line: string) => JSON.parse((await buyer(`--json ${line}`)).stdout);

test("the catalog, the balance and availability are shown", async () => {
  expect((await buyer("products")).stdout).toMatch(
    new RegExp(`^${shop.productId} +1.00 +\\d+ +available`, "m"),
  );
  expect((await buyer("balance")).stdout).toMatch(/^\d+\.\d\d +\d+\.\d\d +0.00 +2$/m);
  expect(await json(`availability ${shop.productId} --qty 2`)).toMatchObject({ qty: 2, available: true });
  expect((await buyer("balance")).exitCode).toBe(0);
});

test("codes are bought with their address, and kept", async () => {
  const { exitCode, stdout } = await buyer(`buy ${shop.productId} --qty 2 --price 1.00 --id first`);
  expect(exitCode).toBe(0);
  expect(stdout.match(/^CODE-\w+ +https:\/\/redeem.example\/here$/gm)).toHaveLength(2);
  const again = await json(`buy ${shop.productId} --qty 2 --price 1.00 --id first`);
  for (const { code } of again.codes) expect(stdout).toContain(code);
  const { orders } = await json("orders --id first");
  const created = new Date(orders[0].createdAt * 1000).toISOString();
  expect((await buyer("orders --id first")).stdout).toMatch(
    new RegExp(`^first +product-\\w+ +2 +2.00 +delivered +${created}$`, "m"),
  );
});

test("what cannot be bought is said, with what to do", async () => {
  const changed = await buyer(`buy ${shop.productId} --price 0.90`);
  expect(changed).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("--price 1.00") });
  const refused = await buyer(`buy ${shop.productId} --qty 500 --id many`);
  expect(refused).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("out_of_stock") });
  expect(refused.stdout).toContain("--id many");
});

test("a purchase that was interrupted is resumed", async () => {
  const { exitCode } = await buyer("resume");
  expect(exitCode).toBe(0);
  await createFileStore(folder).begin({
    baseUrl: shop.baseUrl,
    externalOrderId: "interrupted",
    productId: shop.productId,
    qty: 1,
    expectedUnitPrice: null,
    startedAtMs: Date.now(),
    conclusion: null,
  });
  expect(await json("resume")).toMatchObject([{ externalOrderId: "interrupted", kind: "delivered" }]);
  expect((await buyer("resume")).stdout).toBe("Every purchase is finished.\n");
});

test("what is wrong is explained", async () => {
  expect((await buyer("balance", {})).stderr).toBe("Set SHOP_URL and SHOP_API_KEY first.\n");
  expect((await buyer("balance", { ...environment(), SHOP_API_KEY: "svc_sk_none" })).stderr).toMatch(
    /^unauthorized: /,
  );
  expect((await buyer("balance", { ...environment(), SHOP_URL: "http://127.0.0.1:1" })).stderr).toMatch(
    /connection failed\.\nCheck that SHOP_URL is/,
  );
  expect((await buyer("buy pen --qty none")).stderr).toMatch(/whole number/);
  expect((await buyer("buy pen --price cheap")).stderr).toMatch(/two decimals/);
  expect((await buyer("buy")).exitCode).toBe(1);
});

test("it runs as a program", async () => {
  const main = join(import.meta.dirname, "main.ts");
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [main, "--json", "balance"], {
    env: { ...process.env, ...environment() },
  });
  expect(JSON.parse(stdout)).toMatchObject({ currency: "USD" });
});
