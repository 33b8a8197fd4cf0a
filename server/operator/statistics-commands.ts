import { type Command, Option } from "commander";
import type { Services } from "../compose.ts";
import type { AccountId } from "../ids.ts";
import { formatExactUsd } from "../money/microcents.ts";
import { GRANULARITIES, type Granularity } from "../statistics/buckets.ts";
import { type CallFigures, NO_CALLS, NO_ORDERS, type OrderFigures } from "../statistics/figures.ts";
import type { StatisticsBucket } from "../statistics/statistics.ts";
import { localIsoTime, QUARTER_HOUR_MS, type TimeZone, timeZone } from "../time-zone.ts";
import { accountId } from "./arguments.ts";
import { addCommand, addGroup, type Run, type Streams } from "./command.ts";
import { type DayOrMoment, dayOrMoment, momentIn } from "./day-or-moment.ts";
import { createProgressBar } from "./progress-bar.ts";
import { isoTime, type Report, table } from "./report.ts";
import { zoneOption } from "./zone-option.ts";

const EXAMPLE_ACCOUNT = "acc_01938c8e6f2b7c3e9a4d5f6071829304";
const GROUPS = ["product", "key", "model"] as const;

interface ShowOptions {
  account: AccountId;
  from: DayOrMoment;
  to?: DayOrMoment;
  granularity: Granularity;
  timeZone: TimeZone;
  groupBy?: (typeof GROUPS)[number];
}

const ABOUT_FIGURES = `Orders count when they are delivered, refunds when they are made, calls when they end. Figures are current. The first and the last
hour, day or month are cut where --from and --to cut them; a day on which clocks are changed has 23 or 25 hours.`;

/** `statistics show|rebuild`. */
export function addStatisticsCommands(program: Command, run: Run): void {
  const group = addGroup(program, "statistics", "what orders and calls come to over time");
  addCommand(group, "show", "an account's orders and calls by hour, day or month", [
    `statistics show --account ${EXAMPLE_ACCOUNT} --from 2026-10-01 --to 2026-11-01`,
    `statistics show --account ${EXAMPLE_ACCOUNT} --from 2026-10-01 --granularity P1M --time-zone Europe/Berlin --group-by product`,
  ])
    .requiredOption("--account <id>", "the account", accountId)
    .requiredOption(
      "--from <date>",
      "a day in the time zone, or a moment on a quarter of an hour",
      dayOrMoment,
    )
    .option("--to <date>", "a day or a moment that is not a part any more (default: now)", dayOrMoment)
    .addOption(
      new Option("--granularity <duration>", "quarters of an hour, hours, days or months")
        .choices(GRANULARITIES)
        .default("P1D"),
    )
    .addOption(zoneOption("whose days, hours and months"))
    .addOption(
      new Option(
        "--group-by <what>",
        "tell apart products (orders alone), or keys or models (calls alone)",
      ).choices(GROUPS),
    )
    .addHelpText("after", `\n${ABOUT_FIGURES}`)
    .action((options: ShowOptions) => run((services) => show(services, options)));

  addCommand(
    group,
    "rebuild",
    "make an account's statistics anew from its orders and calls, while the shop runs",
    [`statistics rebuild --account ${EXAMPLE_ACCOUNT} --from 2026-10-01 --to 2026-11-01`],
  )
    .requiredOption("--account <id>", "the account", accountId)
    .requiredOption("--from <date>", "a day, or a moment on a quarter of an hour, UTC", dayOrMoment)
    .option("--to <date>", "a day or a moment that is not a part any more (default: now)", dayOrMoment)
    .addHelpText("after", "\nFor what the audit finds to be wrong in order_rollups or call_rollups.")
    .action((options: Pick<ShowOptions, "account" | "from" | "to">) =>
      run((services, streams) => rebuild(services, streams, options)),
    );
}

async function show(
  { statistics, clock }: Services,
  { account, from, to, granularity, timeZone: zone, groupBy }: ShowOptions,
): Promise<Report> {
  const period = periodOf({ from, to }, zone, clock());
  const query = { accountId: account, period, granularity, timeZone: zone.name };
  const wantsOrders = groupBy === undefined || groupBy === "product";
  const wantsCalls = groupBy !== "product";
  const orders = wantsOrders ? await statistics.orders({ ...query, groupBy: groupBy ?? null }) : null;
  const calls = wantsCalls ? await statistics.calls({ ...query, groupBy: groupBy ?? null }) : null;
  const json = {
    accountId: account,
    from: isoTime(period.fromMs),
    to: isoTime(period.toMs),
    granularity,
    timeZone: zone.name,
    groupBy: groupBy ?? null,
    ...(orders === null ? {} : { orders: orders.map((bucket) => bucketJson(bucket, orderJson)) }),
    ...(calls === null ? {} : { calls: calls.map((bucket) => bucketJson(bucket, callJson)) }),
  };
  const tables = [
    ...(orders === null ? [] : [figuresTable("Orders", orders, { zone, groupBy, ...ORDER_TABLE })]),
    ...(calls === null ? [] : [figuresTable("Calls", calls, { zone, groupBy, ...CALL_TABLE })]),
  ];
  return { json, text: `${tables.join("\n\n")}\n\nTimes are those of ${zone.name}.` };
}

