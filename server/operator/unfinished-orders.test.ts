import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AccountId, OrderId } from "../ids.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { type TestOperator, testOperator } from "../testing/test-operator.ts";
import { openTestServices, TEST_KEY_RING, type TestServices, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

let services: TestServices;
let simulator: SupplierSimulator;
let operator: TestOperator;
let accountId: AccountId;
let place: (qty?: number) => Promise<OrderId>;
let product: Awaited<ReturnType<typeof addOnDemandProduct>>;

beforeEach(async () => {
  services = await openTestServices();
  simulator = await startSupplierSimulator();
  operator = testOperator(services.databaseUrl, TEST_KEY_RING);
  product = await addOnDemandProduct(services, { simulator });
  accountId = await services.addAccount("100");
  const caller = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (caller === null) throw new Error("The key is not known.");
  let count = 0;
  place = async (qty = 2) => {
    count += 1;
    const externalOrderId = `order-${count}`;
    const { productId } = product;
    await services.orders
      .place({ caller, externalOrderId, productId, qty, expectedUnitPrice: null })
      .catch((error: unknown) => {
        if ((error as { code?: string }).code !== "supplier_unavailable") throw error;
      });
    const [order] = await services.orderAdministration.search({ accountId, externalOrderId }, 1);
    if (order === undefined) throw new Error("There is no order.");
    return order.orderId;
  };
});

afterEach(async () => {
  await simulator.close();
  await services.orders.idle();
  await services.dispose();
});

/** An order whose purchase has no result: every sending of it meets the fault. */
async function placeInDoubt(kind: "cut_before" | "cut_after"): Promise<OrderId> {
  simulator.fault({ kind, times: null });
  const orderId = await place();
  simulator.clearFaults();
  expect(await services.orderAdministration.find(orderId)).toMatchObject({ status: "processing" });
  return orderId;
}

/** As if the order had been in doubt since some time ago. */
async function age(orderId: OrderId, minutes: number): Promise<void> {
  const agoMs = Date.now() - minutes * 60_000;
  await services.database.change(
    "UPDATE purchases SET processing_since_ms = ?, unconfirmed_since_ms = ? WHERE order_id = ?",
    [agoMs, agoMs, orderId],
  );
}

async function resolve(orderId: OrderId) {
  const { exitCode, stdout, stderr } = await operator.run(["order", "resolve", orderId]);
  return { exitCode, stdout, stderr, shown: await operator.json(["order", "show", orderId]) };
}

describe("order resolve", () => {
  it("delivers what the supplier had delivered, and charges it once", async () => {
    const orderId = await placeInDoubt("cut_after");
    const { exitCode, stdout, stderr, shown } = await resolve(orderId);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/The supplier had delivered\. The codes are stored and 2\.00 USD are charged/);
    for (const code of simulator.purchases().get(orderId)?.deliveredCodes ?? [])
      expect(stdout).not.toContain(code);
    expect(shown).toMatchObject({
      status: "delivered",
      purchase: {
        supplierId: product.supplierId,
        supplierOrderId: expect.any(String),
        unitCost: "0.50",
        cost: "1.00",
        attempts: 2,
        underWay: false,
        nextAttempt: null,
        closes: null,
      },
    });
    expect(await services.orders.get(accountId, orderId)).toMatchObject({
      codes: simulator.purchases().get(orderId)?.deliveredCodes,
    });
    expect(await services.accounts.get(accountId)).toMatchObject({ balanceMicrocents: usd("98") });
  });

  it("releases what was held when nothing was bought, but not before the last request can no longer arrive", async () => {
    const orderId = await placeInDoubt("cut_before");
    const early = await resolve(orderId);
    expect(early.exitCode).toBe(1);
    expect(early.stdout).toMatch(
      /does not know the order, but an earlier request may still arrive there\. The order is taken up again at \d{4}-/,
    );
    expect(early.stderr).toMatch(
      /^error: nothing is certain yet;[\s\S]*\nNext step: run this again after \d{4}-/,
    );
    expect(early.shown).toMatchObject({
      status: "processing",
      purchase: { nextAttempt: expect.any(String), closes: null },
    });
    expect(simulator.purchases().get(orderId)).toMatchObject({ status: "none" });

    await age(orderId, 2);
    const late = await resolve(orderId);
    expect({ exitCode: late.exitCode, stderr: late.stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(late.stdout).toMatch(/Nothing was bought\. 2\.00 USD are held no longer;[\s\S]*until \d{4}-/);
    expect(late.shown).toMatchObject({
      status: "retryable",
      errorCode: "supplier_unavailable",
      purchase: { nextAttempt: null, closes: expect.any(String) },
    });
    expect(await services.accounts.get(accountId)).toMatchObject({ reservedMicrocents: 0n });
  });

  it("closes an order that can never be bought under its id", async () => {
    const orderId = await placeInDoubt("cut_after");
    simulator.refund(orderId);
    const { exitCode, stdout, shown } = await resolve(orderId);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /it is closed\. 2\.00 USD are held no longer; the buyer needs a new externalOrderId/,
    );
    expect(shown.status).toBe("failed");
  });

  it("changes nothing while the supplier cannot be asked", async () => {
    const orderId = await placeInDoubt("cut_after");
    await simulator.down();
    const { exitCode, stdout, stderr, shown } = await resolve(orderId);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/gave no answer that could be used: no connection: ECONNREFUSED\./);
    expect(stderr).toMatch(/Next step: see that the supplier answers/);
    expect(shown.status).toBe("processing");
    await simulator.up();
    expect((await resolve(orderId)).shown.status).toBe("delivered");
  });

  it("says when the supplier is gone", async () => {
    const orderId = await placeInDoubt("cut_after");
    await services.database.change("DELETE FROM suppliers");
    const { exitCode, stdout, stderr, shown } = await resolve(orderId);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/could not be asked: it is not set up, or its API key cannot be read/);
    expect(stderr).toMatch(/Next step: see that the supplier is set up/);
    expect(shown.status).toBe("processing");
  });

  it("says why it cannot take what was delivered", async () => {
    simulator.setProduct({ productId: product.supplierProductId, unitPrice: "0.50", redeemUrl: null });
    const orderId = await place();
    const { exitCode, stdout, stderr } = await resolve(orderId);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/has delivered\. But: supplier delivered without a redeem URL/);
    const [, next] = /(product redeem-url \S+)/.exec(stderr) ?? [];
    await operator.json([...(next?.split(" ") ?? []), "https://redeem.example/own"]);
    const mended = await resolve(orderId);
    expect(mended).toMatchObject({ exitCode: 0, shown: { status: "delivered" } });
    expect(mended.shown.redeemUrl).toBe("https://redeem.example/own");
  });

  it("leaves alone what somebody works on, and says until when", async () => {
    simulator.nextPurchases({ kind: "late", delayMs: 600_000 });
    const placed = place();
    await expect.poll(() => services.orderAdministration.countUnfinished()).toMatchObject({ processing: 1 });
    const [stuck] = await operator.json(["order", "stuck", "--older-than", "0"]);
    expect(stuck).toMatchObject({ underWay: true });
    const { exitCode, stderr } = await resolve(stuck.orderId);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /A process works on order ord_\w+ at this moment[\s\S]*until: \d{4}-[\s\S]*Next step: /,
    );
    await expect.poll(() => simulator.purchases().size).toBe(1);
    simulator.endDelays();
    await placed;
  });

  it("is for orders that are processing", async () => {
    const orderId = await place();
    const delivered = await resolve(orderId);
    expect(delivered).toMatchObject({ exitCode: 1, stdout: "" });
    expect(delivered.stderr).toMatch(
      /is delivered; only one that is processing can be resolved[\s\S]*Next step: /,
    );
    const nothing = await operator.run(["order", "resolve", `ord_${"0".repeat(32)}`]);
    expect(nothing.stderr).toMatch(/There is no order/);
  });

  it("gives programs one value, also when nothing is certain", async () => {
    const orderId = await placeInDoubt("cut_before");
    const ran = await operator.run(["order", "resolve", orderId, "--json"]);
    expect(ran.exitCode).toBe(1);
    expect(ran.json).toMatchObject({
      orderId,
      status: "processing",
      purchase: { attempts: 2 },
      answer: "none",
      faults: [],
    });
  });
});

