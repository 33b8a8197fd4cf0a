import type { Command } from "commander";
import { type Bill, pricePer } from "../calls/bill.ts";
import type { UsageRecord } from "../calls/call.ts";
import type { Services } from "../compose.ts";
import type { AccountId } from "../ids.ts";
import { formatExactUsd } from "../money/microcents.ts";
import { accountId, wholeNumber } from "./arguments.ts";
import { addCommand, type Run } from "./command.ts";
import { isoTime, type Report, table } from "./report.ts";

const MAX_CALLS = 100_000;
const DEFAULT_CALLS = 50;
const EXAMPLE_ACCOUNT = "acc_01938c8e6f2b7c3e9a4d5f6071829304";

const ABOUT_OUTCOMES = `Outcomes: completed; client_aborted, the caller went away; upstream_failed, the upstream or the way to it broke, or our
own process died; rejected, the upstream refused the request; running, there is none yet. ~ in front of tokens: our own
estimate, not the upstream's word. "Charged for" is there when that is more than the tokens at plain prices: what else, and
what multiplied the prices; UNPRICED names what the upstream told and has no price. --json has every item.`;

/** `usage`. */
export function addUsageCommand(program: Command, run: Run): void {
  addCommand(program, "usage", "an account's calls to models: tokens, outcome and charge, newest first", [
    `usage --account ${EXAMPLE_ACCOUNT}`,
    `usage --account ${EXAMPLE_ACCOUNT} --limit 500 --json`,
  ])
    .requiredOption("--account <id>", "the account", accountId)
    .option("--limit <number>", "how many calls", wholeNumber(1, MAX_CALLS), DEFAULT_CALLS)
    .addHelpText("after", `\n${ABOUT_OUTCOMES}`)
    .action(({ account, limit }: { account: AccountId; limit: number }) =>
      run((services) => usage(services, account, limit)),
    );
}

async function usage({ accounts, calls }: Services, id: AccountId, limit: number): Promise<Report> {
  await accounts.get(id);
  const records = (await calls.list(id, limit)).map(recordJson);
  const rows = records.map((call) => [
    call.createdAt,
    call.callId,
    call.model,
    call.outcome ?? "running",
    tokens(call.inputTokens, call),
    tokens(call.outputTokens, call),
    tokens(call.cacheWriteTokens, call),
    tokens(call.cacheReadTokens, call),
    call.amount,
    call.balance,
    call.requestId,
    chargedFor(call),
  ]);
  const headings = [
    "Time",
    "Call",
    "Model",
    "Outcome",
    ">Input",
    ">Output",
    ">Cache write",
    ">Cache read",
    ">Amount USD",
    ">Balance USD",
    "Request",
    "Charged for",
  ];
  return { json: records, text: table(headings, rows, "The account has made no calls yet.") };
}

function recordJson(record: UsageRecord) {
  const { usage, balanceAfterMicrocents: balance } = record;
  return {
    callId: record.callId,
    accountId: record.accountId,
    keyId: record.keyId,
    model: record.modelId,
    outcome: record.outcome,
    estimated: record.estimated,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cacheWriteTokens: usage.cacheWriteTokens,
    cacheReadTokens: usage.cacheReadTokens,
    amount: formatExactUsd(record.amountMicrocents),
    balance: balance === null ? null : formatExactUsd(balance),
    requestId: record.requestId,
    upstreamRequestId: record.upstreamRequestId,
    createdAt: isoTime(record.createdAtMs),
    endedAt: isoTime(record.endedAtMs),
    ...(record.bill === null ? {} : billJson(record.bill)),
  };
}

function billJson({ items, ...bill }: Bill) {
  return {
    ...bill,
    items: items.map((item) => {
      const { part, modelId: model, kind, quantity, factorMillionths } = item;
      const { priceMicrocents, per } = pricePer(item);
      return { part, model, kind, quantity, price: formatExactUsd(priceMicrocents), per, factorMillionths };
    }),
  };
}

/** What else was charged for than the tokens in the other columns, such as `speed fast; 2 web_search; 30 cache_write_1h`. */
function chargedFor(call: Partial<ReturnType<typeof billJson>>): string | null {
  const { items = [], speed, inferenceGeo, serviceTier, unpriced = [] } = call;
  const terms = { speed, "inference geo": inferenceGeo, "service tier": serviceTier };
  const parts = [
    ...Object.entries(terms).flatMap(([kind, value]) => (value ? [`${kind} ${value}`] : [])),
    ...items
      .filter(({ part, kind }) => part !== "message" || !IN_COLUMNS.has(kind))
      .map(({ part, kind, quantity }) => `${quantity} ${part === "message" ? "" : `${part} `}${kind}`),
    ...(unpriced.length === 0 ? [] : [`UNPRICED ${unpriced.join(" ")}`]),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}

const IN_COLUMNS = new Set(["input", "output", "cache_write_5m", "cache_read"]);

function tokens(count: number, { estimated }: { estimated: boolean }): string {
  return estimated ? `~${count}` : String(count);
}
