import type { Command } from "commander";
import { levelOf } from "../accounts/level.ts";
import type { Services } from "../compose.ts";
import type { AccountId } from "../ids.ts";
import type { BookingResult } from "../ledger/ledger.ts";
import type { LedgerEntry } from "../ledger/ledger-entry.ts";
import { formatExactUsd, formatUsd, type Microcents } from "../money/microcents.ts";
import { accountId, amount, signedAmount, text, wholeNumber } from "./arguments.ts";
import { addCommand, type Run } from "./command.ts";
import { details, isoTime, type Report, table } from "./report.ts";

const MAX_ENTRIES = 100_000;
const DEFAULT_ENTRIES = 50;
const EXAMPLE_ACCOUNT = "acc_01938c8e6f2b7c3e9a4d5f6071829304";

interface BookingOptions {
  account: AccountId;
  amount: Microcents;
  reference: string;
}

/** `top-up`, `adjust` and `ledger`. */
export function addMoneyCommands(program: Command, run: Run): void {
  addCommand(program, "top-up", "credit a payment; it counts towards the account's level", [
    `top-up --account ${EXAMPLE_ACCOUNT} --amount 250.00 --reference invoice-2024-117`,
  ])
    .requiredOption("--account <id>", "the account", accountId)
    .requiredOption("--amount <usd>", "above zero, at most 4 decimals", amount)
    .requiredOption("--reference <text>", "stands for this payment; repeating it credits nothing more", text)
    .action((options: BookingOptions) =>
      run(async (services) => {
        const request = {
          accountId: options.account,
          amountMicrocents: options.amount,
          reference: options.reference,
        };
        return bookedReport(services, await services.ledger.topUp(request));
      }),
    );

  addCommand(program, "adjust", "correct a balance up or down, with no effect on the level", [
    `adjust --account ${EXAMPLE_ACCOUNT} --amount -3.25 --reference fix-17 --note "charged twice"`,
    `adjust --account ${EXAMPLE_ACCOUNT} --amount +10.00 --reference gift-4 --note "goodwill"`,
  ])
    .requiredOption("--account <id>", "the account", accountId)
    .requiredOption("--amount <±usd>", "what to add (+) or take away (-), at most 4 decimals", signedAmount)
    .requiredOption("--reference <text>", "stands for this correction; repeating it changes nothing", text)
    .requiredOption("--note <text>", "why", text)
    .action((options: BookingOptions & { note: string }) =>
      run(async (services) => {
        const request = {
          accountId: options.account,
          amountMicrocents: options.amount,
          reference: options.reference,
          note: options.note,
        };
        return bookedReport(services, await services.ledger.adjust(request));
      }),
    );

  addCommand(
    program,
    "ledger",
    "an account's payments, orders and calls with the balance after each, newest first",
    [`ledger --account ${EXAMPLE_ACCOUNT}`, `ledger --account ${EXAMPLE_ACCOUNT} --limit 500 --json`],
  )
    .requiredOption("--account <id>", "the account", accountId)
    .option("--limit <number>", "how many entries", wholeNumber(1, MAX_ENTRIES), DEFAULT_ENTRIES)
    .action(({ account, limit }: { account: AccountId; limit: number }) =>
      run(async ({ ledger }) => ledgerReport(await ledger.list(account, limit))),
    );
}

/** `balance` is what the account has now, also when the booking is an earlier one that was repeated. */
async function bookedReport({ accounts }: Services, { entry, repeated }: BookingResult): Promise<Report> {
  const account = await accounts.get(entry.accountId);
  const json = {
    accountId: entry.accountId,
    amount: formatUsd(entry.amountMicrocents),
    balance: formatExactUsd(account.balanceMicrocents),
    level: levelOf(account.scoreMicrocents),
    reference: entry.reference,
    note: entry.note,
    repeated,
    createdAt: isoTime(entry.createdAtMs),
  };
  const booked = details({
    Account: json.accountId,
    "Amount USD": json.amount,
    "Balance USD": json.balance,
    Level: json.level,
    Reference: json.reference,
    Booked: json.createdAt,
  });
  const text = repeated ? `${booked}\n\nThis reference was booked before; nothing was changed now.` : booked;
  return { json, text };
}

function ledgerReport(entries: readonly LedgerEntry[]): Report {
  const json = entries.map(entryJson);
  const rows = json.map(({ sequence, createdAt, type, amount, balance, reference, note }) => [
    sequence,
    createdAt,
    type,
    amount,
    balance,
    reference,
    note,
  ]);
  const headings = [">Number", "Time", "Type", ">Amount USD", ">Balance USD", "Reference", "Note"];
  return { json, text: table(headings, rows, "The account has no entries yet.") };
}

function entryJson(entry: LedgerEntry) {
  return {
    accountId: entry.accountId,
    sequence: entry.sequence,
    type: entry.type,
    amount: formatExactUsd(entry.amountMicrocents),
    balance: formatExactUsd(entry.balanceAfterMicrocents),
    reference: entry.reference,
    note: entry.note,
    createdAt: isoTime(entry.createdAtMs),
  };
}
