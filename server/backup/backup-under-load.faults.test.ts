import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compose } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import { startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { createTestDatabase } from "../testing/database/test-database.ts";
import { scaled } from "../testing/faults/fault-runs.ts";
import { addCaller, addModel, completedWith, mostOutput } from "../testing/test-calls.ts";
import {
  linesOf,
  openTestServices,
  openTestServicesOn,
  type TestServices,
  testConfig,
} from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

const BUYERS = 8;

/** Everything that a shop does at once, until it is stopped. */
async function startTrade(shop: TestServices) {
  const simulator = await startSupplierSimulator();
  const { productId: onDemand } = await addOnDemandProduct(shop, { simulator });
  const { productId } = await shop.addProduct({ codes: 0 });
  await shop.stock.import(productId, linesOf(Array.from({ length: 40_000 }, (_, index) => `CODE-${index}`)));
  const model = await addModel(shop);
  const given: string[] = [];
  let running = true;
  const callers = await Promise.all(
    Array.from({ length: BUYERS }, async () => {
      const accountId = await shop.addAccount("1000000");
      const caller = await shop.keys.authenticate((await shop.addKey(accountId)).key);
      if (caller === null) throw new Error("The key is not known.");
      return { caller, calling: await addCaller(shop, accountId) };
    }),
  );
  const trading = callers.map(async ({ caller, calling }, buyer) => {
    for (let index = 0; running; index += 1) {
      const order = {
        caller,
        externalOrderId: `${buyer}-${index}`,
        qty: 1 + (index % 3),
        expectedUnitPrice: null,
      };
      const product = index % 10 === 0 ? onDemand : productId;
      const placed = await shop.orders.place({ ...order, productId: product });
      if (product === productId) given.push(...placed.order.codes);
      if (index % 20 === 0) await shop.orderAdministration.refund(placed.order.orderId, "test");
      const call = await shop.calls.begin({ caller: calling, model, requestId: "r", most: mostOutput(50) });
      if (index % 4 !== 0) await shop.calls.end(call, completedWith(7));
    }
  });
  return {
    productId,
    given,
    caller: callers[0]?.caller,
    async stop() {
      running = false;
      await Promise.all(trading);
      await simulator.close();
    },
  };
}

test("backups that are taken under load agree with themselves, and nothing sold since is sold again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "backup-under-load-"));
  const shop = await openTestServices();
  const trade = await startTrade(shop);
  const backups = scaled(4);
  for (let index = 0; index < backups; index += 1) {
    const soldBefore = trade.given.length;
    await expect.poll(() => trade.given.length, { timeout: 60_000 }).toBeGreaterThan(soldBefore + 100);
    await shop.backups.take(join(folder, `${index}`));
  }
  await trade.stop();
  for (let index = 0; index < backups; index += 1) {
    const other = openTestServicesOn(await createTestDatabase());
    await other.backups.restore({ folder: join(folder, `${index}`), replace: false, onRows: () => {} });
    await other.expectCleanAudit();
    if (index === backups - 1) await drill(other, trade);
    await other.dispose();
  }
  await shop.dispose();
  await rm(folder, { recursive: true });
});

/** Takes out what the buyers got in the lost time, and sells all the rest. */
async function drill(
  shop: TestServices,
  { productId, given, caller }: Awaited<ReturnType<typeof startTrade>>,
): Promise<void> {
  if (caller === undefined) throw new Error("There is no buyer.");
  const { segments } = await shop.losses.afterLoss({ sinceMs: null, atMostPerSegment: null, dryRun: false });
  await shop.stock.markSold(productId, () => linesOf(given));
  for (const { segmentId, state } of await shop.stock.list(productId))
    if (state === "set_aside") await shop.stock.reopen(segmentId, "everything");
  expect(segments.length).toBeGreaterThan(0);
  const selling = compose(testConfig(shop.databaseUrl));
  const sold: string[] = [];
  for (let index = 0; ; index += 1) {
    const order = {
      caller,
      externalOrderId: `again-${index}`,
      productId,
      qty: 1_000,
      expectedUnitPrice: null,
    };
    const placed = await selling.orders.place(order).catch((error: { code?: string }) => error.code);
    if (typeof placed !== "object") {
      expect(placed).toBe("out_of_stock");
      break;
    }
    sold.push(...placed.order.codes);
  }
  await closeDatabase(selling.database);
  expect(sold.length).toBeGreaterThan(1_000);
  expect(new Set([...given, ...sold]).size).toBe(given.length + sold.length);
}
