import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { compose } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import type { OrderId } from "../ids.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { type TestOperator, testOperator } from "../testing/test-operator.ts";
import { openTestServices, TEST_KEY_RING, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

const TODAY = new Date().toISOString().slice(0, 10);

let services: TestServices;
let simulator: SupplierSimulator;
let operator: TestOperator;
let supplierId: string;
let supplierProductId: string;
let place: (qty: number, orders?: TestServices["orders"]) => Promise<OrderId>;

beforeEach(async () => {
  // What is a minute old at the most is not compared yet.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 600_000 });
  services = await openTestServices();
  simulator = await startSupplierSimulator();
  operator = testOperator(services.databaseUrl, TEST_KEY_RING);
  const product = await addOnDemandProduct(services, { simulator });
  ({ supplierId, supplierProductId } = product);
  const caller = await services.keys.authenticate((await services.addKey(await services.addAccount())).key);
  if (caller === null) throw new Error("The key is not known.");
  let count = 0;
  place = async (qty, orders = services.orders) => {
    count += 1;
    const externalOrderId = `order-${count}`;
    const { productId } = product;
    await orders.place({ caller, externalOrderId, productId, qty, expectedUnitPrice: null }).catch(() => {});
    const [order] = await services.orderAdministration.search({ externalOrderId }, 1);
    if (order === undefined) throw new Error("There is no order.");
    return order.orderId;
  };
});

afterEach(async () => {
  vi.useRealTimers();
  await simulator.close();
  await services.dispose();
});

const argumentsWith = (...more: string[]) => [
  "reconcile",
  "--supplier",
  supplierId,
  "--from",
  "2026-01-01",
  "--to",
  "2999-01-01T00:00:00+02:00",
  ...more,
];

function reconcile(...more: string[]) {
  vi.useRealTimers();
  return operator.run(argumentsWith(...more));
}

describe("reconcile", () => {
  it("ends with 0 and the totals when both lists agree", async () => {
    await place(1);
    await place(3);
    const { exitCode, stdout, stderr } = await reconcile();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/Delivered here +2 +2\.00/);
    expect(stdout).toMatch(/Delivered by supplier-\w+ +2 +2\.00/);
    expect(stdout).toMatch(/ to \S+Z \(a minute ago; younger orders are left out\):/);
    expect(stdout).toMatch(/Both lists agree\./);
    expect(await operator.json(argumentsWith())).toMatchObject({
      supplierId,
      from: "2026-01-01T00:00:00.000Z",
      ok: true,
      here: { orders: 2, cost: "2.00" },
      there: { orders: 2, cost: "2.00" },
      counts: { missingHere: 0, missingThere: 0, amountDiffers: 0, aboveMaximum: 0 },
      differences: [],
    });
  });

  it("finds what was bought after the shop had given up, and what somebody else bought", async () => {
    await place(1);
    simulator.fault({ kind: "late_effect", delayMs: 600_000, times: null });
    const times = { supplierTimeoutMs: 2_000, orderLeaseMs: 5_000 };
    const hasty = compose(testConfig(services.databaseUrl, times), Date.now);
    const givenUp = await place(2, hasty.orders);
    simulator.clearFaults();
    const caller = { "Content-Type": "application/json", Authorization: `Bearer ${simulator.apiKey}` };
    const order = { externalOrderId: "by hand", productId: supplierProductId, qty: 1 };
    await fetch(`${simulator.url}/orders`, {
      method: "POST",
      headers: caller,
      body: JSON.stringify(order),
    });
    vi.setSystemTime(Date.now() + 2 * times.orderLeaseMs);
    expect(await hasty.orderAdministration.resolve(givenUp)).toMatchObject({
      order: { status: "retryable" },
    });
    await closeDatabase(hasty.database);
    simulator.endDelays();
    const purchase = () => simulator.purchases().get(givenUp)?.status;
    await expect.poll(purchase).toBe("delivered");

    const ran = await reconcile("--json");
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(/^error: differences were found: 2 missing here\.\nNext step: /);
    expect(ran.json).toMatchObject({
      ok: false,
      here: { orders: 1, cost: "0.50" },
      there: { orders: 3, cost: "2.00" },
      counts: { missingHere: 2, missingThere: 0, amountDiffers: 0, aboveMaximum: 0 },
    });
    expect(ran.json.differences).toContainEqual({
      kind: "missing_here",
      requestId: givenUp,
      here: { status: "retryable", cost: null, maxCost: "1.60" },
      there: { supplierOrderId: expect.any(String), status: "delivered", amount: "1.00" },
    });
    const { stdout } = await reconcile();
    expect(stdout).toMatch(
      new RegExp(`missing here:\\n.*\\n(.*\\n)?${givenUp} +retryable +- +delivered +1\\.00`),
    );
    expect(stdout).toMatch(/by hand +unknown +- +delivered +0\.50/);
  });

  it("finds what the supplier does not know, and what it has paid back", async () => {
    const lost = await place(4);
    const other = await startSupplierSimulator({
      apiKey: simulator.apiKey,
      products: [{ productId: supplierProductId, unitPrice: "0.50" }],
    });
    await services.suppliers.setAccess(supplierId, { baseUrl: other.url });
    const refunded = await place(2);
    other.refund(refunded);
    const ran = await reconcile("--json");
    expect(ran.json.differences).toEqual([
      {
        kind: "amount_differs",
        requestId: refunded,
        here: { status: "delivered", cost: "1.00", maxCost: "1.60" },
        there: { supplierOrderId: expect.any(String), status: "refunded", amount: "1.00" },
      },
      {
        kind: "missing_there",
        requestId: lost,
        here: { status: "delivered", cost: "2.00", maxCost: "3.20" },
        there: null,
      },
    ]);
    const { stdout, stderr } = await reconcile();
    expect(stdout).toMatch(/missing there:[\s\S]* delivered +2\.00 +unknown/);
    expect(stdout).toMatch(/amount differs:[\s\S]* delivered +1\.00 +refunded/);
    expect(stderr).toMatch(/1 missing there, 1 amount differs/);
    await other.close();
  });

  it("finds what cost more than was agreed", async () => {
    const orderId = await place(2);
    await services.database.change("UPDATE purchases SET max_unit_cost_microcents = ?", [usd("0.49")]);
    const { exitCode, stdout, stderr } = await reconcile();
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/above maximum:\nOrder .* Maximum USD\n/);
    expect(stdout).toMatch(new RegExp(`${orderId} +delivered +1\\.00 +delivered +1\\.00 +sim_\\w+ +0\\.98`));
    expect(stderr).toMatch(/^error: differences were found: 1 above maximum\.\nNext step: ask the supplier/);
  });

  it("shows how far it is on a terminal only", async () => {
    await place(1);
    vi.useRealTimers();
    const watched = await operator.run(argumentsWith("--json"), { isTTY: true });
    expect(watched.stderr).toMatch(/\[#*-*\] +\d+% 1 orders here, 1 there/);
    expect(watched.json.ok).toBe(true);
  });

  it("says when the supplier cannot be asked, and gives no totals", async () => {
    await place(1);
    await simulator.down();
    const { exitCode, stdout, stderr } = await reconcile();
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/^error: The supplier does not answer[\s\S]*Next step: /);
  });

  it("takes days and moments, and a supplier that is there", async () => {
    const refusals: [string[], RegExp][] = [
      [["--supplier", "nobody", "--from", TODAY, "--to", TODAY], /There is no supplier "nobody"/],
      [["--supplier", supplierId, "--from", TODAY, "--to", TODAY], /ends before it begins/],
      [["--supplier", supplierId, "--from", "2999-01-01", "--to", "2999-01-02"], /no past yet/],
      [["--supplier", supplierId, "--from", TODAY], /required option '--to <date>'/],
      ...["2026-02-30", "yesterday", "1", "2026-1-1", "2026-01-01T25:00:00Z"].map(
        (from): [string[], RegExp] => [
          ["--supplier", supplierId, "--from", from, "--to", TODAY],
          /a day such as 2026-07-01/,
        ],
      ),
    ];
    for (const [options, message] of refusals) {
      const { exitCode, stdout, stderr } = await operator.run(["reconcile", ...options]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
      expect(stderr).toMatch(message);
      expect(stderr).toMatch(/^Next step: /m);
    }
    const args = ["reconcile", "--supplier", supplierId, "--from", "2026-01-01T02:00:00+02:00"];
    const { from, to } = await operator.json([...args, "--to", "2026-01-02T03:30"]);
    expect({ from, to }).toEqual({ from: "2026-01-01T00:00:00.000Z", to: "2026-01-02T03:30:00.000Z" });
  });
});
