import { onTestFinished } from "vitest";
import { startSupplierSimulator } from "../../server/simulators/supplier/supplier-simulator.ts";
import { callShop } from "../../server/testing/call-shop.ts";
import { startKillableDatabase } from "../../server/testing/database/killable-database.ts";
import { startServerProcess } from "../../server/testing/server-process.ts";
import { addModel } from "../../server/testing/test-calls.ts";
import { openTestServicesOn, type TestServices } from "../../server/testing/test-shop.ts";
import { addOnDemandProduct } from "../../server/testing/test-supplier.ts";
import { startTestUpstream } from "../../server/testing/test-upstream.ts";
import type { Stage } from "./requests.ts";

/** The service as it runs in production, with everything in its books that leads to the documented answers. */
export interface LiveShop {
  /** Where the interfaces are, without their base paths. */
  readonly url: string;
  /** Secrets of keys; their accounts have money and are active where nothing else is said. */
  readonly keys: {
    readonly ordering: string;
    /** Without the scope `shop:order`. */
    readonly general: string;
    /** With the scope `ai:proxy` alone. */
    readonly proxy: string;
    readonly revoked: string;
    /** Of a suspended account. */
    readonly suspended: string;
    /** Of an account that has used up its requests of this minute; good for both interfaces. */
    readonly exhausted: string;
    /** Of an account without money. */
    readonly poor: string;
    /** For orders, of an account whose level is sold nothing but what a supplier has that does not answer. */
    readonly supplied: string;
  };
  readonly products: {
    /** Cheaper than what the accounts have. */
    readonly inStock: string;
    /** In stock, and dearer than what the accounts have. */
    readonly dear: string;
    /** On demand, for the account of `supplied` alone, from the supplier that does not answer. */
    readonly withoutSupplier: string;
  };
  /** An order of the account of `ordering`. */
  readonly orderId: string;
  /** Takes away what the service is without from that stage on. */
  enter(stage: Stage): Promise<void>;
}

/** The simulated upstream fails by the names of models. */
const MODELS = ["sim-echo", "sim-auth", "sim-error", "sim-overloaded"];

/** The most that an order waits for its supplier, so that a run does not wait longer. */
const TIMES = { SUPPLIER_TIMEOUT_MS: "500", ORDER_LEASE_MS: "60000" };

/**
 * Starts the server, as an operator does and without its own check of responses, in front of a database that can be killed,
 * a simulated upstream and a supplier that is down. All of it ends with the test, after an audit of the books.
 */
export async function startLiveShop(): Promise<LiveShop> {
  const [database, upstream] = await Promise.all([startKillableDatabase(), startTestUpstream()]);
  const services = openTestServicesOn({ ...database, tcpUrl: database.url, drop: database.dispose });
  let killed = false;
  onTestFinished(async () => {
    if (killed) await database.restart();
    await services.dispose();
  });
  for (const model of MODELS) await addModel(services, model);
  const products = await addProducts(services);
  const { keys, limited } = await addKeys(services);
  const server = await startServerProcess(database.url, {
    ...TIMES,
    NODE_ENV: "production",
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: upstream.apiKey,
  });
  onTestFinished(async () => {
    await server.kill("SIGKILL");
  });
  const body = { externalOrderId: "dredd-0", productId: products.inStock, qty: 1 };
  const bought = await callShop(server.baseUrl, "/orders", { key: keys.ordering, body });
  await callShop(server.baseUrl, "/balance", { key: limited });
  return {
    url: new URL(server.baseUrl).origin,
    keys: { ...keys, exhausted: limited },
    products,
    orderId: bought.body.orderId,
    async enter(stage) {
      if (stage === "no upstream") await upstream.down();
      if (stage !== "no database") return;
      killed = true;
      await database.kill();
    },
  };
}

/** Accounts below 100 USD are of level 1, all others here of level 2 or higher. */
async function addProducts(services: TestServices) {
  const { productId: inStock } = await services.addProduct();
  const { productId: dear } = await services.addProduct({ price: "1000.00" });
  for (const productId of [inStock, dear]) await services.products.setPrices(productId, { 1: null });
  const simulator = await startSupplierSimulator();
  const { productId: withoutSupplier } = await addOnDemandProduct(services, { simulator });
  await services.products.setPrices(withoutSupplier, { 2: null, 3: null, 4: null, 5: null });
  await simulator.close();
  return { inStock, dear, withoutSupplier };
}

async function addKeys({ accounts, keys, addAccount, addKey }: TestServices) {
  const [accountId, gone, level1] = [await addAccount(), await addAccount(), await addAccount("99")];
  const { accountId: busy } = await accounts.create({ name: "Busy account", rpmLimit: 1 });
  const revoked = await addKey(accountId, "general");
  await keys.revoke(revoked.keyId);
  const suspended = await addKey(gone, "general");
  await accounts.suspend(gone);
  return {
    limited: (await addKey(busy, "general")).key,
    keys: {
      ordering: (await addKey(accountId)).key,
      general: (await addKey(accountId, "general")).key,
      proxy: (await addKey(accountId, "ai_proxy")).key,
      revoked: revoked.key,
      suspended: suspended.key,
      poor: (await addKey(await addAccount("0"), "general")).key,
      supplied: (await addKey(level1)).key,
    },
  };
}
