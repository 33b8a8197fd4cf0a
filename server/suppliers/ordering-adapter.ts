import { DelegateBackoff, handleWhenResult, retry } from "cockatiel";
import type { OrderingClient } from "../../client/ordering-client.ts";
import { formatDecimalMoney } from "../money/microcents.ts";
import {
  type ReadPage,
  readCatalog,
  readErrorCode,
  readOrder,
  readPage,
  readQuote,
  toSuppliedCodes,
  toSupplierOrder,
} from "./convert.ts";
import { SupplierNotConfiguredError, SupplierUnavailableError } from "./errors.ts";
import { readPurchaseReply, type SendingOutcome } from "./purchase-reply.ts";
import type { LookUpOutcome, PurchaseOutcome, PurchaseRequest, SupplierAdapter } from "./supplier.ts";
import type { ClientResult, Reply, Transport } from "./transport.ts";

/** How long calls may take, all repetitions included. */
export interface SupplierTimeouts {
  readonly purchaseMs: number;
  /** Quotes, catalogs, look-ups, each page of a history. */
  readonly readMs: number;
}

interface Options {
  readonly client: OrderingClient;
  readonly transport: Transport;
  readonly timeouts: SupplierTimeouts;
}

const MAX_REPETITIONS = 4;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
const PAGE_SIZE = 100;
const NOT_ACCEPTED = new Set([400, 401, 403, 404]);

/**
 * A supplier that speaks the ordering interface, so that one deployment of this service can supply another: the request
 * id is the externalOrderId there, the agreed cost the expectedUnitPrice.
 */
export function createOrderingAdapter({ client, transport, timeouts }: Options): SupplierAdapter {
  const purchase = async (request: PurchaseRequest): Promise<PurchaseOutcome> => {
    const { requestId, supplierProductId, qty, unitCostMicrocents } = request;
    const body = {
      externalOrderId: requestId,
      productId: supplierProductId,
      qty,
      expectedUnitPrice: formatDecimalMoney(unitCostMicrocents),
    };
    const sent: SendingOutcome[] = [];
    await withDeadline(timeouts.purchaseMs, (signal) =>
      repeating(async () => {
        const reply = await transport.send(() => client.POST("/orders", { body, signal }));
        const outcome = readPurchaseReply(reply, request);
        sent.push(outcome);
        return outcome;
      }, signal),
    );
    return conclude(sent);
  };

  /** Reads something, again while the supplier is in trouble and there is time. */
  async function ask(call: (signal: AbortSignal) => Promise<ClientResult>): Promise<Reply> {
    const { reply } = await withDeadline(timeouts.readMs, (signal) =>
      repeating(async () => {
        const reply = await transport.send(() => call(signal));
        return { reply, ...repetitionOf(reply) };
      }, signal),
    );
    return reply;
  }

  /** @throws {SupplierUnavailableError} @throws {SupplierNotConfiguredError} */
  async function read<T>(
    call: (signal: AbortSignal) => Promise<ClientResult>,
    convert: (body: unknown) => T | null,
  ): Promise<T> {
    const reply = await ask(call);
    if (reply.kind !== "answer") throw new SupplierUnavailableError();
    if (NOT_ACCEPTED.has(reply.status)) throw new SupplierNotConfiguredError();
    if (readErrorCode(reply.body) === "supplier_not_configured") throw new SupplierNotConfiguredError();
    const value = reply.status === 200 ? convert(reply.body) : null;
    if (value === null) throw new SupplierUnavailableError();
    return value;
  }

  async function lookUp(requestId: string, qty: number): Promise<LookUpOutcome> {
    const query = { externalOrderId: requestId };
    const list = await ask((signal) => client.GET("/orders", { params: { query }, signal }));
    const page = list.kind === "answer" && list.status === 200 ? readPage(list.body) : null;
    if (page === null) return { kind: "unknown", message: describe(list) };
    const listed = page.orders.find(({ externalOrderId }) => externalOrderId === requestId);
    if (listed === undefined) return { kind: "none" };
    if (listed.status === "processing" || listed.status === "retryable") return { kind: listed.status };
    if (listed.status !== "delivered") return { kind: "closed" };
    const path = { id: listed.orderId };
    const detail = await ask((signal) => client.GET("/orders/{id}", { params: { path }, signal }));
    const found = detail.kind === "answer" && detail.status === 200 ? readOrder(detail.body) : null;
    const supplied = found === null ? null : toSuppliedCodes(found, requestId, qty);
    return supplied === null
      ? { kind: "unknown", message: describe(detail) }
      : { kind: "delivered", supplied };
  }

  return {
    purchase,
    lookUp,
    quote: (id, qty) =>
      read(
        (signal) =>
          client.GET("/products/{id}/availability", { params: { path: { id }, query: { qty } }, signal }),
        readQuote,
      ),
    catalog: () => read((signal) => client.GET("/products", { signal }), readCatalog),
    async *history(sinceMs) {
      let cursor: string | null = null;
      do {
        const query: { limit: number; cursor?: string } = {
          limit: PAGE_SIZE,
          ...(cursor === null ? {} : { cursor }),
        };
        const page: ReadPage = await read(
          (signal) => client.GET("/orders", { params: { query }, signal }),
          readPage,
        );
        for (const order of page.orders.map(toSupplierOrder)) {
          if (order.createdAtMs < sinceMs) return;
          yield order;
        }
        cursor = page.nextCursor;
      } while (cursor !== null);
    },
  };
}

/**
 * What all sendings of one request come to. Once one of them may have taken effect, a later refusal proves nothing,
 * except that the id is closed.
 */
function conclude(sent: readonly SendingOutcome[]): PurchaseOutcome {
  const last = sent.at(-1)?.outcome;
  if (last === undefined) throw new Error("A purchase was not sent.");
  if (last.kind === "delivered" || (last.kind === "refused" && last.reason === "closed")) return last;
  const doubtful = sent.map(({ outcome }) => outcome).filter((outcome) => outcome.kind === "unknown");
  if (doubtful.length === 0) return last;
  return { kind: "unknown", answered: doubtful.every(({ answered }) => answered), message: last.message };
}

interface Repeatable {
  readonly again: boolean;
  readonly retryAfterMs: number;
}

function repetitionOf(reply: Reply): Repeatable {
  if (reply.kind !== "answer") return { again: true, retryAfterMs: 0 };
  const again =
    reply.status === 429 || (reply.status >= 500 && readErrorCode(reply.body) !== "supplier_not_configured");
  return { again, retryAfterMs: reply.retryAfterMs };
}

/** Runs a call up to five times, with pauses that grow at random or are as long as the supplier asks for. */
function repeating<T extends Repeatable>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const backoff = new DelegateBackoff<{ attempt: number; result: unknown }>(({ attempt, result }) => {
    const { retryAfterMs } = (result as { value: T }).value;
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
    return Math.max(retryAfterMs, Math.random() * longest);
  });
  const policy = retry(
    handleWhenResult((result) => (result as T).again),
    { maxAttempts: MAX_REPETITIONS, backoff },
  );
  return policy.execute(call, signal);
}

/** Gives the work a signal that aborts when its time is up. */
async function withDeadline<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

function describe(reply: Reply): string {
  if (reply.kind !== "answer") return reply.message;
  return `answered ${reply.status} ${readErrorCode(reply.body) ?? "in a shape that cannot be read"}`;
}
