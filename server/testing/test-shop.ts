import { randomBytes, randomUUID } from "node:crypto";
import { pino } from "pino";
import { expect } from "vitest";
import type { Clock } from "../clock.ts";
import { compose, type Services, type ServicesConfig } from "../compose.ts";
import { composeApps } from "../compose-http.ts";
import { ORDER_DEFAULTS } from "../config.ts";
import { closeDatabase } from "../database/database.ts";
import { listen } from "../http/listen.ts";
import { createMetrics } from "../http/metrics.ts";
import { createRateLimit } from "../http/rate-limit.ts";
import type { AccountId, KeyId } from "../ids.ts";
import type { KeyCaps, KeyKind } from "../keys/api-key.ts";
import { type Microcents, parseDecimalMoney } from "../money/microcents.ts";
import { createTestDatabase, type TestDatabase } from "./database/test-database.ts";
import { onOnePort } from "./on-one-port.ts";
import { type Answer, type RequestOptions, requestShop } from "./request-shop.ts";
import { reachableUrl, servicesValidateResponses } from "./service-front.ts";
import { unexpectedAnswerIn } from "./unexpected-answer.ts";

/** An amount from its text, for tests. */
export function usd(text: string): Microcents {
  const amount = parseDecimalMoney(text);
  if (amount === null) throw new Error(`${text} is no amount`);
  return amount;
}

/** Encryption keys for tests. */
export const TEST_KEY_RING = [{ id: "test", key: Buffer.alloc(32, 7) }];

/** What a test sets otherwise than {@link testConfig} does, such as short times. */
export type TestSettings = Partial<Omit<ServicesConfig, "databaseUrl">>;

/** The configuration of the use cases on a test's database. */
export function testConfig(databaseUrl: string, settings: TestSettings = {}): ServicesConfig {
  return {
    ...ORDER_DEFAULTS,
    databasePoolSize: 16,
    codeEncryptionKeys: TEST_KEY_RING,
    keyPrefix: "svc_sk_",
    // Simulated suppliers have no limit, and tests look often.
    supplierLooksPerMinute: 1_000_000,
    ...settings,
    databaseUrl,
  };
}

/** The use cases on a database of the test's own, and builders of what a test needs. */
export interface TestServices extends Services {
  readonly databaseUrl: string;
  /** The same database over TCP. */
  readonly databaseTcpUrl: string;
  /** A new account with that much money and no rate limit to speak of. */
  addAccount(balance?: string): Promise<AccountId>;
  /** A new key; `key` is the secret. */
  addKey(
    accountId: AccountId,
    kind?: KeyKind,
    caps?: Partial<KeyCaps>,
  ): Promise<{ keyId: KeyId; key: string }>;
  /** A new product with one price for all levels and that many codes, which are returned. */
  addProduct(options?: {
    price?: string;
    codes?: number;
    productId?: string;
  }): Promise<{ productId: string; codes: string[] }>;
  /** Fails the test when the books do not agree. */
  expectCleanAudit(): Promise<void>;
  /** Closes and drops the database. */
  dispose(): Promise<void>;
}

/** Opens the use cases on a fresh database. `dispose` runs the audit first, so that every test ends with it. */
export async function openTestServices(
  clock: Clock = Date.now,
  settings: TestSettings = {},
): Promise<TestServices> {
  return openTestServicesOn(await createTestDatabase(), clock, settings);
}

/** The same on a database that is there already and empty. */
export function openTestServicesOn(
  testDatabase: TestDatabase,
  clock: Clock = Date.now,
  settings: TestSettings = {},
): TestServices {
  const services = compose(testConfig(testDatabase.url, settings), clock);
  const expectCleanAudit = async () => {
    const { checks } = await services.audit.run();
    expect(checks.filter((check) => !check.ok)).toEqual([]);
  };
  return {
    ...services,
    databaseUrl: testDatabase.url,
    databaseTcpUrl: testDatabase.tcpUrl,
    ...builders(services),
    expectCleanAudit,
    async dispose() {
      try {
        await expectCleanAudit();
      } finally {
        await closeDatabase(services.database);
        await testDatabase.drop();
      }
    },
  };
}

