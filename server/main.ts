import { setTimeout as delay } from "node:timers/promises";
import { type Logger, pino } from "pino";
import { compose, type Services } from "./compose.ts";
import { composeAdminApp, composeApp } from "./compose-http.ts";
import { bodyMemoryLimits, type Config, ConfigError, loadConfig } from "./config.ts";
import { closeDatabase } from "./database/database.ts";
import { warnOfLosses } from "./database/durability.ts";
import { missingPreparedStatements } from "./database/prepared-statements.ts";
import { type Listening, listen } from "./http/listen.ts";
import { createMetrics } from "./http/metrics.ts";
import { createRateLimit, type RateLimit } from "./http/rate-limit.ts";
import type { ProcessRecord } from "./processes/processes.ts";
import { createReadiness, type Readiness } from "./readiness.ts";

/** As many abandoned orders as one process works on at once. */
const RECOVERY_CONCURRENCY = 64;

/** Longer than any order call and any attempt at a purchase; what takes longer hangs. */
const STOP_DEADLINE_MS = 120_000;

/** How long calls to models may go on when the service stops: just less than their connections stay open. */
const CALL_GRACE_MS = 25_000;

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** A running service. */
export interface Service {
  /** Where the ordering interface is, without its base path: `http://host:port`. */
  readonly url: string;
  readonly adminUrl: string;
  /** Answers what is under way, then closes ports and database. */
  stop(): Promise<void>;
}

/**
 * Starts the service on a database that has been migrated.
 * @throws when a port cannot be taken, the database cannot be reached, or its codes cannot be read.
 */
export async function startService(config: Config): Promise<Service> {
  const logger = pino({ level: config.logLevel });
  const services = compose(config, Date.now, logger);
  const rateLimit = createRateLimit(config.redisUrl, { log: logger, processCount: services.processes.count });
  const readiness = createReadiness(services.database);
  let ports: Ports | null = null;
  const recoveries: Recovery[] = [];
  let record: ProcessRecord | null = null;
  const stop = async () => {
    // Balancers are to notice first, while requests are still answered, each on a connection that is then closed.
    readiness.drain();
    ports?.closeConnections();
    if (ports !== null) await delay(config.drainMs);
    const left = await Promise.race([
      finishWork({ services, ports, recoveries }),
      delay(STOP_DEADLINE_MS, "left", { ref: false }),
    ]);
    if (left)
      logger.warn("stopped with orders or calls under way; they are taken up when their leases have run out");
    rateLimit.close();
    await ports?.admin.close();
    if (left) return;
    await record?.end();
    await closeDatabase(services.database);
  };
  try {
    // Before it looks which keys it needs: who changes them meanwhile sees this process, or is seen by it.
    record = await services.processes.begin();
    await services.stock.checkEncryptionKeys();
    await services.suppliers.checkEncryptionKeys();
    await warnOfFewStatements(services, config, logger);
    await warnOfLosses(services.database, logger);
    ports = await openPorts({ config, services, logger, rateLimit, readiness });
    const { recoveryIntervalMs: intervalMs } = config;
    recoveries.push(
      services.orders.startRecovery({ intervalMs, concurrency: RECOVERY_CONCURRENCY }),
      services.calls.startRecovery({ intervalMs }),
    );
    const urls = { url: ports.main.url, adminUrl: ports.admin.url };
    logger.info(urls, "service started");
    return { ...urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Refused statements are an outage, and come only under load. */
async function warnOfFewStatements(
  { database, processes }: Services,
  { databasePoolSize: poolSize }: Config,
  logger: Logger,
): Promise<void> {
  const missing = await missingPreparedStatements(database, { processes: processes.count(), poolSize });
  if (missing === null) return;
  logger.warn(
    missing,
    "the database server may refuse prepared statements: raise its max_prepared_stmt_count, or lower DATABASE_POOL_SIZE",
  );
}

/** The ports that are served. */
interface Ports {
  readonly main: Listening;
  readonly admin: Listening;
  /** From now on every answer closes its connection. */
  closeConnections(): void;
}

type Recovery = { stop(): Promise<void> };

interface PortDependencies {
  readonly config: Config;
  readonly services: Services;
  readonly logger: Logger;
  readonly rateLimit: RateLimit;
  readonly readiness: Readiness;
}

async function openPorts({ config, readiness, ...parts }: PortDependencies): Promise<Ports> {
  const metrics = createMetrics();
  const { app, answerConnectionFault, closeConnections, refuseRequests } = composeApp({
    ...parts,
    metrics,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    validateResponses: config.validateResponses,
    bodyMemoryLimits: bodyMemoryLimits(config),
    corsOrigins: { ordering: config.orderingCorsOrigins, proxy: config.proxyCorsOrigins },
    proxyHeaders: { token: config.proxyTokenHeader, rateLimitPrefix: config.rateLimitHeaderPrefix },
  });
  const { host, port, clientStallMs } = config;
  const onClose = refuseRequests;
  const main = await listen(app, { host, port, answerConnectionFault, clientStallMs, onClose });
  try {
    const adminApp = composeAdminApp({ services: parts.services, metrics, readiness });
    const admin = await listen(adminApp, { host: config.adminHost, port: config.adminPort });
    return { main, admin, closeConnections };
  } catch (error) {
    await main.close();
    throw error;
  }
}

/** Answers what is under way and ends what goes on by itself; the admin port is open until then. */
async function finishWork({
  services,
  ports,
  recoveries,
}: {
  services: Services;
  ports: Ports | null;
  recoveries: readonly Recovery[];
}): Promise<void> {
  await Promise.all([
    ...recoveries.map((recovery) => recovery.stop()),
    ports?.main.close(),
    services.messages.stop(CALL_GRACE_MS),
  ]);
  // Who came on an open connection meanwhile.
  await services.messages.stop(0);
  await Promise.all([services.orders.idle(), services.calls.idle()]);
}

async function main(): Promise<void> {
  // Asked to stop while it starts, it stops when it has started.
  const asked = Promise.withResolvers<void>();
  const stopOnce = () => {
    // A second signal ends the process at once.
    for (const signal of STOP_SIGNALS) process.removeListener(signal, stopOnce);
    asked.resolve();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stopOnce);
  const service = await startService(loadConfig(process.env));
  await asked.promise;
  await service.stop();
  process.exit();
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

if (import.meta.main) main().catch(fail);
