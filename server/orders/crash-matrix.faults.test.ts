import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { compose } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import type { AccountId } from "../ids.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { scaledSelection } from "../testing/faults/fault-runs.ts";
import {
  createMessageBreakpoint,
  MAKES_READY,
  type MessageBreakpoint,
} from "../testing/faults/message-breakpoint.ts";
import { requestShop } from "../testing/request-shop.ts";
import { fastTimingEnvironment, type ServerProcess, startServerProcess } from "../testing/server-process.ts";
import { expectSalesToAgree, orderUntilDelivered, waitUntilAllEnded } from "../testing/supplied-orders.ts";
import { openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";
import type { Order } from "./order.ts";

const SUPPLIER_TIMEOUT_MS = 800;
const LEASE_MS = 1_700;
/** Two leases, and what a busy machine takes to start a server and to do the work. */
const MAX_RECOVERY_MS = 2 * LEASE_MS + 20_000;
const LANES = 4;
const CRASHES_AT_ONCE = 6;
const QTY = 2;
const BALANCE = "100";
const OUT_OF_STOCK = { kind: "refuse", code: "out_of_stock" } as const;
/** What the recovery loops ask from time to time, and what changes nothing. */
const NO_STEP = new RegExp(`${MAKES_READY.source}|WHERE (?:due_at_ms|lease_expires_at_ms)`);

/** Where a server is killed, and whether the buyer sends the order again to the next one. */
interface Crash {
  /** 0: nowhere. */
  readonly step: number;
  readonly returns: boolean;
}

/** A database with its supplier; several crashes follow each other here. */
interface Lane {
  readonly services: TestServices;
  readonly simulator: SupplierSimulator;
}

/** An order that a server is killed over. */
interface Victim {
  readonly crash: Crash;
  readonly breakpoint: MessageBreakpoint;
  readonly lane: Lane;
  readonly accountId: AccountId;
  readonly key: string;
  readonly supplierId: string;
  readonly supplierProductId: string;
  readonly body: { readonly externalOrderId: string; readonly productId: string; readonly qty: number };
}

let lanes: Lane[];
let environment: Record<string, string>;
beforeEach(async () => {
  environment = {
    ...fastTimingEnvironment(),
    SUPPLIER_TIMEOUT_MS: String(SUPPLIER_TIMEOUT_MS),
    ORDER_LEASE_MS: String(LEASE_MS),
    RECOVERY_INTERVAL_MS: "50",
    // Rolling up would be steps, in some runs.
    ROLLUP_INTERVAL_MS: "3600000",
  };
  lanes = await Promise.all(Array.from({ length: LANES }, openLane));
});
afterEach(async () => {
  for (const { services, simulator } of lanes) {
    await expectSalesToAgree(services, simulator);
    await simulator.close();
    // Ends with the audit.
    await services.dispose();
  }
});

async function openLane(): Promise<Lane> {
  return { services: await openTestServices(), simulator: await startSupplierSimulator() };
}

/** A server that does not outlive a test that fails. */
async function startServer(databaseUrl: string): Promise<ServerProcess> {
  const server = await startServerProcess(databaseUrl, environment);
  onTestFinished(() => void server.kill("SIGKILL"));
  return server;
}

/** A new order, of a buyer and at a supplier of its own, which is reached through a breakpoint of its own. */
async function addVictim(lane: Lane, crash: Crash, isStep: (request: string) => boolean): Promise<Victim> {
  const { services, simulator } = lane;
  const breakpoint = createMessageBreakpoint(isStep);
  onTestFinished(() => breakpoint.close());
  const supplierUrl = await breakpoint.before(simulator.url);
  const product = await addOnDemandProduct(services, { simulator, supplierUrl });
  const accountId = await services.addAccount(BALANCE);
  const { key } = await services.addKey(accountId);
  const body = { externalOrderId: `killed at ${crash.step}`, productId: product.productId, qty: QTY };
  return { ...product, crash, breakpoint, lane, accountId, key, body };
}

/** The connection is as good as cut when the breakpoint has fired; the next server needs none. */
async function reachSupplierDirectly({ lane, supplierId }: Victim): Promise<void> {
  await lane.services.suppliers.setAccess(supplierId, { baseUrl: lane.simulator.url });
}

const post = ({ key, body }: Victim, server: ServerProcess) =>
  requestShop(server.baseUrl, "/orders", { key, body });

async function orderOf({ lane, accountId }: Victim): Promise<Order | null> {
  return (await lane.services.orders.page(accountId, { limit: 1 })).orders[0] ?? null;
}

/** What an order is when nobody touches it any more, and what its buyer and supplier have paid and got for it. */
async function expectEnd(victim: Victim, allowed: readonly (Order["status"] | "none")[]): Promise<void> {
  const { crash, lane, accountId } = victim;
  const order = await orderOf(victim);
  const name = `step ${crash.step}, ${crash.returns ? "sent again" : "not sent again"}`;
  expect(allowed, name).toContain(order?.status ?? "none");
  const charged = order?.status === "delivered" ? usd("1") * BigInt(QTY) : 0n;
  const { balanceMicrocents, reservedMicrocents } = await lane.services.accounts.get(accountId);
  expect([name, balanceMicrocents, reservedMicrocents]).toEqual([name, usd(BALANCE) - charged, 0n]);
}

/** Every step of an order, each with a buyer who comes back and one who does not; fewer in a shorter run. */
function crashesAt(steps: number): Crash[] {
  expect(steps).toBeGreaterThan(20);
  const all = Array.from({ length: steps }, (_, index) => index + 1);
  return scaledSelection(all.flatMap((step) => [true, false].map((returns) => ({ step, returns }))));
}

/** Lets every lane take one group after the other. */
async function inLanes<T>(
  groups: readonly T[],
  work: (lane: Lane, group: T) => Promise<void>,
): Promise<void> {
  const waiting = [...groups];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) await work(lane, group);
    }),
  );
}

