import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { createTestDatabase } from "../testing/database/test-database.ts";
import { type TestOperator, testOperator } from "../testing/test-operator.ts";
import {
  linesOf,
  openTestServices,
  openTestServicesOn,
  TEST_KEY_RING,
  type TestServices,
  usd,
} from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

let folder: string;
let lostShop: TestServices;
let accountId: AccountId;
let key: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loss-drill-"));
  lostShop = await openTestServices();
  accountId = await lostShop.addAccount("1000");
  ({ key } = await lostShop.addKey(accountId));
});
afterEach(async () => {
  await lostShop.dispose();
  await rm(folder, { recursive: true });
});

const operatorOf = ({ databaseUrl }: TestServices) => testOperator(databaseUrl, TEST_KEY_RING);

async function callerOf(shop: TestServices): Promise<Caller> {
  const caller = await shop.keys.authenticate(key);
  if (caller === null) throw new Error("The key is not known.");
  return caller;
}

async function buy(shop: TestServices, externalOrderId: string, productId: string, qty = 1) {
  const caller = await callerOf(shop);
  const request = { caller, externalOrderId, productId, qty, expectedUnitPrice: null };
  return (await shop.orders.place(request)).order;
}

/** Buys one by one until nothing is for sale. */
async function buyOut(shop: TestServices, productId: string): Promise<string[]> {
  const bought: string[] = [];
  for (;;) {
    const order = await buy(shop, randomUUID(), productId).catch((error: unknown) => error);
    if (!(order instanceof Error)) bought.push(...(order as { codes: string[] }).codes);
    else {
      expect(order).toMatchObject({ code: "out_of_stock" });
      return bought;
    }
  }
}

/** Another database with what a shop's was at that moment: the operator's own commands. */
async function restored(shop: TestServices, lose: () => Promise<void>) {
  const backup = join(folder, "backup");
  await operatorOf(shop).json(["backup", "--to", backup]);
  await lose();
  const other = openTestServicesOn(await createTestDatabase());
  const operator = operatorOf(other);
  const { nextStep, audit, keysOpenTheCodes } = await operator.json(["restore", "--from", backup]);
  expect({ audit, keysOpenTheCodes }).toEqual({ audit: { ok: true, failing: [] }, keysOpenTheCodes: true });
  const drill: string[] = nextStep.replace(/^.* -- /, "").split(" ");
  expect(drill).toEqual(["after-loss", "--since", expect.stringMatching(/^20.*Z$/)]);
  return { other, operator, drill };
}

const unique = (codes: readonly string[]) => expect(new Set(codes).size).toBe(codes.length);

