import type { OrderingClient } from "../../client/ordering-client.ts";
import { formatDecimalMoney } from "../money/microcents.ts";
import { readBalance, readCatalog, readPage, readQuote, readSuppliedCodes } from "./convert.ts";
import { type Deadline, withDeadline, withRetries } from "./deadline.ts";
import { SupplierNotConfiguredError, SupplierUnavailableError } from "./errors.ts";
import { combineOutcomes, readPurchaseReply } from "./purchase-reply.ts";
import type {
  BalanceOutcome,
  LookUpOutcome,
  PurchaseOutcome,
  PurchaseRequest,
  QuotePurpose,
  SuppliedCodes,
  SupplierAdapter,
  SupplierOrder,
} from "./supplier.ts";
import { type ClientResult, isRateLimited, type Reply, type Transport } from "./transport.ts";

/** How long calls may take, all repetitions included. */
export interface SupplierTimeouts {
  readonly purchaseMs: number;
  /** Quotes, catalogs, look-ups, each page of a history. */
  readonly readMs: number;
}

/** What talking to a supplier in the ordering interface needs. */
export interface OrderingAdapterDependencies {
  readonly client: OrderingClient;
  readonly transport: Transport;
  readonly timeouts: SupplierTimeouts;
}

type Call = (signal: AbortSignal) => Promise<ClientResult>;
type Read<T> = (body: unknown) => T | null;

const PAGE_SIZE = 100;
const NOT_ACCEPTED = new Set([400, 401, 403, 404]);

/**
 * A supplier that speaks the ordering interface, so that one deployment of this service can supply another: the request
 * id is the externalOrderId there, the agreed cost the expectedUnitPrice.
 */
export function createOrderingAdapter(dependencies: OrderingAdapterDependencies): SupplierAdapter {
  const { client } = dependencies;
  return {
    purchase: (request) => purchase(dependencies, request),
    lookUp: (requestId, qty) => lookUp(dependencies, requestId, qty),
    history: (sinceMs) => history(dependencies, sinceMs),
    async quote(id, qty, purpose = "purchase") {
      const params = { path: { id }, query: { qty } };
      const call: Call = (signal) => client.GET("/products/{id}/availability", { params, signal });
      return answerOf(await ask(dependencies, call, readQuote, purpose));
    },
    async catalog() {
      return answerOf(
        await ask(dependencies, (signal) => client.GET("/products", { signal }), readCatalog, "look"),
      );
    },
    async balance(): Promise<BalanceOutcome> {
      const reply = await ask(dependencies, (signal) => client.GET("/balance", { signal }), readBalance);
      if (reply.kind !== "answer") return { kind: "unknown", message: reply.message };
      return { kind: "known", availableMicrocents: reply.value };
    },
  };
}

async function purchase(
  { client, transport, timeouts }: OrderingAdapterDependencies,
  { requestId, supplierProductId, qty, unitCostMicrocents }: PurchaseRequest,
): Promise<PurchaseOutcome> {
  const body = {
    externalOrderId: requestId,
    productId: supplierProductId,
    qty,
    expectedUnitPrice: formatDecimalMoney(unitCostMicrocents),
  };
  const outcomes: PurchaseOutcome[] = [];
  const send = async (signal: AbortSignal) => {
    const reply = await transport.send(
      () => client.POST("/orders", { body, signal }),
      (answer) => readSuppliedCodes(answer, requestId, qty),
    );
    outcomes.push(readPurchaseReply(reply));
    return reply;
  };
  await withDeadline(timeouts.purchaseMs, (deadline) =>
    withRetries(() => send(deadline.signal), retryAfterMs, deadline),
  );
  return combineOutcomes(outcomes);
}

