import type { Loss, SupplierFinding } from "../losses/losses.ts";
import { formatUsd } from "../money/microcents.ts";
import type { Difference } from "../orders/reconcile.ts";
import { PROGRAM_NAME } from "./command.ts";
import { isoTime, type JsonValue, printable, type Report, table } from "./report.ts";

/** Something to reconcile: what it is about, what was found, and what to do about it. */
interface Task {
  readonly about: string;
  readonly found: string;
  /** A table of what was found. */
  readonly shown: string | null;
  readonly items: readonly { readonly [name: string]: JsonValue }[];
  readonly nextSteps: readonly string[];
}

/** What an operator is told after a loss: what was set aside, and everything that is to be reconciled. */
export function lossReport(loss: Loss, { dryRun }: { dryRun: boolean }): Report {
  const tasks = [
    stockTask(loss, dryRun),
    importsTask(),
    ordersHereTask(loss),
    lostOrdersTask(loss),
    ...loss.suppliers.map((finding) => supplierTask(finding, loss)),
    unfinishedTask(loss),
    moneyTask(loss),
    callsTask(loss),
    keysTask(loss),
    settingsTask(loss),
  ];
  const since = isoTime(loss.sinceMs);
  const json = {
    since,
    newestRow: isoTime(loss.newestMs),
    dryRun,
    codesSetAside: codesOf(loss),
    tasks: tasks.map(({ about, found, items, nextSteps }) => ({ about, found, items, nextSteps })),
  };
  const newest =
    json.newestRow === null ? "The database has no rows." : `The newest row is of ${json.newestRow}.`;
  const head = `Commits since ${since} may be lost. ${newest}${dryRun ? " Nothing was changed: --dry-run." : ""}`;
  return { json, text: [head, ...tasks.map(taskText)].join("\n\n") };
}

function taskText({ about, found, shown, nextSteps }: Task, index: number): string {
  const steps = nextSteps.map((step) => `   - ${step}`).join("\n");
  const rows = shown === null ? "" : `\n${shown.replaceAll(/^/gm, "   ")}`;
  return `${index + 1}. ${about.replaceAll("_", " ")}: ${found}${rows}\n${steps}`;
}

function codesOf({ segments }: Loss): number {
  return segments.reduce((sum, { maybeSold }) => sum + maybeSold, 0);
}

function stockTask(loss: Loss, dryRun: boolean): Task {
  const items = loss.segments.map(({ segmentId, productId, before, maybeSold, forSale }) => ({
    segmentId,
    productId,
    before,
    maybeSold,
    forSale,
  }));
  const verb = dryRun ? "would be" : "are";
  return {
    about: "stock",
    found: `${codesOf(loss)} codes may have been sold, and ${verb} set aside.`,
    shown: tableOf(["Segment", "Product", "Before", ">May be sold", ">For sale"], items),
    items,
    nextSteps: [
      `write what is set aside to a file, and ask who issues the codes which of them are redeemed: ${PROGRAM_NAME} stock codes SEGMENT --to codes.txt`,
      `take out what is known to be sold, from answers that buyers kept and from the issuer: ${PROGRAM_NAME} stock mark-sold --product ID --file sold.txt`,
      `sell again what is known to be unsold: ${PROGRAM_NAME} stock reopen --product ID --unsold unsold.txt — or all that is left: --rest`,
      `give up what nobody can tell: ${PROGRAM_NAME} stock recall SEGMENT`,
    ],
  };
}

function importsTask(): Task {
  return {
    about: "imports",
    found: "imports of the lost time are gone, with their codes; some of these may have been sold.",
    shown: null,
    items: [],
    nextSteps: [
      `before you repeat such an import, make what was sold of it known, and it is skipped: ${PROGRAM_NAME} stock mark-sold --product ID --file sold.txt`,
      "recalls and reopenings of the lost time are gone as well; what they were about is set aside now.",
    ],
  };
}

function ordersHereTask({ orders, orderCount }: Loss): Task {
  const items = orders.map((order) => ({
    orderId: order.orderId,
    accountId: order.accountId,
    productId: order.productId,
    qty: order.qty,
    status: order.status,
    createdAt: isoTime(order.createdAtMs),
  }));
  const more = orderCount - items.length;
  return {
    about: "orders_here",
    found: `${orderCount} orders from stock since then are in the database${more > 0 ? `; the first ${items.length}` : ""}.`,
    shown: tableOf(["Order", "Account", "Product", ">Quantity", "Status", "Created"], items),
    items,
    nextSteps: [
      "what was sold before the loss is in order. If the shop has sold since the loss, the codes of these orders may have been handed out in the lost time too: ask their buyers, and refund what does not work:",
      `${PROGRAM_NAME} order refund ORDER --reason "sold twice after a loss"`,
    ],
  };
}