test("after a restored backup no code is sold that was sold since, and each thing lost has its way back", async () => {
  const { productId, codes } = await lostShop.addProduct({ codes: 12 });
  const given = [...(await buy(lostShop, "kept", productId, 3)).codes];
  const { other, operator, drill } = await restored(lostShop, async () => {
    given.push(...(await buy(lostShop, "lost", productId, 4)).codes);
    await lostShop.stock.import(productId, linesOf(["LATER-1", "LATER-2", "LATER-3"]));
    given.push(...(await buy(lostShop, "lost, too", productId, 6)).codes);
    await operatorOf(lostShop).run([
      "top-up",
      "--account",
      accountId,
      "--amount",
      "5.00",
      "--reference",
      "lost",
    ]);
  });
  expect(given).toEqual([...codes, "LATER-1"]);

  const done = await operator.json(drill);
  expect(done).toMatchObject({ since: drill[2], dryRun: false, codesSetAside: 9 });
  expect(done.tasks.map(({ about }: { about: string }) => about)).toEqual([
    "stock",
    "imports",
    "orders_here",
    "lost_orders",
    "unfinished_orders",
    "money",
    "calls",
    "keys",
    "prices",
  ]);
  expect(await buyOut(other, productId)).toEqual([]);
  const [{ segmentId }] = done.tasks[0].items;

  // The issuer is asked, and knows better of two of them: they were handed out, and not redeemed by anybody yet.
  const aside = join(folder, "aside.txt");
  await operator.json(["stock", "codes", segmentId, "--to", aside]);
  expect((await stat(aside)).mode & 0o077).toBe(0);
  expect((await readFile(aside, "utf8")).trim().split("\n")).toEqual(codes.slice(3));
  expect((await operator.run(["stock", "codes", segmentId, "--to", aside])).stderr).toMatch(
    /it exists already/,
  );
  const refused = await operator.run(["stock", "reopen", segmentId]);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/may have been sold/) });

  await writeFile(join(folder, "sold.txt"), given.slice(3).join("\n"));
  const marked = ["stock", "mark-sold", "--product", productId, "--file", join(folder, "sold.txt")];
  expect(await operator.json(marked)).toMatchObject({ takenOut: 9, unknown: 1, onOrders: 0 });
  await writeFile(join(folder, "later.txt"), "LATER-1\nLATER-2\nLATER-3\n");
  const importing = ["stock", "import", "--product", productId, "--file", join(folder, "later.txt")];
  expect(await operator.json(importing)).toMatchObject({ imported: 2, duplicates: 1 });
  const topUp = ["top-up", "--account", accountId, "--amount", "5.00", "--reference", "lost"];
  await operator.json(topUp);
  await operator.json(topUp);
  expect((await other.accounts.get(accountId)).balanceMicrocents).toBe(usd("1002"));

  // An order that is repeated is a new one.
  const repeated = await buy(other, "lost", productId);
  expect((await other.accounts.get(accountId)).balanceMicrocents).toBe(usd("1001"));
  const soldNow = [...repeated.codes, ...(await buyOut(other, productId))];
  expect(soldNow).toEqual(["LATER-2", "LATER-3"]);
  unique([...given, ...soldNow]);
  await other.dispose();
});

test("after a failover the orders that both databases have taken are listed, and the rest is sold once", async () => {
  const { productId, codes } = await lostShop.addProduct({ codes: 10 });
  const given: string[] = [];
  const { other, operator, drill } = await restored(lostShop, async () => {
    given.push(...(await buy(lostShop, "lost", productId, 4)).codes);
  });
  // The shop goes on at once; that these are sold twice cannot be helped any more.
  const twice = await buy(other, "after the failover", productId, 2);
  expect(given.slice(0, 2)).toEqual(twice.codes);

  const shown = await operator.run([...drill, "--at-most", "5"]);
  expect(shown.exitCode).toBe(0);
  expect(shown.stdout).toMatch(/5 codes may have been sold, and are set aside/);
  expect(shown.stdout).toContain(twice.orderId);
  const soldNow = await buyOut(other, productId);
  expect(soldNow).toEqual(codes.slice(7));

  const listed = await operator.json([...drill, "--dry-run"]);
  const [{ items }] = listed.tasks.filter(({ about }: { about: string }) => about === "stock");
  expect(items).toMatchObject([{ before: "set_aside", maybeSold: 5 }]);
  await writeFile(join(folder, "unsold.txt"), codes.slice(4).join("\n"));
  const reopen = ["stock", "reopen", "--product", productId, "--unsold", join(folder, "unsold.txt")];
  expect(await operator.json(reopen)).toMatchObject([
    { segmentId: items[0].segmentId, forSale: 3, maybeSold: 2 },
  ]);
  expect((await operator.run(reopen)).stdout).toMatch(/May be sold\n.* 0 +0 +2/);
  soldNow.push(...(await buyOut(other, productId)));
  unique([...given, ...soldNow]);
  const list = await operator.run(["stock", "list", "--product", productId]);
  expect(list.stdout).toContain("Sales lost since");
  await other.dispose();
});