/** What happens around an order that a buyer sends. */
interface Scenario {
  /** Whether the supplier has refused it once already. */
  readonly again: boolean;
  /** Whether the supplier refuses it now. */
  readonly refused: boolean;
}

test.each<[string, Scenario]>([
  ["an order", { again: false, refused: false }],
  ["an order that is sent again after it was refused", { again: true, refused: false }],
  ["an order that its supplier refuses", { again: false, refused: true }],
])("%s ends well wherever the server is killed over it", async (_name, scenario) => {
  const [lane] = lanes;
  if (lane === undefined) throw new Error("There is no lane.");
  const [steps = 0] = await crashTogether(lane, scenario, [{ step: 0, returns: true }]);
  const crashes = crashesAt(steps);
  const groups = Array.from({ length: Math.ceil(crashes.length / CRASHES_AT_ONCE) }, (_, index) =>
    crashes.slice(index * CRASHES_AT_ONCE, (index + 1) * CRASHES_AT_ONCE),
  );
  await inLanes(groups, async (lane, group) => void (await crashTogether(lane, scenario, group)));
});

/** Kills one server for each crash, starts one after them, and waits for the end. @returns how many steps each took. */
async function crashTogether(lane: Lane, scenario: Scenario, crashes: readonly Crash[]): Promise<number[]> {
  const { services } = lane;
  const victims = await Promise.all(
    crashes.map(async (crash) => {
      const victim = await addVictim(lane, crash, (request) => !NO_STEP.test(request));
      await prepare(victim, scenario);
      return victim;
    }),
  );
  // All are there before the first is killed: one that starts would take up what that one leaves.
  const servers = await Promise.all(
    victims.map(async ({ breakpoint }) => startServer(await breakpoint.before(services.databaseTcpUrl))),
  );
  const steps = await Promise.all(
    victims.map((victim, index) => killOver(victim, servers[index] as ServerProcess)),
  );
  await Promise.all(victims.map(reachSupplierDirectly));
  const next = await startServer(services.databaseUrl);
  await Promise.all(
    victims.filter(({ crash }) => crash.returns).map((victim) => comeBack(victim, scenario, next)),
  );
  await waitUntilAllEnded(services, MAX_RECOVERY_MS);
  for (const victim of victims) {
    const unsent = scenario.again ? "retryable" : "none";
    const ended = scenario.refused ? "retryable" : "delivered";
    await expectEnd(victim, victim.crash.returns ? ["delivered"] : [unsent, ended]);
    victim.breakpoint.close();
  }
  await next.kill("SIGTERM");
  return steps;
}

/** Brings about what was before, without the server that will be killed. */
async function prepare({ lane, key, body, supplierProductId }: Victim, scenario: Scenario): Promise<void> {
  const { services, simulator } = lane;
  if (scenario.again || scenario.refused) simulator.setProductFault(supplierProductId, OUT_OF_STOCK);
  if (!scenario.again) return;
  const caller = await services.keys.authenticate(key);
  if (caller === null) throw new Error("The key is not known.");
  const placing = services.orders.place({ ...body, caller, expectedUnitPrice: null });
  await expect(placing).rejects.toMatchObject({ code: "out_of_stock" });
  simulator.setProductFault(supplierProductId, null);
}