function builders({ accounts, keys, ledger, products, stock }: Services) {
  return {
    async addAccount(balance = "100") {
      const { accountId } = await accounts.create({ name: "Test account", rpmLimit: 1_000_000 });
      const amountMicrocents = usd(balance);
      if (amountMicrocents > 0n) await ledger.topUp({ accountId, amountMicrocents, reference: randomUUID() });
      return accountId;
    },
    addKey: (accountId: AccountId, kind: KeyKind = "product_ordering", caps: Partial<KeyCaps> = {}) =>
      keys.create({ accountId, kind, ...caps }),
    async addProduct({
      price = "1.00",
      codes: count = 10,
      productId = `product-${randomBytes(4).toString("hex")}`,
    } = {}) {
      await products.create({
        productId,
        name: `Product ${productId}`,
        redeemUrl: "https://redeem.example/here",
      });
      const amount = usd(price);
      await products.setPrices(productId, { 1: amount, 2: amount, 3: amount, 4: amount, 5: amount });
      const codes = Array.from(
        { length: count },
        () => `CODE-${randomBytes(12).toString("hex").toUpperCase()}`,
      );
      if (count > 0) await stock.import(productId, linesOf(codes));
      return { productId, codes };
    },
  };
}

/** Lines as an import takes them. */
export async function* linesOf(lines: Iterable<string>): AsyncGenerator<string> {
  yield* lines;
}

/** An account that has 100 USD, with keys and a product. */
interface ShopBuyer {
  readonly accountId: AccountId;
  readonly orderingKey: string;
  readonly generalKey: string;
  /** Costs 1.00 at every level; 10 codes. */
  readonly productId: string;
  readonly codes: readonly string[];
  /** A request with the ordering key; a body makes it a POST. */
  call(path: string, options?: RequestOptions): Promise<Answer>;
}

/** A running service on a database of the test's own, with an account that has 100 USD, keys and a product. */
export interface TestShop extends TestServices, ShopBuyer {
  /** The ordering interface, with its base path. */
  readonly baseUrl: string;
  /** Its port itself, also where a proxy stands before it. */
  readonly ownUrl: string;
  /** What the service has logged so far. */
  log(): string;
  stop(): Promise<void>;
}

/**
 * Starts the service as it runs in production, in this process, with responses compared with the contract: by the service
 * itself, or by Prism in front of it.
 */
export async function startTestShop(clock: Clock = Date.now, settings: TestSettings = {}): Promise<TestShop> {
  const services = await openTestServices(clock, settings);
  const logged: string[] = [];
  const write = (line: string) => {
    logged.push(line);
    const words = unexpectedAnswerIn(line);
    if (words !== null) console.error(words);
  };
  const logger = pino({ level: "debug" }, { write });
  const rateLimit = createRateLimit(null);
  const metrics = createMetrics();
  const { app, answerConnectionFault } = onOnePort(
    composeApps({
      services,
      logger,
      metrics,
      rateLimit,
      validateResponses: servicesValidateResponses(),
    }),
  );
  const listening = await listen(app, {
    host: "127.0.0.1",
    port: settings.port ?? 0,
    answerConnectionFault,
  });
  const baseUrl = `${await reachableUrl(listening.url)}/shop/v1`;
  return {
    ...services,
    baseUrl,
    ownUrl: listening.url,
    ...(await addBuyer(services, baseUrl)),
    log: () => logged.join(""),
    async stop() {
      await listening.close();
      await services.dispose();
    },
  };
}

/** The same service with an account, keys and a product of their own, for a file whose tests share one. */
export async function withNewBuyer(shop: TestShop): Promise<TestShop> {
  return { ...shop, ...(await addBuyer(shop, shop.baseUrl)) };
}

async function addBuyer(services: TestServices, baseUrl: string): Promise<ShopBuyer> {
  const accountId = await services.addAccount();
  const [ordering, general] = [await services.addKey(accountId), await services.addKey(accountId, "general")];
  return {
    accountId,
    orderingKey: ordering.key,
    generalKey: general.key,
    ...(await services.addProduct()),
    call: (path, options = {}) => requestShop(baseUrl, path, { key: ordering.key, ...options }),
  };
}