test("an order that was under way at a supplier comes to its end again with the same codes, charged once", async () => {
  const simulator = await startSupplierSimulator();
  const { productId, supplierId } = await addOnDemandProduct(lostShop, { simulator });
  simulator.fault({ kind: "cut_after", times: null });
  await expect(buy(lostShop, "under way", productId, 2)).rejects.toMatchObject({
    code: "supplier_unavailable",
  });
  await lostShop.orders.idle();
  let delivered: readonly string[] = [];
  const { other, operator, drill } = await restored(lostShop, async () => {
    simulator.clearFaults();
    delivered = await buyUntilDelivered(lostShop, "under way", productId, 2);
    await buy(lostShop, "lost", productId);
  });
  const { tasks } = await operator.json(drill);
  const about = (name: string) => tasks.find((task: { about: string }) => task.about === name);
  expect(about("unfinished_orders").found).toMatch(/^1 orders are processing/);
  expect(about("purchases").found).toContain(supplierId);
  expect(await buyUntilDelivered(other, "under way", productId, 2)).toEqual(delivered);
  expect((await other.accounts.get(accountId)).balanceMicrocents).toBe(usd("998"));
  // What was lost whole is bought once more.
  expect(delivered).not.toContain((await buy(other, "lost", productId)).codes[0]);
  await simulator.close();
  await other.dispose();
});

/** Sends an order again until no other attempt works on it. @returns its codes. */
async function buyUntilDelivered(
  shop: TestServices,
  externalOrderId: string,
  productId: string,
  qty: number,
) {
  let codes: readonly string[] = [];
  const place = async () => {
    const placed = await buy(shop, externalOrderId, productId, qty);
    ({ codes } = placed);
    return placed.status;
  };
  const outcome = () => place().catch((error: { code?: string }) => error.code);
  await expect.poll(outcome).toBe("delivered");
  return codes;
}

test("what is asked for wrongly is refused with what to do", async () => {
  const operator: TestOperator = operatorOf(lostShop);
  const expectRefusal = async (args: string[], words: RegExp) => {
    const ran = await operator.run(args);
    expect(ran).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringMatching(words) });
    expect(ran.stderr).toMatch(/^Next step: /m);
  };
  const segment = `seg_${"0".repeat(32)}`;
  await expectRefusal(["after-loss", "--since", "yesterday"], /Write a day/);
  await expectRefusal(["after-loss", "--since", "2100-01-01"], /in the future/);
  await expectRefusal(["after-loss", "--at-most", "0"], /whole number/);
  await expectRefusal(["stock", "reopen", segment, "--rest", "--unsold", "x"], /exclude each other/);
  await expectRefusal(["stock", "reopen", "--rest"], /Either a segment or a product/);
  await expectRefusal(["stock", "reopen", "--product", "p", "--unsold", "-"], /more than once/);
  await expectRefusal(["stock", "codes", segment, "--to", join(folder, "x")], /no segment/);
  await expectRefusal(["stock", "mark-sold", "--product", "none", "--file", "x"], /no product/);
  await expectRefusal(["restore", "--from", folder], /no whole backup/);
  await expectRefusal(["backup", "--to", folder], /exists. Name a new one/);
  await operator.json(["backup", "--to", join(folder, "backup")]);
  await expectRefusal(["restore", "--from", join(folder, "backup")], /not empty/);
});

test("a restore with other encryption keys says so", async () => {
  await lostShop.addProduct({ codes: 1 });
  await operatorOf(lostShop).json(["backup", "--to", join(folder, "backup")]);
  const other = openTestServicesOn(await createTestDatabase());
  const stranger = testOperator(other.databaseUrl, [{ id: "test", key: Buffer.alloc(32, 8) }]);
  const ran = await stranger.run(["restore", "--from", join(folder, "backup")]);
  expect(ran).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/CODE_ENCRYPTION_KEYS does not hold/),
  });
  await other.stock.checkEncryptionKeys();
  await other.dispose();
});
