// `npm start`: opens the shop on DATABASE_URL or on an embedded database, until Ctrl-C.
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
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
import { readSetting, readSettings } from "../server/settings/setting.ts";
import { isProduction, LOG_LEVEL_ON_TERMINAL, startSettings } from "../server/settings/settings.ts";
import {
  startUpstreamSimulator,
  type UpstreamSimulator,
} from "../server/simulators/upstream/upstream-simulator.ts";

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
  const opened = await openDatabaseEnvironment(process.env, (line) => console.error(line));
  try {
    await migrateEnvironment(opened);
    const config = loadConfig({
      ...(process.stdout.isTTY ? { LOG_LEVEL: LOG_LEVEL_ON_TERMINAL } : {}),
      ...opened.env,
    });
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
    if (isDemo) demo = await withServices(config, (services) => openDemoShop(services, { isSimulated }));
    const { url, adminUrl } = service;
    const upstream = isSimulated ? "simulated" : config.upstreamUrl;
    const { proxyVersionHeader: versionHeader } = config;
    console.log(describeShop({ url, adminUrl, demo, upstream, versionHeader, env: process.env }));
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
