import type { Command } from "commander";
import { LEVELS, type Level } from "../accounts/level.ts";
import { DEFAULT_STOCK_CAP, type LevelPrices, type Product } from "../catalog/product.ts";
import { type AmountOrNone, amountOrNone, orNull, productId, text, wholeNumber } from "./arguments.ts";
import { addCommand, addGroup, PROGRAM_NAME, type Run } from "./command.ts";
import { OperatorError } from "./explain-error.ts";
import { details, isoTime, optionalUsd, type Report, table } from "./report.ts";

const MAX_STOCK_CAP = 1_000_000_000;

interface CreateOptions {
  id: string;
  name: string;
  redeemUrl: string;
  slug?: string;
  stockCap?: number;
}

type PriceOptions = Partial<Record<"all" | `level${Level}`, AmountOrNone>>;

/** `product create|price|list|enable|disable|redeem-url`. */
export function addProductCommands(program: Command, run: Run): void {
  const group = addGroup(program, "product", "what is sold");
  addCreate(group, run);
  addPrice(group, run);

  addCommand(group, "list", "all products with their prices and stock", [
    "product list",
    "product list --json",
  ]).action(() => run(async ({ products }) => productList(await products.list())));

  addCommand(group, "enable", "put a product on sale", ["product enable gift-card-10"])
    .argument("<product-id>", "the product's id", productId)
    .action((id: string) => run(async ({ products }) => productReport(await products.setEnabled(id, true))));

  addCommand(group, "disable", "take a product out of sale", ["product disable gift-card-10"])
    .argument("<product-id>", "the product's id", productId)
    .action((id: string) => run(async ({ products }) => productReport(await products.setEnabled(id, false))));

  addCommand(group, "redeem-url", "change where codes are redeemed, for orders from now on", [
    "product redeem-url gift-card-10 https://redeem.example/gift",
  ])
    .argument("<product-id>", "the product's id", productId)
    .argument("<url>", "an absolute http or https URL", text)
    .action((id: string, url: string) =>
      run(async ({ products }) => productReport(await products.setRedeemUrl(id, url))),
    );
}

function addCreate(group: Command, run: Run): void {
  addCommand(group, "create", "add a product that sells imported codes; price it next", [
    'product create --id gift-card-10 --name "Gift card 10" --redeem-url https://redeem.example/gift',
  ])
    .requiredOption("--id <id>", "the key that buyers use; it stays for ever", productId)
    .requiredOption("--name <name>", "what buyers read", text)
    .requiredOption("--redeem-url <url>", "where the end user redeems a code", text)
    .option("--slug <slug>", "a short name for URLs", text)
    .option(
      "--stock-cap <number>",
      `the largest stock that buyers are shown (default: ${DEFAULT_STOCK_CAP})`,
      wholeNumber(1, MAX_STOCK_CAP),
    )
    .action(({ id, ...rest }: CreateOptions) =>
      run(async ({ products }) => productReport(await products.create({ productId: id, ...rest }))),
    );
}

function addPrice(group: Command, run: Run): void {
  const command = addCommand(group, "price", "set unit prices in whole cents; levels not named stay", [
    "product price gift-card-10 --all 9.50",
    "product price gift-card-10 --level1 10 --level2 9.75 --level3 9.50 --level4 9.25 --level5 9",
    "product price gift-card-10 --level1 none",
  ])
    .argument("<product-id>", "the product's id", productId)
    .option("--all <usd|none>", "the price of every level; none: not sold", amountOrNone);
  for (const level of LEVELS) {
    command.option(`--level${level} <usd|none>`, `the price of level ${level}; none: not sold`, amountOrNone);
  }
  command.action((id: string, options: PriceOptions) => {
    const prices = pricesOf(id, options);
    return run(async ({ products }) => productReport(await products.setPrices(id, prices)));
  });
}

function pricesOf(id: string, { all, ...options }: PriceOptions): Partial<LevelPrices> {
  const levels = LEVELS.flatMap((level) => {
    const price = options[`level${level}`];
    return price === undefined ? [] : [[level, orNull(price)] as const];
  });
  if ((all === undefined) === (levels.length === 0)) {
    throw new OperatorError(
      all === undefined ? "No price was given." : "--all and the prices of single levels exclude each other.",
      `give one or the other, such as: ${PROGRAM_NAME} product price ${id} --all 9.50`,
    );
  }
  return Object.fromEntries(all === undefined ? levels : LEVELS.map((level) => [level, orNull(all)]));
}

function productReport(product: Product): Report {
  const json = productJson(product);
  const text = details({
    Product: json.productId,
    Name: json.name,
    Slug: json.slug,
    Enabled: yesOrNo(json.enabled),
    "Redeem URL": json.redeemUrl,
    "Stock cap": json.stockCap,
    ...Object.fromEntries(
      LEVELS.map((level) => [`Level ${level} USD`, json.prices[`level${level}`] ?? "not sold"]),
    ),
    Created: json.createdAt,
  });
  return { json, text };
}

function productList(catalog: readonly { product: Product; remaining: number }[]): Report {
  const json = catalog.map(({ product, remaining }) => ({ ...productJson(product), stock: remaining }));
  const rows = json.map(({ productId, name, enabled, stock, prices }) => [
    productId,
    name,
    yesOrNo(enabled),
    stock,
    ...LEVELS.map((level) => prices[`level${level}`]),
  ]);
  const headings = ["Product", "Name", "Enabled", ">Stock", ...LEVELS.map((level) => `>Level ${level} USD`)];
  return { json, text: table(headings, rows, "There are no products yet.") };
}

function productJson(product: Product) {
  const price = (level: Level) => optionalUsd(product.prices[level]);
  return {
    productId: product.productId,
    name: product.name,
    slug: product.slug,
    redeemUrl: product.redeemUrl,
    enabled: product.enabled,
    stockMode: product.stockMode,
    stockCap: product.stockCap,
    prices: { level1: price(1), level2: price(2), level3: price(3), level4: price(4), level5: price(5) },
    createdAt: isoTime(product.createdAtMs),
  };
}

function yesOrNo(value: boolean): string {
  return value ? "yes" : "no";
}
