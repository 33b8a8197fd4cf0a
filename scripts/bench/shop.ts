import { randomBytes, randomUUID } from "node:crypto";
import { compose, type Services } from "../../server/compose.ts";
import { ORDER_DEFAULTS } from "../../server/config.ts";
import { migrateToLatest } from "../../server/database/migrate.ts";
import type { AccountId, KeyId } from "../../server/ids.ts";
import { MICROCENTS_PER_USD, microcents } from "../../server/money/microcents.ts";
import { CONNECTIONS } from "./load.ts";

/** Who the bench's on-demand products are bought from, one after the other. */
export const SUPPLIER_ID = "bench";

/** What every product of the bench costs at every level: one cent. */
export const PRICE_MICROCENTS = microcents(MICROCENTS_PER_USD / 100n);

const RPM_LIMIT = 1_000_000;
const TOP_UP_MICROCENTS = microcents(1_000_000n * MICROCENTS_PER_USD);
const ACCOUNTS = 200;
const PRODUCTS = 20;
const ENCRYPTION_KEY = { id: "bench", key: randomBytes(32) };

/** An account with money, a key that may order, and a rate limit that nothing here reaches. */
export interface Buyer {
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  readonly headers: Readonly<Record<string, string>>;
}

/** An account with money and a key that may call models. */
export interface Caller {
  readonly headers: Readonly<Record<string, string>>;
}

/** A shop on a database of the bench's own, used through the same use cases as the service. */
export interface BenchShop {
  readonly services: Services;
  /** The configuration that other processes need to work on the same shop. */
  readonly environment: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
  /** 200 buyers, each an account of its own. */
  readonly buyers: readonly Buyer[];
  /** The accounts of the buyers with keys for the AI proxy, made when they are first asked for. */
  callers(): Promise<readonly Caller[]>;
  /** 20 products of one cent. */
  readonly productIds: readonly string[];
  addBuyer(): Promise<Buyer>;
  addProduct(productId: string): Promise<string>;
  /** A product of one cent that is bought for one cent; the supplier is the only one from then on. */
  addOnDemandProduct(productId: string, supplier: { url: string; apiKey: string }): Promise<void>;
  addCodes(productId: string, count: number): Promise<void>;
  /** Imports what the 20 products lack of that many codes in all. */
  ensureStock(codes: number): Promise<void>;
}

/** Migrates the database and fills the shop with buyers and products. */
export async function openBenchShop(databaseUrl: string): Promise<BenchShop> {
  const services = compose({
    ...ORDER_DEFAULTS,
    databaseUrl,
    databasePoolSize: CONNECTIONS,
    codeEncryptionKeys: [ENCRYPTION_KEY],
    keyPrefix: "svc_sk_",
  });
  await migrateToLatest(services.database);
  const builders = buildersOf(services);
  const buyers = await Promise.all(Array.from({ length: ACCOUNTS }, builders.addBuyer));
  const productIds = await Promise.all(
    Array.from({ length: PRODUCTS }, (_, index) => builders.addProduct(`product-${index + 1}`)),
  );
  let callers: Promise<readonly Caller[]> | null = null;
  return {
    services,
    databaseUrl,
    callers: () => (callers ??= Promise.all(buyers.map(builders.addCaller))),
    environment: {
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(CONNECTIONS),
      CODE_ENCRYPTION_KEYS: `${ENCRYPTION_KEY.id}:${ENCRYPTION_KEY.key.toString("base64")}`,
    },
    buyers,
    productIds,
    ...builders,
    ensureStock: async (codes) => {
      const wanted = Math.ceil(codes / productIds.length);
      for (const productId of productIds) {
        const missing = wanted - (await remaining(services, productId));
        if (missing > 0) await builders.addCodes(productId, missing);
      }
    },
  };
}

/** Codes as a supplier's file would hold them, one a line. */
export async function* newCodes(count: number): AsyncGenerator<string> {
  for (let made = 0; made < count; made += 1) yield randomBytes(12).toString("hex").toUpperCase();
}

function buildersOf({ accounts, keys, ledger, products, stock, suppliers }: Services) {
  const price = PRICE_MICROCENTS;
  const prices = { 1: price, 2: price, 3: price, 4: price, 5: price };
  return {
    async addOnDemandProduct(
      productId: string,
      { url, apiKey }: { url: string; apiKey: string },
    ): Promise<void> {
      if ((await suppliers.list()).length === 0) {
        await suppliers.add({ supplierId: SUPPLIER_ID, baseUrl: url, apiKey });
      }
      await suppliers.setAccess(SUPPLIER_ID, { baseUrl: url, apiKey });
      const supply = { supplierId: SUPPLIER_ID, supplierProductId: productId, maxUnitCostMicrocents: price };
      await products.create({ productId, name: `Gift card ${productId}`, supply });
      await products.setPrices(productId, prices);
    },
    async addBuyer(): Promise<Buyer> {
      const { accountId } = await accounts.create({ name: "Buyer", rpmLimit: RPM_LIMIT });
      await ledger.topUp({ accountId, amountMicrocents: TOP_UP_MICROCENTS, reference: randomUUID() });
      const { keyId, key } = await keys.create({ accountId, kind: "product_ordering" });
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
      return { accountId, keyId, headers };
    },
    async addCaller({ accountId }: Buyer): Promise<Caller> {
      const { key } = await keys.create({ accountId, kind: "general" });
      return { headers: { "x-api-key": key } };
    },
    async addProduct(productId: string): Promise<string> {
      await products.create({
        productId,
        name: `Gift card ${productId}`,
        redeemUrl: "https://redeem.example/",
      });
      await products.setPrices(productId, prices);
      return productId;
    },
    async addCodes(productId: string, count: number): Promise<void> {
      await stock.import(productId, newCodes(count));
    },
  };
}

async function remaining({ products }: Services, productId: string): Promise<number> {
  return (await products.offer(productId, 1)).remaining ?? 0;
}