async function rebuild(
  { statistics, clock }: Services,
  { stderr }: Streams,
  { account, from, to }: Pick<ShowOptions, "account" | "from" | "to">,
): Promise<Report> {
  const period = periodOf({ from, to }, timeZone("UTC"), clock());
  const bar = createProgressBar(stderr);
  try {
    await statistics.rebuild(account, period, (share) => bar.show(share, "of the days"));
  } finally {
    bar.clear();
  }
  const json = { accountId: account, from: isoTime(period.fromMs), to: isoTime(period.toMs) };
  return { json, text: `The statistics from ${json.from} to ${json.to} were made anew from the rows.` };
}

/** Up to now is up to the end of the quarter of an hour that it is. */
function periodOf(
  { from, to }: { from: DayOrMoment; to: DayOrMoment | undefined },
  zone: TimeZone,
  nowMs: number,
) {
  const toMs = to === undefined ? Math.ceil(nowMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS : momentIn(to, zone);
  return { fromMs: momentIn(from, zone), toMs };
}

function bucketJson<Figures>(
  { fromMs, toMs, groups }: StatisticsBucket<Figures>,
  figuresJson: (figures: Figures) => Record<string, number | string>,
) {
  return {
    from: isoTime(fromMs),
    to: isoTime(toMs),
    groups: groups.map(({ group, figures }) => ({ group, ...figuresJson(figures) })),
  };
}

function orderJson(figures: OrderFigures) {
  const { orders, codes, refunds } = figures;
  const amount = formatExactUsd(figures.amountMicrocents);
  return { orders, codes, amount, refunds, refunded: formatExactUsd(figures.refundedMicrocents) };
}

function callJson({ amountMicrocents, ...counts }: CallFigures) {
  return { ...counts, amount: formatExactUsd(amountMicrocents) };
}

interface FiguresTable<Figures> {
  readonly none: Figures;
  readonly headings: readonly string[];
  readonly cells: (figures: Figures) => (number | string)[];
}

const ORDER_TABLE: FiguresTable<OrderFigures> = {
  none: NO_ORDERS,
  headings: [">Orders", ">Codes", ">Amount USD", ">Refunds", ">Refunded USD"],
  cells: (figures) => Object.values(orderJson(figures)),
};

const CALL_TABLE: FiguresTable<CallFigures> = {
  none: NO_CALLS,
  headings: [
    ">Completed",
    ">Client aborted",
    ">Upstream failed",
    ">Rejected",
    ">Input",
    ">Output",
    ">Cache write",
    ">Cache read",
    ">Amount USD",
  ],
  cells: (figures) => Object.values(callJson(figures)),
};

/** A row for each group of each bucket, and the sum of all. */
function figuresTable<Figures extends object>(
  title: string,
  buckets: readonly StatisticsBucket<Figures>[],
  {
    zone,
    groupBy,
    none,
    headings,
    cells,
  }: FiguresTable<Figures> & { zone: TimeZone; groupBy: string | undefined },
): string {
  const group = (name: string | null) => (groupBy === undefined ? [] : [name]);
  const rows = buckets.flatMap(({ fromMs, groups }) =>
    groups.map(({ group: name, figures }) => [localIsoTime(zone, fromMs), ...group(name), ...cells(figures)]),
  );
  const all = buckets.flatMap(({ groups }) => groups.map(({ figures }) => figures)).reduce(add, none);
  const total = rows.length === 0 ? [] : [["Total", ...group(""), ...cells(all)]];
  const columns = ["From", ...group(groupBy ?? null).map((name) => name ?? ""), ...headings];
  return `${title}:\n${table(columns, [...rows, ...total], "None.")}`;
}

function add<Figures extends object>(one: Figures, other: Figures): Figures {
  const sums = Object.entries(one).map(([name, value]) => [name, value + other[name as keyof Figures]]);
  return Object.fromEntries(sums);
}