function lookUp(
  dependencies: OrderingAdapterDependencies,
  requestId: string,
  qty: number,
): Promise<LookUpOutcome> {
  const { client, timeouts } = dependencies;
  return withDeadline(timeouts.readMs, async (deadline) => {
    const query = { externalOrderId: requestId };
    const list: Call = (signal) => client.GET("/orders", { params: { query }, signal });
    const page = await askBefore(dependencies, deadline, list, readPage);
    if (page.kind !== "answer") return { kind: "unknown", message: page.message };
    const { orders, nextCursor } = page.value;
    const order = orders.find((listed) => listed.requestId === requestId);
    if (order === undefined) {
      if (orders.length === 0 && nextCursor === null) return { kind: "none" };
      return { kind: "unknown", message: "answered 200 with other orders than were asked for" };
    }
    if (order.status === "processing" || order.status === "retryable") return { kind: order.status };
    if (order.status !== "delivered") return { kind: "closed" };
    const path = { id: order.supplierOrderId };
    const detail: Call = (signal) => client.GET("/orders/{id}", { params: { path }, signal });
    const read: Read<SuppliedCodes> = (body) => readSuppliedCodes(body, requestId, qty);
    const found = await askBefore(dependencies, deadline, detail, read);
    if (found.kind !== "answer") return { kind: "unknown", message: found.message };
    return { kind: "delivered", supplied: found.value };
  });
}

async function* history(
  dependencies: OrderingAdapterDependencies,
  sinceMs: number,
): AsyncGenerator<SupplierOrder> {
  const { client } = dependencies;
  let cursor: string | null = null;
  do {
    const query: { limit: number; cursor?: string } = { limit: PAGE_SIZE };
    if (cursor !== null) query.cursor = cursor;
    const call: Call = (signal) => client.GET("/orders", { params: { query }, signal });
    const page = answerOf(await ask(dependencies, call, readPage));
    for (const order of page.orders) {
      if (order.createdAtMs < sinceMs) return;
      yield order;
    }
    // A list that says it goes on and does not would never end.
    if (page.nextCursor !== null && (page.orders.length === 0 || page.nextCursor === cursor))
      throw new SupplierUnavailableError();
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** Asks for something, again while the supplier is in trouble and there is time. */
function askBefore<T>(
  { transport }: OrderingAdapterDependencies,
  deadline: Deadline,
  call: Call,
  read: Read<T>,
  purpose: QuotePurpose = "purchase",
): Promise<Reply<T>> {
  const again = purpose === "look" ? retryLookAfterMs : retryAfterMs;
  return withRetries(() => transport.send(() => call(deadline.signal), read), again, deadline);
}

function ask<T>(
  dependencies: OrderingAdapterDependencies,
  call: Call,
  read: Read<T>,
  purpose?: QuotePurpose,
): Promise<Reply<T>> {
  return withDeadline(dependencies.timeouts.readMs, (deadline) =>
    askBefore(dependencies, deadline, call, read, purpose),
  );
}

/** @throws {SupplierUnavailableError} @throws {SupplierNotConfiguredError} */
function answerOf<T>(reply: Reply<T>): T {
  if (reply.kind === "answer") return reply.value;
  if (reply.kind !== "error") throw new SupplierUnavailableError();
  const refused = NOT_ACCEPTED.has(reply.status) || reply.errorCode === "supplier_not_configured";
  throw refused ? new SupplierNotConfiguredError() : new SupplierUnavailableError();
}

/** A look is not sent again to a supplier that has too many requests. */
function retryLookAfterMs(reply: Reply<unknown>): number | null {
  return isRateLimited(reply) ? null : retryAfterMs(reply);
}

/** When a request is sent again at the earliest; null for what another sending would not change. */
function retryAfterMs(reply: Reply<unknown>): number | null {
  switch (reply.kind) {
    case "answer":
    case "left-alone":
      return null;
    case "no-connection":
    case "no-answer":
      return 0;
    case "error": {
      const { status, errorCode } = reply;
      const passing = status === 429 || (status >= 500 && errorCode !== "supplier_not_configured");
      return passing ? reply.retryAfterMs : null;
    }
  }
}