describe("order give-up", () => {
  const giveUp = (orderId: string, ...more: string[]) => operator.run(["order", "give-up", orderId, ...more]);

  it("closes an order that nothing can end, gives back what was held, and charges nothing", async () => {
    const orderId = await placeInDoubt("cut_after");
    await services.database.change("DELETE FROM suppliers");
    expect((await resolve(orderId)).stderr).toContain(`order give-up ${orderId}`);
    const { exitCode, stdout, stderr } = await giveUp(orderId, "--yes");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/The order is closed\. 2\.00 USD are held no longer; the buyer was not charged/);
    expect(stdout).toMatch(
      new RegExp(
        `${product.supplierId} may have delivered: .* --from \\d{4}-\\d\\d-\\d\\d --to \\d{4}-\\d\\d-\\d\\d\\n`,
      ),
    );
    expect(await operator.json(["order", "show", orderId])).toMatchObject({
      status: "failed",
      errorCode: "supplier_unavailable",
      purchase: { underWay: false, nextAttempt: null, closes: null },
    });
    expect(await services.accounts.get(accountId)).toMatchObject({
      balanceMicrocents: usd("100"),
      reservedMicrocents: 0n,
    });
    const spends = await services.database.rows("SELECT spent_microcents AS spent FROM key_daily_spend");
    expect(spends).toEqual([{ spent: 0n }]);
    await services.expectCleanAudit();
  });

  it("only says what would happen without --yes, and warns", async () => {
    const orderId = await placeInDoubt("cut_after");
    const { exitCode, stdout, stderr } = await giveUp(orderId);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /It would be closed, and 2\.00 USD held no longer\.\nWarning: the supplier may have/,
    );
    expect(stderr).toMatch(/^error: nothing was changed: --yes was not given\.\nNext step: .*order resolve/);
    const asJson = await giveUp(orderId, "--json");
    expect(asJson).toMatchObject({ exitCode: 1, json: { orderId, status: "processing", givenUp: false } });
    expect(await services.orderAdministration.find(orderId)).toMatchObject({ status: "processing" });
    expect((await operator.run(["order", "give-up", "--help"])).stdout).toContain("ask the supplier");
  });

  it("leaves alone what somebody works on, and says until when", async () => {
    simulator.nextPurchases({ kind: "late", delayMs: 600_000 });
    const placed = place();
    await expect.poll(() => services.orderAdministration.countUnfinished()).toMatchObject({ processing: 1 });
    const [{ orderId }] = await operator.json(["order", "stuck", "--older-than", "0"]);
    const { exitCode, stderr } = await giveUp(orderId, "--yes");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/A process works on order ord_\w+ at this moment[\s\S]*until: \d{4}-/);
    await expect.poll(() => simulator.purchases().size).toBe(1);
    simulator.endDelays();
    await placed;
  });

  it("is for orders that are processing", async () => {
    const orderId = await place();
    for (const more of [[], ["--yes"]]) {
      const delivered = await giveUp(orderId, ...more);
      expect(delivered).toMatchObject({ exitCode: 1, stdout: "" });
      expect(delivered.stderr).toMatch(/is delivered; only one that is processing can be given up/);
      expect((await giveUp(`ord_${"0".repeat(32)}`, ...more)).stderr).toMatch(/There is no order/);
    }
    expect(await services.orderAdministration.find(orderId)).toMatchObject({ status: "delivered" });
  });
});

