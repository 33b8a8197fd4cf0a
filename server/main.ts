import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { type Logger, pino } from "pino";
import { compose, type Services } from "./compose.ts";
import { composeAdminApp, composeApps } from "./compose-http.ts";
import { bodyMemoryLimits, type Config, ConfigError, loadConfig } from "./config.ts";
import { closeDatabase } from "./database/database.ts";
import { createDatabaseClock } from "./database/database-clock.ts";
import { warnOfLosses } from "./database/durability.ts";
import { requireSchema, SchemaBehindError } from "./database/migrate.ts";
import { missingPreparedStatements } from "./database/prepared-statements.ts";
import type { App } from "./http/app.ts";
import { type Listening, listen } from "./http/listen.ts";
import { createMetrics } from "./http/metrics.ts";
import { createRateLimit, type RateLimit } from "./http/rate-limit.ts";
import { createSharedCount, type SharedCount } from "./http/shared-count.ts";
import { ATTEMPTS_WINDOW_SECONDS } from "./people/attempts.ts";
import type { ProcessRecord } from "./processes/processes.ts";
import { createReadiness, type Readiness } from "./readiness.ts";

/** As many abandoned orders as one process works on at once. */
const RECOVERY_CONCURRENCY = 64;

/** How long a process keeps in memory which keys were used, before it writes it. */
const LAST_USES_INTERVAL_MS = 5_000;

/** As much of its time to stop as a process keeps to answer who still waits, at most a fifth. */
const LAST_ANSWERS_MS = 2_000;
/** A connection that has not been used for so long is not about to be: closing it meets no request. */
const IDLE_GRACE_MS = 1_000;
const ADMIN_CLOSE_MS = 500;

/**
 * By how much the heap may grow after a full collection of garbage before the next. Left to itself V8 lets it grow by a tenth
 * where little memory is asked for, and a few large bodies are a tenth: 225 of them made 33 full collections, now 2. Node does
 * not take this among its options.
 */
const HEAP_GROWTH_PERCENT = 100;

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** A running service. */
export interface Service {
  /** Where the ordering interface is, without its base path: `http://host:port`. */
  readonly url: string;
  readonly adminUrl: string;
  /** Where the operator console is, in the same form. */
  readonly operatorUrl: string;
  /** Answers what is under way, then closes ports and database. */
  stop(): Promise<void>;
}

/**
 * Starts the service on a database that has been migrated.
 * @throws {SchemaBehindError} it has not. @throws when a port cannot be taken, the database cannot be reached, or its codes
 * cannot be read.
 */
