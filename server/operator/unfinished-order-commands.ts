import type { Command } from "commander";
import type { Services } from "../compose.ts";
import type { OrderId } from "../ids.ts";
import { formatUsd, microcents } from "../money/microcents.ts";
import { checkProcessing } from "../orders/claim-processing.ts";
import type { Order } from "../orders/order.ts";
import { STUCK_AFTER_MS } from "../orders/order-administration.ts";
import type { Purchase } from "../orders/purchase.ts";
import type { Resolution } from "../orders/resolve-order.ts";
import type { ProcessingOrder } from "../orders/unfinished-store.ts";
import { orderId, wholeNumber } from "./arguments.ts";
import { addCommand, PROGRAM_NAME, type Run } from "./command.ts";
import { orderReport } from "./order-report.ts";
import { isoTime, printable, type Report, table } from "./report.ts";

const EXAMPLE_ID = "ord_01938c8e6f2b7c3e9a4d5f6071829304";
const MAX_ORDERS = 100_000;
const MAX_MINUTES = 1_000_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const GIVE_UP_WARNING = `Warning: the supplier may have delivered, or may yet, and is not asked before the order is closed. What it
took for the order is then paid for nothing: ask the supplier about the order, or run reconcile over the
day when it was placed, and have the money paid back. The buyer is not charged and needs a new externalOrderId.
Only for an order that order resolve cannot end: its supplier is gone, delivers a code that was sold before, or
never gives an answer that can be read.`;

/** `order stuck|resolve|give-up`: orders whose purchase has no result yet. */
export function addUnfinishedOrderCommands(group: Command, run: Run): void {
  addCommand(group, "stuck", "orders that have been processing for too long, the longest first", [
    "order stuck",
    "order stuck --older-than 5",
  ])
    .option(
      "--older-than <minutes>",
      "how long they have been processing at least",
      wholeNumber(0, MAX_MINUTES),
      STUCK_AFTER_MS / MINUTE_MS,
    )
    .action(({ olderThan }: { olderThan: number }) =>
      run(async ({ orderAdministration }) =>
        stuckList(await orderAdministration.processingFor(olderThan * MINUTE_MS, MAX_ORDERS)),
      ),
    );

  addCommand(group, "resolve", "ask the supplier what became of a processing order, and settle it", [
    `order resolve ${EXAMPLE_ID}`,
  ])
    .argument("<order-id>", "the order's id", orderId)
    .addHelpText(
      "after",
      "\nNothing is bought: the supplier is only asked. Exit code 1 when its answer settles nothing yet.",
    )
    .action((id: OrderId) => run(async (services) => resolve(services, id)));

  addCommand(group, "give-up", "close a processing order that nothing can end; its buyer is not charged", [
    `order give-up ${EXAMPLE_ID}`,
    `order give-up ${EXAMPLE_ID} --yes`,
  ])
    .argument("<order-id>", "the order's id", orderId)
    .option("--yes", "do it; without this the command only says what would happen, and ends with exit code 1")
    .addHelpText("after", `\n${GIVE_UP_WARNING}`)
    .action((id: OrderId, { yes = false }: { yes?: boolean }) =>
      run(async (services) => (yes ? giveUp(services, id) : announceGivingUp(services, id))),
    );
}

function stuckList(orders: readonly ProcessingOrder[]): Report {
  const json = orders.map((order) => ({
    orderId: order.orderId,
    accountId: order.accountId,
    productId: order.productId,
    qty: order.qty,
    held: formatUsd(order.amountMicrocents),
    supplierId: order.supplierId,
    attempts: order.attempts,
    processingSince: isoTime(order.processingSinceMs),
    underWay: order.leased,
    nextAttempt: isoTime(order.dueAtMs),
  }));
  const rows = json.map(({ underWay, nextAttempt, ...order }) => [
    order.orderId,
    order.accountId,
    order.productId,
    order.qty,
    order.held,
    order.supplierId,
    order.attempts,
    order.processingSince,
    underWay ? "under way" : nextAttempt,
  ]);
  const headings = [
    "Order",
    "Account",
    "Product",
    ">Quantity",
    ">Held USD",
    "Supplier",
    ">Attempts",
    "Processing since",
    "Next attempt",
  ];
  if (orders.length === 0) return { json, text: "There are no such orders." };
  const held = formatUsd(
    microcents(orders.reduce((sum, { amountMicrocents }) => sum + amountMicrocents, 0n)),
  );
  const count = orders.length === 1 ? "1 order" : `${orders.length} orders`;
  const text = `${table(headings, rows, "")}\n\n${count}, ${held} USD held. Next step: ${PROGRAM_NAME} order resolve ID`;
  return { json, text };
}

