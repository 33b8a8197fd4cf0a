import { type Command, Option } from "commander";
import { LEVELS, type Level } from "../accounts/level.ts";
import { DEFAULT_STOCK_CAP, type LevelPrices, type NewProduct, type Supply } from "../catalog/product.ts";
import type { Microcents } from "../money/microcents.ts";
import type { StockMode } from "../stock/stock-mode.ts";
import {
  type AmountOrNone,
  amount,
  amountOrNone,
  orNull,
  productId,
  text,
  wholeNumber,
} from "./arguments.ts";
import { addCommand, addGroup, PROGRAM_NAME, type Run } from "./command.ts";
import { OperatorError } from "./explain-error.ts";
import { productList, productReport, stockedReport } from "./product-report.ts";

const MAX_STOCK_CAP = 1_000_000_000;
const STOCK_MODES: readonly StockMode[] = ["inventory", "on_demand"];
const SUPPLY_EXAMPLE = "--supplier codes-inc --supplier-product ai-1m --max-cost 8.50";

interface SupplyOptions {
  supplier?: string;
  supplierProduct?: string;
  maxCost?: Microcents;
}

interface CreateOptions extends SupplyOptions {
  id: string;
  name: string;
  stockMode: StockMode;
  redeemUrl?: string;
  slug?: string;
  stockCap?: number;
}

type PriceOptions = Partial<Record<"all" | `level${Level}`, AmountOrNone>>;

/** `product create|price|supply|list|show|enable|disable|redeem-url`. */
export function addProductCommands(program: Command, run: Run): void {
  const group = addGroup(program, "product", "what is sold");
  addCreate(group, run);
  addPrice(group, run);
  addSupply(group, run);
  addLists(group, run);

  addCommand(group, "enable", "put a product on sale", ["product enable gift-card-10"])
    .argument("<product-id>", "the product's id", productId)
    .action((id: string) => run(async ({ products }) => productReport(await products.setEnabled(id, true))));

  addCommand(group, "disable", "take a product out of sale", ["product disable gift-card-10"])
    .argument("<product-id>", "the product's id", productId)
    .action((id: string) => run(async ({ products }) => productReport(await products.setEnabled(id, false))));

  addCommand(group, "redeem-url", "change where codes are redeemed, for orders from now on", [
    "product redeem-url gift-card-10 https://redeem.example/gift",
    "product redeem-url ai-month none",
  ])
    .argument("<product-id>", "the product's id", productId)
    .argument("<url|none>", "an absolute http or https URL; none: the supplier's, if bought on demand", text)
    .action((id: string, url: string) =>
      run(async ({ products }) =>
        productReport(await products.setRedeemUrl(id, url === "none" ? null : url)),
      ),
    );
}

function addCreate(group: Command, run: Run): void {
  const command = addCommand(
    group,
    "create",
    "add a product that sells imported codes, or buys them when they are ordered; price it next",
    [
      'product create --id gift-card-10 --name "Gift card 10" --redeem-url https://redeem.example/gift',
      `product create --id ai-month --name "AI, 1 month" --stock-mode on_demand ${SUPPLY_EXAMPLE}`,
    ],
  )
    .requiredOption("--id <id>", "the key that buyers use; it stays for ever", productId)
    .requiredOption("--name <name>", "what buyers read", text)
    .addOption(
      new Option("--stock-mode <mode>", "inventory sells imported codes; on_demand buys them from a supplier")
        .choices(STOCK_MODES)
        .default("inventory"),
    )
    .option(
      "--redeem-url <url>",
      "where the end user redeems a code; without it orders bought on demand carry the supplier's",
      text,
    )
    .option("--slug <slug>", "a short name for URLs", text)
    .option(
      "--stock-cap <number>",
      `the largest stock that buyers are shown (default: ${DEFAULT_STOCK_CAP})`,
      wholeNumber(1, MAX_STOCK_CAP),
    );
  addSupplyOptions(command)
    .addHelpText(
      "after",
      "\n--supplier, --supplier-product and --max-cost are for on_demand, which needs them all.",
    )
    .action((options: CreateOptions) => {
      const product = newProduct(options);
      return run(async ({ products }) => productReport(await products.create(product)));
    });
}

