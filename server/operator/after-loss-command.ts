import type { Command } from "commander";
import type { Services } from "../compose.ts";
import type { Loss } from "../losses/losses.ts";
import { wholeNumber } from "./arguments.ts";
import { addCommand, type Run, type Streams } from "./command.ts";
import { lossReport } from "./loss-report.ts";
import { moment } from "./moment.ts";
import { createProgressBar } from "./progress-bar.ts";
import type { Report } from "./report.ts";

interface Options {
  since?: number;
  atMost?: number;
  dryRun?: true;
}

/** `after-loss`. */
export function addAfterLossCommand(program: Command, run: Run): void {
  addCommand(
    program,
    "after-loss",
    "after a restored backup or a failover that lost commits: stop what may have been sold from being sold again",
    [
      "after-loss --since 2026-07-01T06:30:00Z",
      "after-loss",
      "after-loss --since 2026-07-01 --dry-run --json",
    ],
  )
    .option(
      "--since <time>",
      "since when commits may be lost, UTC: when the backup was taken, or a while before the failover (default: 5 minutes before the newest row)",
      moment,
    )
    .option(
      "--at-most <number>",
      "no more codes than that of any import were sold in the lost time, for certain; the others stay for sale",
      wholeNumber(1, 1_000_000_000),
    )
    .option("--dry-run", "change nothing; only show what would be set aside, and list the rest")
    .addHelpText(
      "after",
      `
Everything in stock that may have been sold is set aside, and a list says what to reconcile, and how.
Run it before the shop sells again. Run again, it sets aside again whatever is for sale by then.`,
    )
    .action((options: Options) => run((services, streams) => afterLoss(services, streams, options)));
}

async function afterLoss(
  { losses }: Services,
  { stderr }: Streams,
  { since, atMost, dryRun = undefined }: Options,
): Promise<Report> {
  const bar = createProgressBar(stderr);
  let loss: Loss;
  try {
    loss = await losses.afterLoss({
      sinceMs: since ?? null,
      atMostPerSegment: atMost ?? null,
      dryRun: dryRun === true,
      onProgress: ({ share, text }) => bar.show(share, text),
    });
  } finally {
    bar.clear();
  }
  return lossReport(loss, { dryRun: dryRun === true });
}
