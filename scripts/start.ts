// `npm start`: opens the shop on DATABASE_URL or on an embedded database, until Ctrl-C.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isOutdated } from "../client/console/build/build-console.ts";
import { compose, type Services } from "../server/compose.ts";
import { type Config, ConfigError, loadConfig } from "../server/config.ts";
import { closeDatabase } from "../server/database/database.ts";
import { isDemoShop, type OpenDemoShop, openDemoShop } from "../server/demo/demo.ts";
import { describeShop } from "../server/demo/shop-introduction.ts";
import {
  migrateEnvironment,
  openDatabaseEnvironment,
} from "../server/embedded-database/database-environment.ts";
import { startService } from "../server/main.ts";
import { reportFailure } from "../server/operator/report-failure.ts";
import { accountCenterUrl } from "../server/page-urls.ts";
import { readSetting, readSettings } from "../server/settings/setting.ts";
import { isProduction, LOG_LEVEL_ON_TERMINAL, startSettings } from "../server/settings/settings.ts";
import {
  startUpstreamSimulator,
  type UpstreamSimulator,
} from "../server/simulators/upstream/upstream-simulator.ts";

/** The port that addresses leave out. */
const HTTP_PORT = 80;

/** Resolves when the operator asks for the end; asking more than once, as npm's Ctrl-C does, changes nothing. */
const stopRequested = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
});

try {
  await run();
} catch (error) {
  reportFailure(error);
}

async function run(): Promise<void> {
  checkEnvironment();
  renderDocumentation();
  const pages = buildPages();
  const opened = await openDatabaseEnvironment(process.env, (line) => console.error(line));
  try {
    await migrateEnvironment(opened);
    const config = loadConfig({
      ...(process.stdout.isTTY ? { LOG_LEVEL: LOG_LEVEL_ON_TERMINAL } : {}),
      ...opened.env,
    });
    await pages;
    await serve(config);
  } finally {
    await opened.close();
  }
}

/**
 * Runs the shop until the operator asks for the end. The simulated supplier and upstream of a demo shop outlive it, for
 * orders and calls that are under way.
 */
async function serve(config: Config): Promise<void> {
  const undo = new AsyncDisposableStack();
  try {
    const isDemo = readSetting(startSettings.isDemo, process.env) && (await withServices(config, isDemoShop));
    const simulator = isDemo && config.upstreamUrl === null ? await startSimulator(config) : undefined;
    if (simulator) undo.defer(() => simulator.close());
    let demo: OpenDemoShop | undefined;
    undo.defer(async () => demo?.close());
    const service = await startService({
      ...config,
      ...(simulator ? { upstreamUrl: simulator.url, upstreamApiKey: simulator.apiKey } : {}),
    });
    undo.defer(() => service.stop());
    const isSimulated = simulator !== undefined;
    const { url, adminUrl } = service;
    const reached = { ...config, port: Number(new URL(url).port || HTTP_PORT) };
    if (isDemo) demo = await withServices(reached, (services) => openDemoShop(services, { isSimulated }));
    console.log(
      describeShop({
        url,
        adminUrl,
        accountCenterUrl: accountCenterUrl(reached),
        demo,
        upstream: isSimulated ? "simulated" : config.upstreamUrl,
        versionHeader: config.proxyVersionHeader,
        env: process.env,
      }),
    );
    await stopRequested;
  } finally {
    await undo.disposeAsync();
  }
}

/**
 * Brings what the service shows at /docs up to date while the shop opens, where the tool for it is installed. A shop
 * opens without it as well, and /docs says then what to do.
 */
function renderDocumentation(): void {
  const root = resolve(import.meta.dirname, "..");
  if (isProduction(process.env) || !existsSync(join(root, "node_modules/@redocly/cli"))) return;
  const child = spawn(process.execPath, ["scripts/docs.ts", "--if-changed"], { cwd: root, stdio: "ignore" });
  child.on("error", () => {});
  child.unref();
}

/**
 * Builds the web pages while the shop opens, where their sources have changed. A shop opens without them as well: why they could
 * not be built is printed.
 */
async function buildPages(): Promise<void> {
  if (!isOutdated()) return;
  console.error("Building the web pages …");
  const child = spawn(process.execPath, ["scripts/build.ts", "--if-changed"], {
    cwd: resolve(import.meta.dirname, ".."),
    stdio: ["ignore", "ignore", "inherit"],
  });
  await once(child, "close").catch((error: Error) => console.error(error.message));
}

/** The upstream of a demo shop that has no other; what it remembers is never asked for. */
function startSimulator({ proxyVersionHeader: versionHeader }: Config): Promise<UpstreamSimulator> {
  return startUpstreamSimulator({ versionHeader, remember: false });
}

/** @throws {ConfigError} with all faults, before anything is made or started. */
function checkEnvironment(): void {
  const { env } = process;
  const embedded = !env.DATABASE_URL;
  // What the embedded database brings is not there yet.
  const stillMissing = {
    DATABASE_URL: "mysql://localhost/shop",
    CODE_ENCRYPTION_KEYS: env.CODE_ENCRYPTION_KEYS || `k1:${Buffer.alloc(32).toString("base64")}`,
  };
  const faults = [
    ...faultsOf(() => loadConfig(embedded ? { ...env, ...stillMissing } : env)),
    ...faultsOf(() => readSettings(startSettings, env)),
  ];
  const dataDir = readSetting(startSettings.dataDir, env);
  if (embedded && statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false) {
    faults.push("DATA_DIR must be a folder, and this is a file");
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

async function withServices<T>(config: Config, work: (services: Services) => Promise<T>): Promise<T> {
  const services = compose({ ...config, databasePoolSize: 2 });
  try {
    return await work(services);
  } finally {
    await closeDatabase(services.database);
  }
}