export async function startService(config: Config): Promise<Service> {
  const logger = pino({ level: config.logLevel });
  const clock = createDatabaseClock(logger);
  const attemptCount = config.redisUrl === null ? null : countAttempts(config.redisUrl, logger);
  const services = compose(config, clock.now, logger, attemptCount);
  const rateLimit = createRateLimit(config.redisUrl, { log: logger, processCount: services.processes.count });
  const readiness = createReadiness(services.database);
  let ports: Ports | null = null;
  const recoveries: Recovery[] = [];
  let record: ProcessRecord | null = null;
  const stop = async () => {
    const stopAtMs = performance.now() + config.stopTimeoutMs;
    // Balancers are to notice first, while requests are still answered, each on a connection that is then closed.
    readiness.drain();
    ports?.main.closeConnections();
    ports?.operator.closeConnections();
    const recovered = Promise.all(recoveries.map((recovery) => recovery.stop()));
    if (ports !== null) await delay(config.drainMs);
    const timeoutMs = Math.max(0, stopAtMs - performance.now());
    const left = await Promise.race([
      Promise.all([recovered, finishWork(services, ports, config, timeoutMs)]).then(() => false),
      delay(timeoutMs, true, { ref: false }),
    ]);
    if (left)
      logger.warn("stopped with orders or calls under way; they are taken up when their leases have run out");
    clock.stop();
    rateLimit.close();
    attemptCount?.close();
    await ports?.admin.close({ deadlineMs: ADMIN_CLOSE_MS });
    if (left) return;
    await endInTime(record, stopAtMs);
    await closeDatabase(services.database);
  };
  try {
    await requireSchema(services.database);
    await clock.follow(services.database);
    // Before it looks which keys it needs: who changes them meanwhile sees this process, or is seen by it.
    record = await services.processes.begin();
    await checkDatabase(services, config, logger);
    ports = await openPorts({ config, services, logger, rateLimit, readiness });
    const { recoveryIntervalMs: intervalMs } = config;
    recoveries.push(
      services.orders.startRecovery({ intervalMs, concurrency: RECOVERY_CONCURRENCY }),
      services.calls.startRecovery({ intervalMs }),
      services.statistics.startRollingUp({ intervalMs: config.rollupIntervalMs }),
      services.keys.startWritingLastUses({ intervalMs: LAST_USES_INTERVAL_MS, log: logger }),
    );
    const urls = { url: ports.main.url, adminUrl: ports.admin.url, operatorUrl: ports.operator.url };
    logger.info(urls, "service started");
    return { ...urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Wrong attempts to sign in, counted by all processes together. */
function countAttempts(redisUrl: string, log: Logger): SharedCount {
  const words = "wrong attempts to sign in";
  return createSharedCount(
    redisUrl,
    {
      windowSeconds: ATTEMPTS_WINDOW_SECONDS,
      keyPrefix: "attempts",
      away: `Redis does not count ${words} any more; each process counts its own`,
      back: `Redis counts ${words} again`,
    },
    log,
  );
}

/** Takes a process's record back in the time that is left: it ends by itself as well, and the database may say nothing. */
async function endInTime(record: ProcessRecord | null, untilMs: number): Promise<void> {
  const leftMs = Math.max(0, untilMs - performance.now());
  await Promise.race([record?.end(), delay(leftMs, undefined, { ref: false })]);
}

/** Makes sure that the database's codes can be read, and warns of what an operator should know of its server. */
async function checkDatabase(services: Services, config: Config, logger: Logger): Promise<void> {
  await services.stock.checkEncryptionKeys();
  await services.suppliers.checkEncryptionKeys();
  await warnOfFewStatements(services, config, logger);
  await warnOfLosses(services.database, logger);
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
  readonly operator: Listening;
  readonly admin: Listening;
  /** Answers at once who still waits for something. */
  answerWaiting(): void;
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
  const apps = composeApps({
    // So the settings of each interface reach it, under their own names.
    ...config,
    ...parts,
    metrics,
    bodyMemoryLimits: bodyMemoryLimits(config),
    proxyHeaders: { token: config.proxyTokenHeader, rateLimitPrefix: config.rateLimitHeaderPrefix },
  });
  const adminApp = composeAdminApp({ services: parts.services, metrics, readiness });
  const { clientStallMs } = config;
  const serve = ({ app, answerConnectionFault, refuseRequests: onClose }: App, host: string, port: number) =>
    listen(app, { host, port, answerConnectionFault, clientStallMs, onClose });
  const undo = new AsyncDisposableStack();
  const opened = async (opening: Promise<Listening>) => {
    const listening = await opening;
    undo.defer(() => listening.close());
    return listening;
  };
  try {
    const main = await opened(serve(apps.public, config.host, config.port));
    const operator = await opened(serve(apps.operator, config.operatorHost, config.operatorPort));
    const admin = await listen(adminApp, { host: config.adminHost, port: config.adminPort });
    const answerWaiting = () => {
      for (const app of Object.values(apps)) app.answerWaiting();
    };
    return { main, operator, admin, answerWaiting };
  } catch (error) {
    await undo.disposeAsync();
    throw error;
  }
}

/**
 * Answers what is under way and ends what goes on by itself; the admin port is open until then. Shortly before its time is
 * over, streams are broken off and who still waits is told to come again.
 */
async function finishWork(
  { messages, orders, calls }: Services,
  ports: Ports | null,
  { drainMs }: Config,
  timeoutMs: number,
): Promise<void> {
  const breakOffMs = timeoutMs - Math.min(LAST_ANSWERS_MS, timeoutMs / 5);
  const breakOff = setTimeout(() => ports?.answerWaiting(), breakOffMs);
  const idleGraceMs = Math.min(drainMs, IDLE_GRACE_MS);
  const closing = { idleGraceMs, deadlineMs: timeoutMs };
  await Promise.all([ports?.main.close(closing), ports?.operator.close(closing), messages.stop(breakOffMs)]);
  clearTimeout(breakOff);
  // Who came on an open connection meanwhile.
  await messages.stop(0);
  await Promise.all([orders.idle(), calls.idle()]);
}

async function main(): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
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
  const isExplained = error instanceof ConfigError || error instanceof SchemaBehindError;
  process.stderr.write(`${isExplained ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

if (import.meta.main) main().catch(fail);
