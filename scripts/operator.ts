// `npm run -s operator -- COMMAND …`: the operator's command line, on the database that the server uses.

import {
  type DatabaseEnvironment,
  migrateEnvironment,
  openDatabaseEnvironment,
} from "../server/embedded-database/database-environment.ts";
import { runOperator } from "../server/operator/main.ts";
import { reportFailure } from "../server/operator/report-failure.ts";

const args = process.argv.slice(2);
const asksForHelp =
  args.length === 0 || args.some((arg) => ["-h", "--help", "help", "--version"].includes(arg));

try {
  process.exitCode = asksForHelp ? await runOperator(args, process.env) : await runWithDatabase();
} catch (error) {
  reportFailure(error);
}

async function runWithDatabase(): Promise<number> {
  const opened = await openDatabaseEnvironment(process.env, (line) => console.error(line));
  closeWhenInterrupted(opened);
  try {
    if (opened.dataDir !== undefined) await migrateEnvironment(opened);
    return await runOperator(args, opened.env);
  } finally {
    await opened.close();
  }
}

/** A command that is broken off loses nothing: what it had not committed is undone by the database. */
function closeWhenInterrupted(opened: DatabaseEnvironment): void {
  const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const [signal, exitCode] of Object.entries(exitCodes)) {
    process.once(signal, () => opened.close().finally(() => process.exit(exitCode)));
  }
}
