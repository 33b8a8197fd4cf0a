import { type Command, Option } from "commander";
import type { Services } from "../compose.ts";
import type { AccountId, OrderId } from "../ids.ts";
import { formatUsd } from "../money/microcents.ts";
import type { Order } from "../orders/order.ts";
import { ORDER_STATUSES, type OrderStatus } from "../orders/order-status.ts";
import { accountId, orderId, productId, text, wholeNumber } from "./arguments.ts";
import { addCommand, addGroup, type Run } from "./command.ts";
import { orderJson, orderReport } from "./order-report.ts";
import { type Report, table } from "./report.ts";
import { addUnfinishedOrderCommands } from "./unfinished-order-commands.ts";

const MAX_ORDERS = 100_000;
const DEFAULT_ORDERS = 50;
const EXAMPLE_ID = "ord_01938c8e6f2b7c3e9a4d5f6071829304";
const EXAMPLE_ACCOUNT = "acc_01938c8e6f2b7c3e9a4d5f6071829304";

interface ListOptions {
  account?: AccountId;
  product?: string;
  status?: OrderStatus;
  limit: number;
}

/** `order list|show|refund|stuck|resolve|give-up`. Codes are the buyer's: none of these commands reads them. */
export function addOrderCommands(program: Command, run: Run): void {
  const group = addGroup(program, "order", "what was bought");

  addCommand(group, "list", "orders, newest first", [
    "order list",
    `order list --account ${EXAMPLE_ACCOUNT} --status delivered --limit 200`,
  ])
    .option("--account <id>", "only orders of this account", accountId)
    .option("--product <id>", "only orders of this product", productId)
    .addOption(new Option("--status <status>", "only orders in this state").choices(ORDER_STATUSES))
    .option("--limit <number>", "how many orders", wholeNumber(1, MAX_ORDERS), DEFAULT_ORDERS)
    .action((options: ListOptions) => run(async (services) => listOrders(services, options)));

  addCommand(group, "show", "one order, without its codes", [`order show ${EXAMPLE_ID}`])
    .argument("<order-id>", "the order's id", orderId)
    .action((id: OrderId) => run(async (services) => showOrder(services, id)));

  addCommand(group, "refund", "credit a delivered order's amount and close it; its codes stay sold", [
    `order refund ${EXAMPLE_ID} --reason "codes did not work"`,
  ])
    .argument("<order-id>", "the order's id", orderId)
    .requiredOption("--reason <text>", "why; it is kept in the ledger", text)
    .action((id: OrderId, { reason }: { reason: string }) =>
      run(async (services) => refundOrder(services, id, reason)),
    );

  addUnfinishedOrderCommands(group, run);
}

async function listOrders(
  { accounts, products, orderAdministration }: Services,
  { account, product, status, limit }: ListOptions,
): Promise<Report> {
  // A list of nothing would not tell a mistyped id from an account without orders.
  if (account !== undefined) await accounts.get(account);
  if (product !== undefined) await products.get(product);
  const filter = {
    ...(account === undefined ? {} : { accountId: account }),
    ...(product === undefined ? {} : { productId: product }),
    ...(status === undefined ? {} : { status }),
  };
  return orderList(await orderAdministration.search(filter, limit));
}

async function showOrder({ orderAdministration }: Services, id: OrderId): Promise<Report> {
  return orderReport(await orderAdministration.find(id), await orderAdministration.purchaseOf(id));
}

async function refundOrder(
  { accounts, orderAdministration }: Services,
  id: OrderId,
  reason: string,
): Promise<Report> {
  const { order, repeated } = await orderAdministration.refund(id, reason);
  const { balanceMicrocents } = await accounts.get(order.accountId);
  const balance = formatUsd(balanceMicrocents);
  const told = repeated
    ? "The order had been refunded before; nothing was changed now."
    : `Credited ${formatUsd(order.amountMicrocents)} USD; the account's balance is ${balance} USD.`;
  const { json, text } = orderReport(order, await orderAdministration.purchaseOf(id));
  return { json: { ...json, balance, repeated }, text: `${text}\n\n${told}` };
}

function orderList(orders: readonly Order[]): Report {
  const json = orders.map(orderJson);
  const rows = json.map(({ orderId, createdAt, status, accountId, productId, qty, amount }) => [
    orderId,
    createdAt,
    status,
    accountId,
    productId,
    qty,
    amount,
  ]);
  const headings = ["Order", "Created", "Status", "Account", "Product", ">Quantity", ">Amount USD"];
  return { json, text: table(headings, rows, "There are no such orders.") };
}
