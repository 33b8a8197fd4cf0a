import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import type { Services } from "../compose.ts";
import type { AccountId } from "../ids.ts";
import type { TimeZone } from "../time-zone.ts";
import { accountId } from "./arguments.ts";
import { addCommand, addGroup, PROGRAM_NAME, type Run } from "./command.ts";
import { type DayOrMoment, dayOrMoment, momentIn } from "./day-or-moment.ts";
import { OperatorError } from "./explain-error.ts";
import { zoneOption } from "./zone-option.ts";

const EXAMPLE_ACCOUNT = "acc_01938c8e6f2b7c3e9a4d5f6071829304";

const EXPORTS = {
  ledger: "an account's payments, orders and calls with the balance after each, oldest first",
  orders: "an account's orders that were made in the period, newest first, without their codes",
  calls: "an account's calls to models that began in the period, newest first",
} as const;

const ABOUT_FILES = `The file goes to standard output: CSV with a heading, times in UTC, amounts in USD; of any length. A text that a spreadsheet
would take for a formula begins with an apostrophe.`;

interface Options {
  account: AccountId;
  from: DayOrMoment;
  to?: DayOrMoment;
  timeZone: TimeZone;
  json?: true;
}

/** `export ledger|orders|calls`. */
export function addExportCommands(program: Command, run: Run): void {
  const group = addGroup(program, "export", "an account's rows as CSV, for spreadsheets and bookkeeping");
  for (const [name, summary] of Object.entries(EXPORTS) as [keyof typeof EXPORTS, string][]) {
    addCommand(group, name, summary, [
      `export ${name} --account ${EXAMPLE_ACCOUNT} --from 2026-10-01 --to 2026-11-01 > ${name}.csv`,
    ])
      .requiredOption("--account <id>", "the account", accountId)
      .requiredOption("--from <date>", "a day in the time zone, or a moment", dayOrMoment)
      .option("--to <date>", "a day or a moment that is not a part any more (default: now)", dayOrMoment)
      .addOption(zoneOption("whose days"))
      .addHelpText("after", `\n${ABOUT_FILES}`)
      .action((_options: Options, command: Command) => {
        const options: Options = command.optsWithGlobals();
        return run(async (services, { stdout }) => {
          await write(stdout, rowsOf(name, services, options));
          return null;
        });
      });
  }
}

function rowsOf(
  name: keyof typeof EXPORTS,
  { exports, clock }: Services,
  { account, from, to, timeZone: zone, json }: Options,
): AsyncIterable<string> {
  if (json) throw new OperatorError("An export is CSV, not JSON.", `${PROGRAM_NAME} export ${name} --help`);
  const toMs = to === undefined ? clock() : momentIn(to, zone);
  const period = { fromMs: momentIn(from, zone), toMs };
  return name === "ledger" ? exports.ledger(account, period, "operator") : exports[name](account, period);
}

const READER_LEFT = new Set(["EPIPE", "ERR_STREAM_DESTROYED", "ERR_STREAM_PREMATURE_CLOSE"]);

/** At the pace of the reader, who may leave (`| head`). */
async function write(stdout: NodeJS.WritableStream, pieces: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), stdout, { end: false });
  } catch (error) {
    if (!READER_LEFT.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
