import type { Command } from "commander";
import {
  type Account,
  type AccountSettings,
  DEFAULT_RPM_LIMIT,
  MAX_CALLS_IN_FLIGHT,
  MAX_RPM_LIMIT,
} from "../accounts/account.ts";
import { levelProgressOf } from "../accounts/level.ts";
import type { AccountId } from "../ids.ts";
import { formatExactUsd, formatUsd, subtract } from "../money/microcents.ts";
import {
  type AmountOrNone,
  accountId,
  amountOrNone,
  onOrOff,
  orNull,
  text,
  wholeNumber,
  wholeNumberOrDefault,
} from "./arguments.ts";
import { addCommand, addGroup, type Run } from "./command.ts";
import { details, isoTime, optionalUsd, type Report, table } from "./report.ts";

const EXAMPLE_ID = "acc_01938c8e6f2b7c3e9a4d5f6071829304";

/** `account create|list|show|suspend|set|resume`. */
export function addAccountCommands(program: Command, run: Run): void {
  const group = addGroup(program, "account", "buyers' accounts");

  addCommand(group, "create", "open an account, with nothing on it", [
    'account create --name "Acme Ltd"',
    'account create --name "Acme Ltd" --rpm 120 --json',
  ])
    .requiredOption("--name <name>", "the owner's name", text)
    .option(
      "--rpm <number>",
      `requests per minute over all keys (default: ${DEFAULT_RPM_LIMIT})`,
      wholeNumber(1, MAX_RPM_LIMIT),
    )
    .action(({ name, rpm }: { name: string; rpm?: number }) =>
      run(async ({ accounts }) =>
        accountReport(await accounts.create({ name, ...(rpm === undefined ? {} : { rpmLimit: rpm }) })),
      ),
    );

  addCommand(group, "list", "all accounts, oldest first", ["account list", "account list --json"]).action(
    () => run(async ({ accounts }) => accountList(await accounts.list())),
  );

  addCommand(group, "show", "one account: balance, level, limits", [`account show ${EXAMPLE_ID}`])
    .argument("<account-id>", "the account's id", accountId)
    .action((id: AccountId) => run(async ({ accounts }) => accountReport(await accounts.get(id))));

  addCommand(group, "suspend", "refuse all keys of an account, from within a second on", [
    `account suspend ${EXAMPLE_ID}`,
  ])
    .argument("<account-id>", "the account's id", accountId)
    .action((id: AccountId) => run(async ({ accounts }) => accountReport(await accounts.suspend(id))));

  addSetCommand(group, run);

  addCommand(group, "resume", "take a suspension back", [`account resume ${EXAMPLE_ID}`])
    .argument("<account-id>", "the account's id", accountId)
    .action((id: AccountId) => run(async ({ accounts }) => accountReport(await accounts.resume(id))));
}

function addSetCommand(group: Command, run: Run): void {
  addCommand(group, "set", "what an account's calls and caps may be, from within a second on", [
    `account set ${EXAMPLE_ID} --calls-in-flight 200`,
    `account set ${EXAMPLE_ID} --order-cap-ceiling 200 --daily-cap-ceiling 1000`,
    `account set ${EXAMPLE_ID} --calls-in-flight default --lower-max-tokens on`,
  ])
    .argument("<account-id>", "the account's id", accountId)
    .option(
      "--calls-in-flight <number>",
      'calls under way at once in one process, or "default": as CALLS_IN_FLIGHT_LIMIT says',
      wholeNumberOrDefault(1, MAX_CALLS_IN_FLIGHT),
    )
    .option(
      "--lower-max-tokens <on|off>",
      "whether a call that the balance does not cover runs with fewer max_tokens",
      onOrOff,
    )
    .option(
      "--order-cap-ceiling <usd|none>",
      "the most that the order cap of a key may be, and that an order may cost",
      amountOrNone,
    )
    .option(
      "--daily-cap-ceiling <usd|none>",
      "the most that the daily cap of a key may be, and that a key may spend on a UTC day",
      amountOrNone,
    )
    .action((id: AccountId, given: GivenSettings) =>
      run(async ({ accounts }) => accountReport(await accounts.set(id, settingsOf(given)))),
    );
}

/** What of an account's settings is given on the command line. */
interface GivenSettings {
  readonly callsInFlight?: number | "default";
  readonly lowerMaxTokens?: boolean;
  readonly orderCapCeiling?: AmountOrNone;
  readonly dailyCapCeiling?: AmountOrNone;
}

function settingsOf(given: GivenSettings): Partial<AccountSettings> {
  const { callsInFlight: limit, lowerMaxTokens, orderCapCeiling, dailyCapCeiling } = given;
  return {
    ...(limit === undefined ? {} : { callsInFlightLimit: limit === "default" ? null : limit }),
    ...(lowerMaxTokens === undefined ? {} : { lowersMaxTokens: lowerMaxTokens }),
    ...(orderCapCeiling === undefined ? {} : { orderCapCeilingMicrocents: orNull(orderCapCeiling) }),
    ...(dailyCapCeiling === undefined ? {} : { dailyCapCeilingMicrocents: orNull(dailyCapCeiling) }),
  };
}

function accountReport(account: Account): Report {
  const json = accountJson(account);
  const { next } = levelProgressOf(account.scoreMicrocents);
  const text = details({
    Account: json.accountId,
    Name: json.name,
    Status: json.status,
    "Balance USD": json.balance,
    "Reserved USD": json.reserved,
    "Available USD": json.available,
    Level: json.level,
    "Topped up USD": json.score,
    "Next level":
      next && `${next.level} after another ${formatUsd(next.remainingMicrocents, "up")} USD of top-ups`,
    "Requests per minute": json.rpmLimit,
    "Calls at once": json.callsInFlightLimit ?? "default",
    "Lowers max_tokens": json.lowersMaxTokens ? "yes" : "no",
    "Ceiling of order caps USD": json.orderCapCeiling ?? "none",
    "Ceiling of daily caps USD": json.dailyCapCeiling ?? "none",
    Created: json.createdAt,
  });
  return { json, text };
}

function accountList(accounts: readonly Account[]): Report {
  const json = accounts.map(accountJson);
  const rows = json.map(({ accountId, name, status, level, balance, available, rpmLimit, createdAt }) => [
    accountId,
    name,
    status,
    level,
    balance,
    available,
    rpmLimit,
    createdAt,
  ]);
  const headings = [
    "Account",
    "Name",
    "Status",
    ">Level",
    ">Balance USD",
    ">Available USD",
    ">Per minute",
    "Created",
  ];
  return { json, text: table(headings, rows, "There are no accounts yet.") };
}

function accountJson(account: Account) {
  const { balanceMicrocents, reservedMicrocents, scoreMicrocents } = account;
  return {
    accountId: account.accountId,
    name: account.name,
    status: account.status,
    balance: formatExactUsd(balanceMicrocents),
    reserved: formatExactUsd(reservedMicrocents),
    available: formatExactUsd(subtract(balanceMicrocents, reservedMicrocents)),
    level: levelProgressOf(scoreMicrocents).level,
    score: formatUsd(scoreMicrocents),
    rpmLimit: account.rpmLimit,
    callsInFlightLimit: account.callsInFlightLimit,
    lowersMaxTokens: account.lowersMaxTokens,
    orderCapCeiling: optionalUsd(account.orderCapCeilingMicrocents),
    dailyCapCeiling: optionalUsd(account.dailyCapCeilingMicrocents),
    createdAt: isoTime(account.createdAtMs),
  };
}