/** Sends the order and kills the server at the step. @returns how many steps there were. */
async function killOver(victim: Victim, server: ServerProcess): Promise<number> {
  const { breakpoint, crash } = victim;
  breakpoint.reset();
  breakpoint.fireAt(crash.step, () => {
    void server.kill("SIGKILL");
    breakpoint.shut();
  });
  const answer = await post(victim, server).catch(() => null);
  await server.kill("SIGKILL");
  expect([crash.step, answer === null]).toEqual([crash.step, breakpoint.hasFired()]);
  return breakpoint.count();
}

/** The buyer sends the order until it is delivered; when it was refused, once more after the supplier has mended that. */
async function comeBack(victim: Victim, { refused }: Scenario, server: ServerProcess): Promise<void> {
  const { lane, supplierProductId } = victim;
  const buy = () => orderUntilDelivered(() => post(victim, server), { maxWaitMs: MAX_RECOVERY_MS });
  if (refused) {
    expect(await buy()).toMatchObject({ status: 409, body: { error: "out_of_stock" } });
    lane.simulator.setProductFault(supplierProductId, null);
  }
  const { status, body } = await buy();
  const codes = lane.simulator.purchases().get(body.orderId)?.deliveredCodes;
  expect([victim.crash.step, status, body.codes]).toEqual([victim.crash.step, 200, codes]);
}

test.each([
  ["has not reached its supplier", 1],
  ["is bought already", 2],
])(
  "an abandoned order that %s ends well wherever the server is killed that takes it up",
  async (_name, abandonAt) => {
    let steps = 0;
    await inLanes([{ step: 0, returns: false }], async (lane, crash) => {
      steps = await crashInRecovery(lane, crash, abandonAt);
    });
    await inLanes(
      crashesAt(steps),
      async (lane, crash) => void (await crashInRecovery(lane, crash, abandonAt)),
    );
  },
);

/** Kills the server that has taken the order up, starts another, and waits for the end. @returns how many steps it took. */
async function crashInRecovery(lane: Lane, crash: Crash, abandonAt: number): Promise<number> {
  const { services } = lane;
  // Taking up begins by reading the order, which nothing does before.
  let begun = false;
  const victim = await addVictim(lane, crash, (request) => {
    begun ||= /FROM orders WHERE order_id/.test(request);
    return begun && !NO_STEP.test(request);
  });
  const { breakpoint } = victim;
  await abandon(victim, abandonAt);
  begun = false;
  breakpoint.reset();
  const killing = Promise.withResolvers<void>();
  breakpoint.fireAt(crash.step, () => {
    // The server may have taken the order up before it is known to have started.
    breakpoint.shut();
    killing.resolve();
  });
  const server = await startServer(await breakpoint.before(services.databaseTcpUrl));
  await Promise.race([killing.promise, waitUntilAllEnded(services, MAX_RECOVERY_MS)]);
  await server.kill("SIGKILL");
  const steps = breakpoint.count();

  await reachSupplierDirectly(victim);
  const next = await startServer(services.databaseUrl);
  if (crash.returns) await comeBack(victim, { again: false, refused: false }, next);
  await waitUntilAllEnded(services, MAX_RECOVERY_MS);
  await expectEnd(victim, ["delivered"]);
  await next.kill("SIGTERM");
  breakpoint.close();
  return steps;
}

/** Leaves the order processing, as a program does that crashes with its purchase (1) or with the answer to it (2). */
async function abandon({ lane, key, body, supplierId }: Victim, step: number): Promise<void> {
  const { services, simulator } = lane;
  const { baseUrl } = await services.suppliers.get(supplierId);
  const breakpoint = createMessageBreakpoint((request) => request.startsWith("POST "));
  await services.suppliers.setAccess(supplierId, { baseUrl: await breakpoint.before(simulator.url) });
  const crashing = compose({
    ...testConfig(await breakpoint.before(services.databaseTcpUrl)),
    supplierTimeoutMs: SUPPLIER_TIMEOUT_MS,
    orderLeaseMs: LEASE_MS,
  });
  const caller = await services.keys.authenticate(key);
  if (caller === null) throw new Error("The key is not known.");
  let closing: Promise<void> | null = null;
  breakpoint.fireAt(step, () => {
    breakpoint.shut();
    closing = closeDatabase(crashing.database);
  });
  const placing = crashing.orders.place({ ...body, caller, expectedUnitPrice: null });
  await expect(placing).rejects.toMatchObject({ code: "order_commit_pending" });
  await closing;
  breakpoint.close();
  await services.suppliers.setAccess(supplierId, { baseUrl });
}