function addSupplyOptions(command: Command): Command {
  return command
    .option("--supplier <id>", "who codes are bought from", text)
    .option("--supplier-product <id>", "the product's id at the supplier", text)
    .option(
      "--max-cost <usd>",
      "the most that one code may cost the shop; dearer ones, and those below a hundredth of it, are not bought",
      amount,
    );
}

function newProduct({ id, stockMode, redeemUrl, ...options }: CreateOptions): NewProduct {
  const { supplier, supplierProduct, maxCost, ...rest } = options;
  const product = { ...rest, productId: id, ...(redeemUrl === undefined ? {} : { redeemUrl }) };
  const given = { "--supplier": supplier, "--supplier-product": supplierProduct, "--max-cost": maxCost };
  const named = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const create = `${PROGRAM_NAME} product create --id ${id} --name ${JSON.stringify(rest.name)}`;
  if (stockMode === "on_demand") {
    const supply = supplyOf(options);
    if (isWhole(supply)) return { ...product, supply };
    const missing = Object.keys(given).filter((name) => !named.includes(name));
    throw new OperatorError(
      `A product with --stock-mode on_demand also needs ${missing.join(", ")}.`,
      `name supplier, its product and the most that a code may cost, such as: ${create} --stock-mode on_demand ${SUPPLY_EXAMPLE}`,
    );
  }
  if (named.length > 0) {
    throw new OperatorError(
      `A product that sells imported codes has no supplier, and ${named.join(", ")} was given.`,
      `leave it out, or add --stock-mode on_demand, such as: ${create} --stock-mode on_demand ${SUPPLY_EXAMPLE}`,
    );
  }
  if (redeemUrl === undefined) {
    throw new OperatorError(
      "A product that sells imported codes needs --redeem-url.",
      `say where codes are redeemed, such as: ${create} --redeem-url https://redeem.example/gift`,
    );
  }
  return product;
}

function supplyOf({ supplier, supplierProduct, maxCost }: SupplyOptions): Partial<Supply> {
  return {
    ...(supplier === undefined ? {} : { supplierId: supplier }),
    ...(supplierProduct === undefined ? {} : { supplierProductId: supplierProduct }),
    ...(maxCost === undefined ? {} : { maxUnitCostMicrocents: maxCost }),
  };
}

function isWhole(supply: Partial<Supply>): supply is Supply {
  return Object.keys(supply).length === 3;
}

function addSupply(group: Command, run: Run): void {
  const command = addCommand(
    group,
    "supply",
    "change where an on-demand product is bought, or at what cost, for orders from now on; what is not named stays",
    [
      "product supply ai-month --max-cost 9.00",
      "product supply ai-month --supplier other-codes --supplier-product ai-30-days",
    ],
  ).argument("<product-id>", "the product's id", productId);
  addSupplyOptions(command).action((id: string, options: SupplyOptions) => {
    const changes = supplyOf(options);
    if (Object.keys(changes).length === 0) {
      throw new OperatorError(
        "None of --supplier, --supplier-product and --max-cost was given.",
        `name at least one, such as: ${PROGRAM_NAME} product supply ${id} --max-cost 9.00`,
      );
    }
    return run(async ({ products }) => productReport(await products.setSupply(id, changes)));
  });
}

function addLists(group: Command, run: Run): void {
  addCommand(group, "list", "all products with their prices and stock", [
    "product list",
    "product list --json",
  ]).action(() => run(async ({ products }) => productList(await products.list())));

  addCommand(group, "show", "a product with its prices, stock and supplier", ["product show gift-card-10"])
    .argument("<product-id>", "the product's id", productId)
    .action((id: string) => run(async ({ products }) => stockedReport(await products.stocked(id))));
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