describe("order stuck", () => {
  it("lists orders that have been processing for an hour or as long as is asked for, the longest first", async () => {
    const [younger, older] = [await placeInDoubt("cut_after"), await placeInDoubt("cut_before")];
    await place();
    expect(await operator.json(["order", "stuck"])).toEqual([]);
    expect((await operator.run(["order", "stuck"])).stdout).toBe("There are no such orders.\n");
    await age(younger, 61);
    await age(older, 180);
    const stuck = await operator.json(["order", "stuck"]);
    expect(stuck.map(({ orderId }: { orderId: string }) => orderId)).toEqual([older, younger]);
    expect(stuck[0]).toEqual({
      orderId: older,
      accountId,
      productId: product.productId,
      qty: 2,
      held: "2.00",
      supplierId: product.supplierId,
      attempts: 1,
      processingSince: expect.any(String),
      underWay: false,
      nextAttempt: expect.any(String),
    });
    expect(await operator.json(["order", "stuck", "--older-than", "90"])).toMatchObject([{ orderId: older }]);
    const { stdout } = await operator.run(["order", "stuck"]);
    expect(stdout).toMatch(/2 orders, 4\.00 USD held\. Next step: .*order resolve ID/);
    expect(await services.orderAdministration.countUnfinished()).toEqual({
      processing: 2,
      stuck: 2,
      retryable: 0,
    });
  });

  it("takes whole minutes", async () => {
    const ran = await operator.run(["order", "stuck", "--older-than", "1.5"]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(/whole number from 0/);
  });
});

describe("order show", () => {
  it("tells what was bought for an order, and nothing of it for one from stock", async () => {
    const orderId = await place();
    const { stdout } = await operator.run(["order", "show", orderId]);
    expect(stdout).toMatch(/Supplier +supplier-/);
    expect(stdout).toMatch(/Supplier's order +sim_/);
    expect(stdout).toMatch(/Cost USD +1\.00/);
    expect(stdout).toMatch(/Attempts +1/);
    for (const code of simulator.purchases().get(orderId)?.deliveredCodes ?? [])
      expect(stdout).not.toContain(code);
  });
});
