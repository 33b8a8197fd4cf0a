import type { Command } from "commander";
import type { Services } from "../compose.ts";
import { formatUsd } from "../money/microcents.ts";
import type { Difference, DifferenceKind, Reconciliation, Total } from "../orders/reconcile.ts";
import { text, wholeNumber } from "./arguments.ts";
import { addCommand, PROGRAM_NAME, type Run, type Streams } from "./command.ts";
import { moment } from "./moment.ts";
import { createProgressBar } from "./progress-bar.ts";
import { isoTime, optionalUsd, type Report, table } from "./report.ts";

interface Options {
  supplier: string;
  from: number;
  to: number;
  ordersPerMinute: number;
}

const TITLES: Readonly<Record<DifferenceKind, string>> = {
  missing_here: "missing here",
  missing_there: "missing there",
  amount_differs: "amount differs",
  above_maximum: "above maximum",
};

/** `reconcile`. */
export function addReconcileCommand(program: Command, run: Run): void {
  addCommand(program, "reconcile", "compare delivered on-demand orders with a supplier's own list", [
    "reconcile --supplier acme --from 2026-07-01 --to 2026-08-01",
    "reconcile --supplier acme --from 2026-07-01T06:00:00Z --to 2026-07-01T18:00:00Z --json",
  ])
    .requiredOption("--supplier <id>", "the supplier", text)
    .requiredOption("--from <date>", "a day or a moment, UTC: orders delivered then or later", moment)
    .requiredOption("--to <date>", "a day or a moment, UTC: orders delivered before it", moment)
    .option(
      "--orders-per-minute <number>",
      "how fast the supplier's list is read: 100 orders are one of the requests that it allows",
      wholeNumber(1, 10_000_000),
      3_000,
    )
    .addHelpText(
      "after",
      `
What differs is listed, and the exit code is 1:
  missing here    the supplier delivered it; we did not, or do not know it
  missing there   we delivered it; the supplier does not know it or has not delivered it
  amount differs  both did, at another cost; what the supplier refunded costs nothing
  above maximum   we delivered it, at a cost above the product's --max-cost of that time
Orders of the last minute are left out, since they may be in one list and not yet in the other.`,
    )
    .action((options: Options) => run((services, streams) => reconcile(services, streams, options)));
}

async function reconcile(
  { suppliers, orderAdministration }: Services,
  { stderr }: Streams,
  { supplier, from, to, ordersPerMinute }: Options,
): Promise<Report> {
  await suppliers.get(supplier);
  const bar = createProgressBar(stderr);
  const count = (orders: number) => orders.toLocaleString("en-US");
  try {
    const found = await orderAdministration.reconcile({
      supplierId: supplier,
      window: { fromMs: from, toMs: to },
      ordersPerMinute,
      onProgress: ({ share, here, there }) =>
        bar.show(share, `${count(here)} orders here, ${count(there)} there`),
    });
    return reconciliationReport(supplier, found, found.window.toMs < to);
  } finally {
    bar.clear();
  }
}

/** @param cut whether orders of the last minute were left out. */
function reconciliationReport(supplierId: string, found: Reconciliation, cut: boolean): Report {
  const { window, here, there, counts } = found;
  const ok = Object.values(counts).every((count) => count === 0);
  const json = {
    supplierId,
    from: isoTime(window.fromMs),
    to: isoTime(window.toMs),
    ok,
    here: totalJson(here),
    there: totalJson(there),
    counts: {
      missingHere: counts.missing_here,
      missingThere: counts.missing_there,
      amountDiffers: counts.amount_differs,
      aboveMaximum: counts.above_maximum,
    },
    differences: found.differences.map(differenceJson),
  };
  const totals = table(
    ["", ">Orders", ">Cost USD"],
    [
      ["Delivered here", json.here.orders, json.here.cost],
      [`Delivered by ${supplierId}`, json.there.orders, json.there.cost],
    ],
    "",
  );
  const note = cut ? " (a minute ago; younger orders are left out)" : "";
  const compared = `From ${json.from} to ${json.to}${note}:\n\n${totals}`;
  if (ok) return { json, text: `${compared}\n\nBoth lists agree.` };
  const kinds = Object.entries(TITLES) as [DifferenceKind, string][];
  const told = kinds.flatMap(([kind, title]) => (counts[kind] === 0 ? [] : [`${counts[kind]} ${title}`]));
  return {
    json,
    text: [compared, ...kinds.flatMap(([kind]) => differenceList(found, kind))].join("\n\n"),
    failure: `error: differences were found: ${told.join(", ")}.\nNext step: ${nextStep(found)}`,
  };
}

function differenceList({ differences, counts }: Reconciliation, kind: DifferenceKind): string[] {
  const rows = differences.filter((difference) => difference.kind === kind).map(differenceJson);
  if (rows.length === 0) return [];
  const headings = [
    "Order",
    "Here",
    ">Cost USD",
    "There",
    ">Cost there USD",
    "Supplier's order",
    ">Maximum USD",
  ];
  const shown = table(
    headings,
    rows.map(({ requestId, here, there }) => [
      requestId,
      here?.status ?? "unknown",
      here?.cost ?? null,
      there?.status ?? "unknown",
      there?.amount ?? null,
      there?.supplierOrderId ?? null,
      here?.maxCost ?? null,
    ]),
    "",
  );
  const more = counts[kind] - rows.length;
  return [`${TITLES[kind]}:\n${shown}${more > 0 ? `\nand ${more} more` : ""}`];
}

function nextStep({ counts }: Reconciliation): string {
  const steps: readonly [number, string][] = [
    [
      counts.missing_here,
      `look at each with ${PROGRAM_NAME} order show ID; one that is processing is settled by order resolve ID, one that is retryable is delivered when its buyer sends it again, any other was bought for nothing: ask the supplier for the money`,
    ],
    [counts.missing_there, "ask the supplier about the orders that it does not have"],
    [counts.amount_differs, "compare the amounts with the supplier's invoice"],
    [counts.above_maximum, "ask the supplier why it took more than was agreed"],
  ];
  return `${steps.flatMap(([count, step]) => (count > 0 ? [step] : [])).join("; ")}.`;
}

function totalJson({ orders, costMicrocents }: Total) {
  return { orders, cost: formatUsd(costMicrocents) };
}

function differenceJson({ kind, requestId, here, there }: Difference) {
  return {
    kind,
    requestId,
    here: here && {
      status: here.status,
      cost: optionalUsd(here.costMicrocents),
      maxCost: formatUsd(here.maxCostMicrocents),
    },
    there: there && {
      supplierOrderId: there.supplierOrderId,
      status: there.status,
      amount: formatUsd(there.amountMicrocents),
    },
  };
}
