import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { Command, CommanderError } from "commander";
import { actAs } from "../actions/acting.ts";
import type { OperatorActor } from "../actions/action.ts";
import { compose, type Services } from "../compose.ts";
import { loadConfig } from "../config.ts";
import { closeDatabase } from "../database/database.ts";
import { createDatabaseClock } from "../database/database-clock.ts";
import { addAccountCommands } from "./account-commands.ts";
import { addActionCommands } from "./action-commands.ts";
import { addAfterLossCommand } from "./after-loss-command.ts";
import { addAuditCommand } from "./audit-command.ts";
import { addBackupCommands } from "./backup-commands.ts";
import { PROGRAM_NAME, type Run, type Streams } from "./command.ts";
import { addEncryptionKeyCommands } from "./encryption-key-commands.ts";
import { explainError } from "./explain-error.ts";
import { addExportCommands } from "./export-commands.ts";
import { addKeyCommands } from "./key-commands.ts";
import { addModelCommands } from "./model-commands.ts";
import { addMoneyCommands } from "./money-commands.ts";
import { addOrderCommands } from "./order-commands.ts";
import { addProductCommands } from "./product-commands.ts";
import { addReconcileCommand } from "./reconcile-command.ts";
import type { Report } from "./report.ts";
import { addStatementCommands } from "./statement-commands.ts";
import { addStatisticsCommands } from "./statistics-commands.ts";
import { addStockCommands } from "./stock-commands.ts";
import { addSupplierCommands } from "./supplier-commands.ts";
import { addUsageCommand } from "./usage-command.ts";
import { addUserCommands } from "./user-commands.ts";

// One command does one thing at a time.
const POOL_SIZE = 4;
// The service tells of a clock that is out of step.
const SILENT = { warn() {} };

/**
 * Runs one command of the operator: a table for people on stdout, or with `--json` exactly one JSON value; errors on
 * stderr with a next step.
 * @param argv what stands behind the program's name.
 * @param env DATABASE_URL and CODE_ENCRYPTION_KEYS at least; DEBUG=1 adds stacks to errors.
 * @returns the exit code: 0, or 1 for whatever went wrong.
 */
export async function runOperator(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  streams: Streams = process,
): Promise<number> {
  let exitCode = 0;
  // Whoever writes is told of it as well, and help is written by a library that does not mind.
  for (const stream of [streams.stdout, streams.stderr]) stream.on("error", () => {});
  const program = createProgram(streams, async (work) => {
    const report = await withServices(env, (services) => work(services, streams));
    if (report === null) return;
    await print(streams.stdout, program.opts().json === true ? JSON.stringify(report.json) : report.text);
    if (report.failure === undefined) return;
    await print(streams.stderr, report.failure);
    exitCode = 1;
  });
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    await print(streams.stderr, explainError(error, env, argv));
    return 1;
  }
}

/** The command line with all of its commands. @param run does the work of the one that is asked for. */
export function createProgram({ stdout, stderr }: Pick<Streams, "stdout" | "stderr">, run: Run): Command {
  const program = new Command(PROGRAM_NAME)
    .description(
      "Runs the shop: accounts, keys, people, money, products, codes, orders, models, calls and the audit.",
    )
    .option("--json", "print one JSON value instead of a table, for programs")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError(`Next step: ${PROGRAM_NAME} --help`)
    .addHelpText("after", `\nExample:\n  ${PROGRAM_NAME} account create --help`);
  addAccountCommands(program, run);
  addKeyCommands(program, run);
  addUserCommands(program, run);
  addMoneyCommands(program, run);
  addProductCommands(program, run);
  addStockCommands(program, run);
  addSupplierCommands(program, run);
  addOrderCommands(program, run);
  addReconcileCommand(program, run);
  addModelCommands(program, run);
  addUsageCommand(program, run);
  addStatisticsCommands(program, run);
  addStatementCommands(program, run);
  addExportCommands(program, run);
  addEncryptionKeyCommands(program, run);
  addActionCommands(program, run);
  addAuditCommand(program, run);
  addBackupCommands(program, run);
  addAfterLossCommand(program, run);
  return program;
}

async function withServices(
  env: NodeJS.ProcessEnv,
  work: (services: Services) => Promise<Report | null>,
): Promise<Report | null> {
  const clock = createDatabaseClock(SILENT);
  const services = compose({ ...loadConfig(env), databasePoolSize: POOL_SIZE }, clock.now);
  try {
    await clock.compare(services.database);
    const acting = { by: commandLineActor(), requestId: randomUUID(), clock: clock.now };
    return await actAs(acting, () => work(services));
  } finally {
    await closeDatabase(services.database);
  }
}

/** Whoever runs the command, as far as the machine can tell: who became another user by sudo is named by their own name. */
function commandLineActor(): OperatorActor {
  return { kind: "command_line", id: null, name: `${process.env.SUDO_USER ?? userName()}@${hostname()}` };
}

/** A user without an entry in the system's list of them has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? "unknown"}`;
  }
}

const READER_LEFT = new Set(["EPIPE", "ERR_STREAM_DESTROYED"]);

// Resolves when the text is handed over, so that the process may end; a reader that went away (`| head`) is no error.
function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(`${text}\n`, (error?: NodeJS.ErrnoException | null) =>
      error && !READER_LEFT.has(error.code ?? "") ? reject(error) : resolve(),
    );
  });
}

if (import.meta.main) process.exitCode = await runOperator(process.argv.slice(2), process.env);
