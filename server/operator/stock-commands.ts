import type { Command } from "commander";
import type { Services } from "../compose.ts";
import type { SegmentId } from "../ids.ts";
import type { ImportResult } from "../stock/import.ts";
import { remainingIn, type Segment } from "../stock/segment.ts";
import { productId, segmentId, text } from "./arguments.ts";
import { openCodeSource } from "./code-source.ts";
import { addCommand, addGroup, type Run, type Streams } from "./command.ts";
import { importStock, summary } from "./import-stock.ts";
import { details, isoTime, type Report, table } from "./report.ts";
import { addAsideCommands } from "./set-aside-commands.ts";

const EXAMPLE_ID = "seg_01938c8e6f2b7c3e9a4d5f6071829304";

interface ImportOptions {
  product: string;
  file: string;
}

/** `stock import|list|recall|reopen|mark-sold|codes`. */
export function addStockCommands(program: Command, run: Run): void {
  const group = addGroup(program, "stock", "the codes of a product, in segments: one per import");

  addCommand(group, "import", "import codes, one a line; they go on sale together when all are in", [
    "stock import --product gift-card-10 --file codes.txt",
    "stock import --product gift-card-10 --file - < codes.txt",
  ])
    .requiredOption("--product <id>", "the product that they belong to", productId)
    .requiredOption("--file <path>", "a UTF-8 text file of any size; - reads standard input", text)
    .addHelpText(
      "after",
      "\nA code that the product has or had is skipped, so the same file can be imported again after a fault.",
    )
    .action((options: ImportOptions) => run((services, streams) => importFile(services, streams, options)));

  addCommand(group, "list", "a product's segments, oldest first", ["stock list --product gift-card-10"])
    .requiredOption("--product <id>", "the product", productId)
    .action(({ product }: { product: string }) =>
      run(async ({ products, stock }) => {
        await products.get(product);
        return segmentList(await stock.list(product));
      }),
    );

  addCommand(group, "recall", "take what is left of an import out of sale, for good", [
    `stock recall ${EXAMPLE_ID}`,
  ])
    .argument("<segment-id>", "the segment's id", segmentId)
    .action((id: SegmentId) => run(async ({ stock }) => recallReport(await stock.recall(id))));

  addAsideCommands(group, run);
}

async function importFile(
  { products, stock }: Services,
  { stdin, stderr }: Streams,
  { product, file }: ImportOptions,
): Promise<Report> {
  await products.get(product);
  const source = await openCodeSource(file, stdin);
  try {
    return importReport(product, await importStock({ stock, productId: product, source, stderr }));
  } finally {
    await source.close();
  }
}

function importReport(productId: string, result: ImportResult): Report {
  const { segmentId, imported, duplicates, invalid } = result;
  const lines = [
    `${summary(result)}.`,
    segmentId === null
      ? "No code was new, so nothing changed."
      : `They are in stock now as segment ${segmentId}.`,
  ];
  if (invalid > 0) {
    lines.push("Invalid are lines of more than 2,000 bytes, with control characters, or that are not UTF-8.");
  }
  return { json: { productId, segmentId, imported, duplicates, invalid }, text: lines.join("\n") };
}

function segmentList(segments: readonly Segment[]): Report {
  const json = segments.map(segmentJson);
  const rows = json.map(({ segmentId, state, codes, sold, remaining, createdAt, lostSince }) => [
    segmentId,
    state,
    codes,
    sold,
    remaining,
    createdAt,
    lostSince,
  ]);
  const headings = ["Segment", "State", ">Codes", ">Sold", ">For sale", "Created", "Sales lost since"];
  return { json, text: table(headings, rows, "The product has no codes yet.") };
}

function recallReport(segment: Segment): Report {
  const recalled = Number(segment.endSequence - segment.nextSequence);
  const json = { ...segmentJson(segment), recalled };
  const text = details({
    Segment: json.segmentId,
    Product: json.productId,
    State: json.state,
    Codes: json.codes,
    Sold: json.sold,
    Recalled: recalled,
  });
  return { json, text };
}

function segmentJson(segment: Segment) {
  const { firstSequence, nextSequence, endSequence } = segment;
  return {
    segmentId: segment.segmentId,
    productId: segment.productId,
    state: segment.state,
    codes: Number(endSequence - firstSequence),
    sold: Number(nextSequence - firstSequence),
    remaining: remainingIn(segment),
    createdAt: isoTime(segment.createdAtMs),
    lostSince: isoTime(segment.lostSinceMs),
  };
}