function lostOrdersTask({ lasting }: Loss): Task {
  return {
    about: "lost_orders",
    found:
      "orders of the lost time are gone, with their charges: their buyers have codes, and their money back.",
    shown: null,
    items: [],
    nextSteps: [
      `ask the buyers (${lasting.accounts} accounts) for orders since then that GET /orders does not show, with their codes, before they repeat any: an order that is repeated is a new one, with other codes and charged again`,
      `charge what was delivered and lost: ${PROGRAM_NAME} adjust --account ID --amount -20.00 --reference lost-ORDER --note "lost order" — may be repeated`,
      `mark its codes sold: ${PROGRAM_NAME} stock mark-sold --product ID --file sold.txt`,
    ],
  };
}

function supplierTask({ supplierId, missingHere, fault }: SupplierFinding, { sinceMs }: Loss): Task {
  const items = missingHere.map(differenceJson);
  const window = `--from ${isoTime(sinceMs)} --to TIME`;
  const again = `${PROGRAM_NAME} reconcile --supplier ${supplierId} ${window}`;
  if (fault !== null) {
    return {
      about: "purchases",
      found: `the supplier ${supplierId} could not be asked: ${printable(fault)}`,
      shown: null,
      items,
      nextSteps: [`ask it when it answers: ${again}`],
    };
  }
  return {
    about: "purchases",
    found: `the supplier ${supplierId} has delivered ${items.length} orders that are not delivered here.`,
    shown: tableOf(["Order", "Here", "Supplier's order", ">Cost USD"], items),
    items,
    nextSteps: [
      "what is processing or retryable here is delivered when it is taken up or sent again, and needs nothing;",
      "what is unknown or failed here was sold to a buyer whose order is lost (see lost orders), or is paid for and lies there: ask the supplier for its codes, or for the money;",
      `orders of the last minute are not compared; look once more later: ${again}`,
    ],
  };
}

function differenceJson({ requestId, here, there }: Difference) {
  return {
    requestId,
    here: here?.status ?? "unknown",
    supplierOrderId: there?.supplierOrderId ?? null,
    cost: there === null ? null : formatUsd(there.amountMicrocents),
  };
}

function unfinishedTask({ unfinished: { processing, retryable } }: Loss): Task {
  return {
    about: "unfinished_orders",
    found: `${processing} orders are processing and ${retryable} retryable again, as they were.`,
    shown: null,
    items: [],
    nextSteps: [
      "nothing: they are taken up again under the same ids, under which a supplier sells nothing twice",
    ],
  };
}

function moneyTask({ sinceMs, lasting }: Loss): Task {
  return {
    about: "money",
    found: `top-ups, adjustments and refunds since ${isoTime(sinceMs)} may be lost, of ${lasting.accounts} accounts.`,
    shown: null,
    items: [],
    nextSteps: [
      `repeat each of them from your own records, with the same --reference; what is there already changes nothing: ${PROGRAM_NAME} top-up --account ID --amount 250.00 --reference REFERENCE`,
      `repeat refunds: ${PROGRAM_NAME} order refund ORDER --reason TEXT`,
      "accounts that were opened since are gone with their keys and orders: open them again",
    ],
  };
}

function callsTask({ sinceMs, lasting }: Loss): Task {
  return {
    about: "calls",
    found: `calls to models since ${isoTime(sinceMs)} may be lost with their charges; ${lasting.runningCalls} count as running.`,
    shown: null,
    items: [],
    nextSteps: [
      "those that count as running are ended by themselves, charged for what was recorded of them",
      `compare what the upstream bills for that time with ${PROGRAM_NAME} usage --account ID; what is to be charged: ${PROGRAM_NAME} adjust`,
    ],
  };
}

function keysTask({ lasting }: Loss): Task {
  return {
    about: "keys",
    found: `keys that were revoked since, and accounts that were suspended, live again; ${lasting.activeKeys} keys are active.`,
    shown: null,
    items: [],
    nextSteps: [
      `repeat each revocation and suspension before the shop is reached again: ${PROGRAM_NAME} key revoke KEY, ${PROGRAM_NAME} account suspend ACCOUNT`,
      "keys that were made since are gone, and their holders get 401: make new ones",
    ],
  };
}

function settingsTask({ sinceMs }: Loss): Task {
  return {
    about: "prices",
    found: `prices, products, models and suppliers are as they were at ${isoTime(sinceMs)}.`,
    shown: null,
    items: [],
    nextSteps: [
      `look, and set again what was changed since: ${PROGRAM_NAME} product list, ${PROGRAM_NAME} model list, ${PROGRAM_NAME} supplier list`,
    ],
  };
}

function tableOf(headings: readonly string[], items: readonly { readonly [name: string]: JsonValue }[]) {
  if (items.length === 0) return null;
  return table(
    headings,
    items.map((item) => Object.values(item).map((value) => (value === null ? null : String(value)))),
    "",
  );
}
