import { createAccounts } from "./accounts/accounts.ts";
import { createPreferences } from "./accounts/preferences.ts";
import { createActions } from "./actions/actions.ts";
import { createActivity } from "./activity/activity.ts";
import { createAudit } from "./audit/audit.ts";
import { createBackups } from "./backup/backups.ts";
import { createCalls } from "./calls/calls.ts";
import { createProducts } from "./catalog/products.ts";
import type { Clock } from "./clock.ts";
import { CALL_DEFAULTS, type Config, PLACE_DEFAULTS } from "./config.ts";
import { type Database, openDatabase } from "./database/database.ts";
import { createEncryption } from "./encryption/encryption.ts";
import { createExports } from "./exports/exports.ts";
import { createKeys, type Keys } from "./keys/keys.ts";
import { createLedger } from "./ledger/ledger.ts";
import type { Log } from "./log.ts";
import { createLosses } from "./losses/losses.ts";
import { createMessages } from "./messages/messages.ts";
import { createUpstream, type Upstream } from "./messages/upstream.ts";
import { createModels } from "./models/models.ts";
import { createOrders } from "./orders/orders.ts";
import type { PurchaseTimes } from "./orders/purchase.ts";
import { accountCenterUrl, operatorConsoleUrl } from "./page-urls.ts";
import type { AttemptCount } from "./people/attempts.ts";
import { createPeople, type PeopleDependencies } from "./people/people.ts";
import { createProcesses } from "./processes/processes.ts";
import { createStatistics } from "./statistics/statistics.ts";
import { createCipher } from "./stock/code-cipher.ts";
import { loadFingerprintKey } from "./stock/fingerprint-key.ts";
import { createSetAside } from "./stock/set-aside.ts";
import { createStock } from "./stock/stock.ts";
import { recordEncryptionKey } from "./stock/used-encryption-keys.ts";
import { createSuppliers, type SuppliersDependencies } from "./suppliers/suppliers.ts";

export type Services = ReturnType<typeof compose>;

/** What of the configuration the use cases depend on. */
export type ServicesConfig = Pick<
  Config,
  | "databaseUrl"
  | "databasePoolSize"
  | "codeEncryptionKeys"
  | "keyPrefix"
  | "supplierTimeoutMs"
  | "supplierLooksPerMinute"
  | "orderLeaseMs"
  | "retryableOrderMs"
  | "selling"
> &
  Partial<Pick<Config, keyof typeof CALL_DEFAULTS>> & {
    /** How long an order call may take; 25 s when not given. */
    readonly orderDeadlineMs?: number;
  } & Partial<Pick<Config, PagePlace>>;

/** Where the pages of people are. */
type PagePlace = "publicUrl" | "host" | "port" | "operatorUrl" | "operatorHost" | "operatorPort";

/**
 * Wires every use case to one database: the same for the server, the operator's commands and the tests.
 * @param attemptCount where processes count wrong attempts to sign in together; null: each counts its own.
 */
