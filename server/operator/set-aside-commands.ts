import { open } from "node:fs/promises";
import type { Command } from "commander";
import type { Services } from "../compose.ts";
import type { SegmentId } from "../ids.ts";
import type { MarkedSold } from "../stock/mark-sold.ts";
import type { ReopenedSegment } from "../stock/reopen-segment.ts";
import { productId, segmentId, text } from "./arguments.ts";
import { openCodeSource } from "./code-source.ts";
import { addCommand, PROGRAM_NAME, type Run, type Streams } from "./command.ts";
import { OperatorError } from "./explain-error.ts";
import { summary } from "./import-stock.ts";
import { createProgressBar } from "./progress-bar.ts";
import { details, type Report, table } from "./report.ts";
import { unreadableFile } from "./unreadable-file.ts";

const EXAMPLE_ID = "seg_01938c8e6f2b7c3e9a4d5f6071829304";

interface ReopenOptions {
  product?: string;
  unsold?: string;
  rest?: true;
}

interface MarkOptions {
  product: string;
  file: string;
}

/** `stock reopen|mark-sold|codes`: what is done about segments that are set aside. */
export function addAsideCommands(group: Command, run: Run): void {
  addCommand(group, "reopen", "sell again what can be opened of an import that was set aside", [
    `stock reopen ${EXAMPLE_ID}`,
    `stock reopen ${EXAMPLE_ID} --unsold unsold.txt`,
    "stock reopen --product gift-card-10 --rest",
  ])
    .argument("[segment-id]", "the segment's id", segmentId)
    .option("--product <id>", "instead of one segment: all of the product that are set aside", productId)
    .option("--unsold <path>", "after a loss: the codes that were certainly not sold, one a line", text)
    .option("--rest", "after a loss: nothing of what is left was sold; what was is marked (stock mark-sold)")
    .addHelpText(
      "after",
      "\nWhat cannot be opened, or may have been sold, stays aside in segments of its own.",
    )
    .action((id: SegmentId | undefined, options: ReopenOptions) =>
      run((services, streams) => reopen(services, streams, id, options)),
    );

  addCommand(group, "mark-sold", "take codes out of sale for good that are known to be sold", [
    "stock mark-sold --product gift-card-10 --file sold.txt",
  ])
    .requiredOption("--product <id>", "the product that they belong to", productId)
    .requiredOption("--file <path>", "a UTF-8 text file with one code a line", text)
    .addHelpText(
      "after",
      "\nCodes that the product does not have become known, so that no import brings them.",
    )
    .action((options: MarkOptions) => run((services, streams) => markSold(services, streams, options)));

  addCommand(group, "codes", "write what is left of an import that was set aside to a file, in clear", [
    `stock codes ${EXAMPLE_ID} --to codes.txt`,
  ])
    .argument("<segment-id>", "the segment's id", segmentId)
    .requiredOption("--to <path>", "a new file, which only you can read", text)
    .action((id: SegmentId, { to }: { to: string }) => run((services) => writeCodes(services, id, to)));
}

async function reopen(
  services: Services,
  { stdin }: Streams,
  id: SegmentId | undefined,
  { product, unsold, rest }: ReopenOptions,
): Promise<Report> {
  if (unsold !== undefined && rest) {
    throw new OperatorError("--unsold and --rest exclude each other.", "give the one that you mean.");
  }
  if (unsold === "-" && product !== undefined) throw readTwice();
  const segments = await segmentsToReopen(services, id, product);
  const reopened: (ReopenedSegment & { readonly segmentId: SegmentId })[] = [];
  for (const segmentId of segments) {
    const known = unsold === undefined ? (rest ? "everything" : null) : linesOf(unsold, stdin);
    reopened.push({ segmentId, ...(await services.stock.reopen(segmentId, known)) });
  }
  const [first] = reopened;
  if (product === undefined && first !== undefined) return reopenReport(first);
  const shown = reopened.map(({ segmentId, forSale, unreadable, maybeSold }) => [
    segmentId,
    forSale,
    unreadable,
    maybeSold,
  ]);
  const headings = ["Segment", ">For sale again", ">Cannot be opened", ">May be sold"];
  return { json: reopened.map(reopenJson), text: table(headings, shown, "No segment is set aside.") };
}

