import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Argument, Command, InvalidArgumentError } from "commander";
import { openEmbeddedDatabase } from "../../server/embedded-database/embedded-database.ts";
import type { Figure } from "./bench-context.ts";
import { startBenchProcess, stopAllProcesses } from "./child-process.ts";
import { catalog } from "./figures/catalog.ts";
import { history } from "./figures/history.ts";
import { latency } from "./figures/latency.ts";
import { messages } from "./figures/messages.ts";
import { onDemand } from "./figures/on-demand.ts";
import { openStreams } from "./figures/open-streams.ts";
import { orders } from "./figures/orders.ts";
import { recovery } from "./figures/recovery.ts";
import { replay } from "./figures/replay.ts";
import { stock } from "./figures/stock.ts";
import { streams } from "./figures/streams.ts";
import { CONNECTIONS } from "./load.ts";
import { describeMachine } from "./machine.ts";
import type { UpstreamReady } from "./processes/upstream.ts";
import { type Report, toLine, toMarkdown, toText } from "./report.ts";
import type { Result } from "./result.ts";
import { SERVICE_SETTINGS, startService } from "./service.ts";
import { openBenchShop } from "./shop.ts";

const FIGURES: Readonly<Record<string, Figure>> = {
  orders,
  replay,
  catalog,
  stock,
  history,
  "on-demand": onDemand,
  recovery,
  messages,
  streams,
  latency,
  "open-streams": openStreams,
};
const UPSTREAM = new URL("./processes/upstream.ts", import.meta.url);
const FOLDER = resolve(import.meta.dirname, "../../.data/bench");

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly out?: string;
  readonly markdown?: true;
  readonly profile?: true;
}

const undo = new AsyncDisposableStack();

await new Command("bench")
  .description("Measures the service against floors that run in the same minutes on the same database.")
  .addArgument(new Argument("[figures...]", "which figures").choices(Object.keys(FIGURES)))
  .option("--rounds <n>", "how often everything is measured; the median counts", wholeNumber, 5)
  .option("--seconds <n>", "how long each measurement takes", wholeNumber, 2)
  .option("--out <file>", "where to write the JSON file (default: a new one in .data/bench)")
  .option("--markdown", "print the table as Markdown")
  .option("--profile", "leave a CPU profile of the service in .data/bench/profiles")
  .action(main)
  .parseAsync();

async function main(names: readonly string[], options: Options): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupted);
  try {
    const report = await run(names.length === 0 ? Object.keys(FIGURES) : names, options);
    const file = resolve(options.out ?? join(FOLDER, `${report.startedAt.replaceAll(/[:.]/g, "-")}.json`));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
    console.log(options.markdown ? toMarkdown(report) : toText(report));
    progress(`written to ${relative(process.cwd(), file)}`);
    await stop(report.auditPassed ? 0 : 1);
  } catch (error) {
    // What fails because the bench is being stopped says nothing.
    if (undo.disposed) return;
    progress(error instanceof Error ? (error.stack ?? error.message) : String(error));
    await stop(1);
  }
}

async function run(names: readonly string[], { rounds, seconds, profile }: Options): Promise<Report> {
  const begin = Date.now();
  progress("preparing a shop");
  const shop = await openBenchShop(await openDatabase());
  undo.defer(stopAllProcesses);
  const upstream = (await startBenchProcess<UpstreamReady>(UPSTREAM, null)).ready;
  const service = await startService(
    { ...shop.environment, UPSTREAM_URL: upstream.url, UPSTREAM_API_KEY: upstream.apiKey },
    profile && join(FOLDER, "profiles"),
  );
  const results: Result[] = [];
  for (const name of names) {
    const figure = FIGURES[name];
    if (figure === undefined) throw new Error(`There is no figure ${name}.`);
    const context = {
      shop,
      service,
      upstream,
      rounds,
      seconds,
      progress: (line: string) => progress(`${name}: ${line}`),
    };
    const measured = await figure(context);
    for (const result of measured) progress(toLine(result));
    results.push(...measured);
  }
  await service.stop();
  progress("auditing the books");
  const audit = await shop.services.audit.run();
  for (const check of audit.checks) if (!check.ok) progress(`audit: ${JSON.stringify(check)}`);
  return {
    startedAt: new Date(begin).toISOString(),
    machine: await describeMachine(shop.services.database),
    serviceSettings: SERVICE_SETTINGS,
    rounds,
    secondsPerMeasurement: seconds,
    connections: CONNECTIONS,
    results,
    auditPassed: audit.ok,
    totalSeconds: (Date.now() - begin) / 1000,
  };
}

/** A database server with full durability, on the disk that `npm start` uses, gone when the bench ends. */
async function openDatabase(): Promise<string> {
  const folder = join(FOLDER, `database-${process.pid}`);
  undo.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = await openEmbeddedDatabase(folder, progress);
  undo.defer(database.close);
  return database.url;
}

function interrupted(signal: NodeJS.Signals): void {
  if (undo.disposed) return;
  progress(`${signal}: stopping`);
  stop(1);
}

/** Ends all that was started, whatever it is doing, removes the database and ends this process. */
async function stop(exitCode: number): Promise<void> {
  await undo.disposeAsync();
  process.exit(exitCode);
}

function progress(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("must be a whole number above zero.");
  return Number(text);
}
