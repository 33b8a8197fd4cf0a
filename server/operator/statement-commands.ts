import { type Command, InvalidArgumentError } from "commander";
import type { Services } from "../compose.ts";
import type { AccountId } from "../ids.ts";
import type { Month } from "../ledger/statement.ts";
import { formatExactUsd } from "../money/microcents.ts";
import { localIsoTime, type TimeZone } from "../time-zone.ts";
import { accountId } from "./arguments.ts";
import { addCommand, addGroup, type Run } from "./command.ts";
import { isoTime, type Report, table } from "./report.ts";
import { zoneOption } from "./zone-option.ts";

const EXAMPLE_ACCOUNT = "acc_01938c8e6f2b7c3e9a4d5f6071829304";

interface Options {
  account: AccountId;
  month: Month;
  timeZone: TimeZone;
}

/** `statement show`. */
export function addStatementCommands(program: Command, run: Run): void {
  const group = addGroup(program, "statement", "what became of a balance in a month");
  addCommand(
    group,
    "show",
    "an account's opening balance, what came in and went out, and its closing balance",
    [
      `statement show --account ${EXAMPLE_ACCOUNT} --month 2026-10`,
      `statement show --account ${EXAMPLE_ACCOUNT} --month 2026-10 --time-zone Europe/Berlin --json`,
    ],
  )
    .requiredOption("--account <id>", "the account", accountId)
    .requiredOption("--month <month>", "such as 2026-10", month)
    .addOption(zoneOption("whose month"))
    .addHelpText(
      "after",
      "\nThe statement of a month that is over does not change. Its entries: export ledger, from its first day to the next month's.",
    )
    .action((options: Options) => run((services) => show(services, options)));
}

async function show(
  { ledger }: Services,
  { account, month: asked, timeZone: zone }: Options,
): Promise<Report> {
  const statement = await ledger.statement(account, asked, zone.name);
  const { fromMs, toMs, entries } = statement;
  const opening = formatExactUsd(statement.openingMicrocents);
  const closing = formatExactUsd(statement.closingMicrocents);
  const sums = statement.sums.map(({ type, entries: count, amountMicrocents }) => ({
    type,
    entries: count,
    amount: formatExactUsd(amountMicrocents),
  }));
  const json = {
    accountId: account,
    from: isoTime(fromMs),
    to: isoTime(toMs),
    timeZone: zone.name,
    opening,
    sums,
    closing,
    firstEntry: entries && Number(entries.first),
    lastEntry: entries && Number(entries.last),
  };
  const rows = [
    ["Opening balance", null, opening],
    ...sums.map(({ type, entries: count, amount }) => [type, count, amount]),
    ["Closing balance", null, closing],
  ];
  const title = `${account}, ${localIsoTime(zone, fromMs)} to ${localIsoTime(zone, toMs)} (${zone.name}):`;
  return { json, text: `${title}\n\n${table(["", ">Entries", ">USD"], rows, "")}` };
}

function month(text: string): Month {
  const [year, value] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text)?.slice(1).map(Number) ?? [];
  if (year === undefined || value === undefined)
    throw new InvalidArgumentError("Write a month such as 2026-10.");
  return { year, month: value };
}