async function resolve({ orderAdministration }: Services, id: OrderId): Promise<Report> {
  const resolution = await orderAdministration.resolve(id);
  const { order, purchase, answer, faults } = resolution;
  const { json, text } = orderReport(order, purchase);
  const report = {
    json: { ...json, answer: answer?.kind ?? null, faults },
    text: `${text}\n\n${printable(outcome(resolution))}`,
  };
  if (order.status !== "processing") return report;
  return {
    ...report,
    failure: `error: nothing is certain yet; the order is still processing and its amount held.\nNext step: ${nextStep(resolution)}`,
  };
}

async function giveUp({ orderAdministration }: Services, id: OrderId): Promise<Report> {
  const { order, purchase } = await orderAdministration.giveUp(id);
  const { json, text } = orderReport(order, purchase);
  const told =
    `The order is closed. ${formatUsd(order.amountMicrocents)} USD are held no longer; the buyer was not charged and ` +
    `needs a new externalOrderId.\n${printable(afterGivingUp(order, purchase))}`;
  return { json: { ...json, givenUp: true }, text: `${text}\n\n${told}` };
}

async function announceGivingUp({ orderAdministration }: Services, id: OrderId): Promise<Report> {
  const [order, purchase] = await Promise.all([
    orderAdministration.find(id),
    orderAdministration.purchaseOf(id),
  ]);
  checkProcessing(order, "given up");
  const { json, text } = orderReport(order, purchase);
  return {
    json: { ...json, givenUp: false },
    text: `${text}\n\nIt would be closed, and ${formatUsd(order.amountMicrocents)} USD held no longer.\n${GIVE_UP_WARNING}`,
    failure:
      "error: nothing was changed: --yes was not given.\n" +
      `Next step: ask the supplier once more: ${PROGRAM_NAME} order resolve ${id} — ` +
      `and only if that never ends it: ${PROGRAM_NAME} order give-up ${id} --yes`,
  };
}

function afterGivingUp({ orderId, createdAtMs }: Order, { supplierId }: Purchase): string {
  const [from, to] = [createdAtMs, createdAtMs + DAY_MS].map((ms) => isoTime(ms)?.slice(0, 10));
  return (
    `The supplier ${supplierId} may have delivered: ask it about our order ${orderId}, or run: ` +
    `${PROGRAM_NAME} reconcile --supplier ${supplierId} --from ${from} --to ${to}`
  );
}

/** What happened, and what it means. */
function outcome(resolution: Resolution): string {
  const { order, purchase } = resolution;
  const amount = `${formatUsd(order.amountMicrocents)} USD`;
  switch (order.status) {
    case "delivered":
      return `The supplier had delivered. The codes are stored and ${amount} are charged; the buyer gets the codes by sending the same order again, or from GET /orders/${order.orderId}.`;
    case "retryable":
      return `Nothing was bought. ${amount} are held no longer; the buyer may send the same order again until ${isoTime(purchase.dueAtMs)}, then it is closed.`;
    case "failed":
      return `Nothing was bought, and nothing can be under this order any more: it is closed. ${amount} are held no longer; the buyer needs a new externalOrderId.`;
    default:
      return `${supplierSays(resolution)} The order is taken up again at ${isoTime(purchase.dueAtMs)}.`;
  }
}

function supplierSays({ answer, faults, purchase: { supplierId } }: Resolution): string {
  const fault = faults.length === 0 ? "" : ` But: ${faults.join("; ")}.`;
  switch (answer?.kind) {
    case undefined:
      return `The supplier ${supplierId} could not be asked: it is not set up, or its API key cannot be read.${fault}`;
    case "delivered":
      return `The supplier ${supplierId} has delivered.${fault}`;
    case "processing":
      return `The supplier ${supplierId} is still busy with the order.${fault}`;
    case "retryable":
    case "closed":
      return `The supplier ${supplierId} has bought nothing so far, but an earlier request may still arrive there.${fault}`;
    case "none":
      return `The supplier ${supplierId} does not know the order, but an earlier request may still arrive there.${fault}`;
    case "unknown":
      return `The supplier ${supplierId} gave no answer that could be used: ${answer.message}.${fault}`;
  }
}

function nextStep({ answer, purchase, order }: Resolution): string {
  const show = `${PROGRAM_NAME} supplier show ${purchase.supplierId}`;
  const lastResort = `If nothing can ever end it: ${PROGRAM_NAME} order give-up ${order.orderId}`;
  if (answer === null) return `see that the supplier is set up: ${show} — then run this again. ${lastResort}`;
  if (answer.kind === "delivered") {
    return `if its redeem URL is missing, set the product's own: ${PROGRAM_NAME} product redeem-url ${order.productId} URL; otherwise ask the supplier about order ${answer.supplied.supplierOrderId}. ${lastResort}`;
  }
  const again = `run this again after ${isoTime(purchase.dueAtMs)}.`;
  switch (answer.kind) {
    case "unknown":
      return `see that the supplier answers: ${show} — then ${again} ${lastResort}`;
    case "processing":
      return `${again} ${lastResort}`;
    default:
      return again;
  }
}
