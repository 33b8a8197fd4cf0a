import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { compose } from "./compose.ts";
import { composeAdminApp, composeApp } from "./compose-http.ts";
import { bodyMemoryLimits, type Config, ConfigError, loadConfig } from "./config.ts";
import { closeDatabase } from "./database/database.ts";
import { type Listening, listen } from "./http/listen.ts";
import { createMetrics } from "./http/metrics.ts";
import { createRateLimit } from "./http/rate-limit.ts";

/** As many abandoned orders as one process works on at once. */
const RECOVERY_CONCURRENCY = 64;

/** Longer than any order call and any attempt at a purchase; what takes longer hangs. */
const STOP_DEADLINE_MS = 120_000;

/** How long calls to models may go on when the service stops: just less than their connections stay open. */
const CALL_GRACE_MS = 25_000;

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
  const metrics = createMetrics();
  const rateLimit = createRateLimit(config.redisUrl);
  const listening: Listening[] = [];
  const recoveries: { stop(): Promise<void> }[] = [];
  const finishWork = async () => {
    await Promise.all([
      ...recoveries.map((recovery) => recovery.stop()),
      ...listening.map((server) => server.close()),
      services.messages.stop(CALL_GRACE_MS),
    ]);
    // Who came on an open connection meanwhile.
    await services.messages.stop(0);
    await Promise.all([services.orders.idle(), services.calls.idle()]);
  };
  const stop = async () => {
    const left = await Promise.race([finishWork(), delay(STOP_DEADLINE_MS, "left", { ref: false })]);
    if (left)
      logger.warn("stopped with orders or calls under way; they are taken up when their leases have run out");
    rateLimit.close();
    if (!left) await closeDatabase(services.database);
  };
  try {
    await services.stock.checkEncryptionKeys();
    await services.suppliers.checkEncryptionKeys();
    const { app, unreadableBody, refuseRequests } = composeApp({
      services,
      logger,
      metrics,
      rateLimit,
      publicUrl: config.publicUrl,
      validateResponses: config.validateResponses,
      bodyMemoryLimits: bodyMemoryLimits(config),
      corsOrigins: { ordering: config.orderingCorsOrigins, proxy: config.proxyCorsOrigins },
      proxyHeaders: { token: config.proxyTokenHeader, rateLimitPrefix: config.rateLimitHeaderPrefix },
    });
    const { host, port, clientStallMs } = config;
    const main = await listen(app, { host, port, unreadableBody, clientStallMs, onClose: refuseRequests });
    listening.push(main);
    const admin = await listen(composeAdminApp({ services, metrics }), {
      host: config.host,
      port: config.adminPort,
    });
    listening.push(admin);
    const { recoveryIntervalMs: intervalMs } = config;
    recoveries.push(
      services.orders.startRecovery({ intervalMs, concurrency: RECOVERY_CONCURRENCY }),
      services.calls.startRecovery({ intervalMs }),
    );
    logger.info({ url: main.url, adminUrl: admin.url }, "service started");
    return { url: main.url, adminUrl: admin.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function main(): Promise<void> {
  const service = await startService(loadConfig(process.env));
  const stopOnce = () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.removeListener(signal, stopOnce);
    service.stop().then(() => process.exit(), fail);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stopOnce);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

if (import.meta.main) main().catch(fail);