export function compose(
  config: ServicesConfig,
  clock: Clock = Date.now,
  log: Log = SILENT,
  attemptCount: AttemptCount | null = null,
) {
  const database = openDatabase({ url: config.databaseUrl, poolSize: config.databasePoolSize });
  const cipher = createCipher(config.codeEncryptionKeys);
  const accounts = createAccounts({ database, clock });
  const suppliers = createSuppliers({ database, clock, cipher, ...supplierSettings(config) });
  const products = createProducts({ database, clock, suppliers, selling: config.selling });
  const fingerprintKey = once(() => loadFingerprintKey(database, cipher));
  const purchasesFingerprintKey = once(async () => {
    await recordEncryptionKey(database, cipher);
    return fingerprintKey();
  });
  const stock = createStock({ database, clock, cipher, fingerprintKey });
  const processes = createProcesses({ database, encryptionKeys: cipher.keyFingerprints });
  const { orders, orderAdministration } = createOrders({
    database,
    clock,
    log,
    accounts,
    products,
    suppliers,
    cipher,
    setAside: createSetAside({ database, cipher, log }),
    fingerprintKey: purchasesFingerprintKey,
    times: purchaseTimes(config),
    processes,
    selling: config.selling,
    deadlineMs: config.orderDeadlineMs,
  });
  const keys = createKeys({ database, clock, accounts, keyPrefix: config.keyPrefix });
  return {
    database,
    clock,
    accounts,
    products,
    keys,
    people: composePeople(config, { database, clock, cipher, accounts, attemptCount }),
    ledger: createLedger({ database, clock, accounts }),
    suppliers,
    stock,
    processes,
    encryption: createEncryption({ database, cipher, processes, checked: [stock, suppliers] }),
    orders,
    orderAdministration,
    ...composeCalls(config, { database, clock, log, keys }),
    actions: createActions({ database }),
    activity: createActivity({ database, accounts }),
    preferences: createPreferences({ database, clock, accounts }),
    statistics: createStatistics({ database, log, accounts }),
    exports: createExports({ database, accounts }),
    audit: createAudit({ database }),
    backups: createBackups({ database, clock }),
    losses: createLosses({ database, clock, stock, suppliers, orderAdministration }),
  };
}

/** The people who sign in. */
function composePeople(
  config: ServicesConfig,
  parts: Pick<PeopleDependencies, "database" | "clock" | "cipher" | "accounts" | "attemptCount">,
) {
  const place = { ...PLACE_DEFAULTS, ...config };
  return createPeople({
    ...parts,
    recordEncryptionKey: () => recordEncryptionKey(parts.database, parts.cipher),
    pageUrls: { account: accountCenterUrl(place), operator: operatorConsoleUrl(place) },
  });
}

/** Models, and the calls to them. */
function composeCalls(
  config: ServicesConfig,
  { database, clock, log, keys }: { database: Database; clock: Clock; log: Log; keys: Keys },
) {
  const callConfig = { ...CALL_DEFAULTS, ...config };
  const { callLeaseMs: leaseMs, callReadOnMs: readOnMs } = callConfig;
  const models = createModels({ database, clock });
  const calls = createCalls({ database, clock, log, leaseMs });
  const upstream = upstreamOf(callConfig);
  const { clientStallMs, callsInFlightLimit } = callConfig;
  const limits = { leaseMs, readOnMs, clientStallMs, callsInFlightLimit };
  const messages = createMessages({ models, calls, keys, upstream, log, ...limits });
  return { models, calls, messages };
}

function supplierSettings({
  supplierTimeoutMs: purchaseMs,
  supplierLooksPerMinute: looksPerMinute,
}: ServicesConfig): Pick<SuppliersDependencies, "timeouts" | "looksPerMinute"> {
  return { timeouts: { purchaseMs, readMs: Math.min(purchaseMs, READ_TIMEOUT_MS) }, looksPerMinute };
}

function purchaseTimes(config: ServicesConfig): PurchaseTimes {
  return {
    leaseMs: config.orderLeaseMs,
    purchaseMs: config.supplierTimeoutMs,
    retryableMs: config.retryableOrderMs,
  };
}

/** The way to the service that calls are forwarded to; null when there is none. */
function upstreamOf(config: Pick<Config, keyof typeof CALL_DEFAULTS>): Upstream | null {
  const { upstreamUrl: url, upstreamApiKey: apiKey, proxyVersionHeader: versionHeader } = config;
  if (url === null || apiKey === null) return null;
  return createUpstream({ url, apiKey, versionHeader, timeouts: { headMs: config.upstreamTimeoutMs } });
}

// Catalogs and quotes keep buyers waiting who only look.
const READ_TIMEOUT_MS = 5_000;
const SILENT: Log = { info() {}, warn() {}, error() {} };

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}
