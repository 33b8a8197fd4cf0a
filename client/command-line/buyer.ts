import { Command, CommanderError, InvalidArgumentError } from "commander";
import { createFileStore } from "../file-store.ts";
import { NoAnswerError } from "../no-answer-error.ts";
import { createOrderingClient, type OrderingClient, type OrderingResult } from "../ordering-client.ts";
import { createPurchases, PurchaseMismatchError, type Purchases } from "../purchases.ts";
import { purchaseReport, type Report, resumeReport } from "./purchase-report.ts";
import { printable, table } from "./table.ts";

/** What a program is run with: the process, or a test's streams. */
export interface BuyerContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Stops a purchase from being repeated. */
  readonly signal?: AbortSignal;
}

interface Shop {
  readonly client: OrderingClient;
  readonly purchases: Purchases;
  readonly options: { readonly signal?: AbortSignal };
}

type Run = (work: (shop: Shop) => Promise<Report>) => Promise<void>;

const PROGRAM_NAME = "npm run -s buyer --";
const DEFAULT_STORE = ".data/buyer";

/** Something that the person at the keyboard has to correct. */
class BuyerError extends Error {}

/**
 * Runs one command of the buyer's command line.
 * @returns the exit code: 0, 1 when it cannot be done, 2 when a purchase is not certain yet.
 */
export async function runBuyer(args: readonly string[], context: BuyerContext): Promise<number> {
  const { stdout, stderr } = context;
  let exitCode = 0;
  const program = new Command(PROGRAM_NAME)
    .description("Buys redemption codes. SHOP_URL and SHOP_API_KEY say where and as whom.")
    .option("--json", "print one JSON value on stdout")
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .addHelpText("after", `\nPurchases are kept in SHOP_STORE (${DEFAULT_STORE}), with their codes.`);
  const run: Run = async (work) => {
    const report = await work(openShop(context));
    const { json } = program.opts<{ json?: true }>();
    stdout.write(`${json ? JSON.stringify(report.json) : report.text}\n`);
    exitCode = report.exitCode;
  };
  addCatalogReads(program, run);
  addOrderReads(program, run);
  addPurchases(program, run);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    return explain(error, stderr);
  }
  return exitCode;
}

function openShop({ env, signal }: BuyerContext): Shop {
  const { SHOP_URL: baseUrl, SHOP_API_KEY: apiKey, SHOP_STORE: folder } = env;
  if (!baseUrl || !apiKey) throw new BuyerError("Set SHOP_URL and SHOP_API_KEY first.");
  if (!URL.canParse(baseUrl)) throw new BuyerError("SHOP_URL is no URL.");
  const client = createOrderingClient({ baseUrl, apiKey });
  const store = createFileStore(folder || DEFAULT_STORE);
  return { client, purchases: createPurchases({ client, store }), options: signal ? { signal } : {} };
}

function addCatalogReads(program: Command, run: Run): void {
  program
    .command("products")
    .description("what is sold, at the price of your level")
    .action(() =>
      run(async ({ client, options }) => {
        const data = dataOf(await client.listProducts(options));
        const rows = data.products.map(({ id, price, stock, stockCapped, availabilityStatus, name }) => [
          id,
          price,
          stock === null ? null : `${stock}${stockCapped ? "+" : ""}`,
          availabilityStatus,
          name,
        ]);
        return found(data, table(["PRODUCT", "USD", "STOCK", "STATUS", "NAME"], rows));
      }),
    );
  program
    .command("balance")
    .description("what can be spent")
    .action(() =>
      run(async ({ client, options }) => {
        const data = dataOf(await client.getBalance(options));
        const { available, balance, reserved, level } = data;
        const headings = ["AVAILABLE", "BALANCE", "RESERVED", "LEVEL"];
        return found(data, table(headings, [[available, balance, reserved, level.level]]));
      }),
    );
  program
    .command("availability")
    .description("whether a quantity of a product can be bought now")
    .argument("<product>")
    .option("--qty <number>", "how many", wholeNumber, 1)
    .action((productId: string, { qty }: { qty: number }) =>
      run(async ({ client, options }) => {
        const data = dataOf(await client.checkAvailability(productId, qty, options));
        const { available, unitPrice, availabilityStatus } = data;
        const row = [data.productId, data.qty, available ? "yes" : "no", unitPrice, availabilityStatus];
        return found(data, table(["PRODUCT", "QTY", "AVAILABLE", "USD EACH", "STATUS"], [row]));
      }),
    );
}

function addOrderReads(program: Command, run: Run): void {
  program
    .command("orders")
    .description("your orders, newest first, without their codes")
    .option("--limit <number>", "how many at most", wholeNumber, 50)
    .option("--id <externalOrderId>", "only the one with this id of yours")
    .action(({ limit, id }: { limit: number; id?: string }) =>
      run(async ({ client, options }) => {
        const query = { limit, ...(id === undefined ? {} : { externalOrderId: id }) };
        const data = dataOf(await client.listOrders(query, options));
        const rows = data.orders.map((order) => [
          order.externalOrderId,
          order.productId,
          order.qty,
          order.amount,
          order.status,
          new Date(order.createdAt * 1000).toISOString(),
        ]);
        return found(data, table(["ID", "PRODUCT", "QTY", "USD", "STATUS", "CREATED"], rows));
      }),
    );
}

function addPurchases(program: Command, run: Run): void {
  program
    .command("buy")
    .description("buys codes, and repeats the order until its outcome is certain")
    .argument("<product>")
    .option("--qty <number>", "how many", wholeNumber, 1)
    .option("--price <usd>", "the unit price to buy at, or not at all")
    .option("--id <externalOrderId>", "an id of your own; with that of a stored purchase, goes on with it")
    .action((productId: string, { qty, price, id }: { qty: number; price?: string; id?: string }) =>
      run(async ({ purchases, options }) => {
        const request = { productId, qty, expectedUnitPrice: price, externalOrderId: id };
        return purchaseReport(await purchases.purchase(request, options));
      }),
    );
  program
    .command("resume")
    .description("finishes every purchase that was begun and whose outcome is not known")
    .action(() =>
      run(async ({ purchases, options }) => resumeReport(await purchases.resumePurchases(options))),
    );
}

function found(json: unknown, text: string): Report {
  return { json, text, exitCode: 0 };
}

function dataOf<Data>({ data, error }: OrderingResult<Data>): Data {
  if (error !== undefined) throw new BuyerError(`${error.error}: ${printable(error.message)}`);
  return data;
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}

function explain(error: unknown, stderr: BuyerContext["stderr"]): number {
  // Commander has said it already.
  if (error instanceof CommanderError) return error.exitCode;
  const isExpected = [BuyerError, NoAnswerError, PurchaseMismatchError, RangeError].some(
    (kind) => error instanceof kind,
  );
  if (!isExpected) throw error;
  const nextStep =
    error instanceof NoAnswerError
      ? "\nCheck that SHOP_URL is the base URL of a shop that runs; it ends in /shop/v1."
      : "";
  stderr.write(`${(error as Error).message}${nextStep}\n`);
  return 1;
}