async function segmentsToReopen(
  { products, stock }: Services,
  id: SegmentId | undefined,
  product: string | undefined,
): Promise<SegmentId[]> {
  if ((id === undefined) === (product === undefined)) {
    throw new OperatorError(
      "Either a segment or a product is to be reopened.",
      `see what is set aside: ${PROGRAM_NAME} stock list --product ID`,
    );
  }
  if (id !== undefined) return [id];
  const { productId } = await products.get(product ?? "");
  const segments = await stock.list(productId);
  return segments.filter(({ state }) => state === "set_aside").map(({ segmentId }) => segmentId);
}

function reopenReport(reopened: ReopenedSegment & { readonly segmentId: SegmentId }): Report {
  const { segmentId, forSale, unreadable, maybeSold } = reopened;
  const text = details({
    Segment: segmentId,
    "For sale again": forSale,
    "Cannot be opened": unreadable,
    "May be sold": maybeSold,
  });
  return { json: reopenJson(reopened), text };
}

function reopenJson(reopened: ReopenedSegment & { readonly segmentId: SegmentId }) {
  const { segmentId, forSale, unreadable, maybeSold } = reopened;
  return { segmentId, forSale, unreadable, maybeSold };
}

/** The lines of a file, opened when the first is asked for. */
async function* linesOf(path: string, stdin: Streams["stdin"]): AsyncGenerator<string> {
  const source = await openCodeSource(path, stdin);
  try {
    yield* source.lines;
  } finally {
    await source.close();
  }
}

function readTwice(): OperatorError {
  return new OperatorError(
    "The codes are read more than once, which standard input cannot be.",
    "give the path of a text file with one code a line.",
  );
}

async function markSold(
  { products, stock }: Services,
  { stdin, stderr }: Streams,
  { product, file }: MarkOptions,
): Promise<Report> {
  await products.get(product);
  if (file === "-") throw readTwice();
  const bar = createProgressBar(stderr);
  try {
    const marked = await stock.markSold(
      product,
      () => linesOf(file, stdin),
      (counts) => bar.show(null, summary(counts)),
    );
    return markedReport(product, marked);
  } finally {
    bar.clear();
  }
}

function markedReport(productId: string, marked: MarkedSold): Report {
  const { takenOut, unknown, alreadyOut, onOrders, invalid } = marked;
  const json = { productId, takenOut, unknown, alreadyOut, onOrders, invalid };
  const text = details({
    Product: productId,
    "Taken out of sale": takenOut,
    "Not known before": unknown,
    "Out of sale already": alreadyOut,
    "On orders here": onOrders,
    Invalid: invalid,
  });
  if (onOrders === 0) return { json, text };
  return {
    json,
    text,
    failure:
      `error: ${onOrders} of these codes are on orders here: unless you mean those orders, they were sold twice.\n` +
      `Next step: find the orders since the loss with: ${PROGRAM_NAME} after-loss --since TIME --dry-run — and ask their buyers.`,
  };
}

async function writeCodes({ stock }: Services, id: SegmentId, path: string): Promise<Report> {
  const { productId, count, codes } = await stock.codesAside(id);
  const file = await open(path, "wx", 0o600).catch((error: unknown) => {
    throw unreadableFile(path, error, "give the path of a file that does not exist yet.");
  });
  let written = 0;
  try {
    for await (const code of codes) {
      await file.write(`${code}\n`);
      written += 1;
    }
  } finally {
    await file.close();
  }
  const json = { segmentId: id, productId, written, unreadable: count - written };
  return {
    json,
    text: details({ Segment: id, Product: productId, Written: written, "Cannot be opened": json.unreadable }),
  };
}
