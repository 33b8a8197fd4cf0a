import { randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Delays } from "../shared/delays.ts";
import { readBody } from "../shared/http.ts";
import { type Answer, errorAnswer, jsonAnswer, send } from "./answer.ts";
import { toApiAvailability, toApiBalance, toApiOrder, toApiPricing, toApiProductList } from "./convert.ts";
import type { FaultSchedule } from "./fault-schedule.ts";
import type { Fault } from "./faults.ts";
import { answerWithFault } from "./faulty-answer.ts";
import { invalid, type ListRequest, readId, readListRequest, readOrderRequest, readQty } from "./requests.ts";
import { findRoute, type Operation, type Route } from "./route.ts";
import { type OrderRequest, oneCentMore, type Shop, type SimulatedOrder } from "./shop.ts";

const BODY_LIMIT_BYTES = 64 * 1024;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const BEARER = /^Bearer +([^\s]+)$/i;
const MAX_ID_LENGTH = 64 * 1024;

/** What the interface is made of. */
export interface ApiParts {
  readonly shop: Shop;
  readonly faults: FaultSchedule;
  readonly delays: Delays;
  readonly apiKey: string;
  /** How long a purchase takes to be answered; its effect comes at once. */
  readonly settings: { latencyMs: number };
}

/** A read that was understood: what it is about, for the choice of a fault, and how it is answered. */
interface ReadRequest {
  readonly externalOrderId?: string | undefined;
  readonly productId?: string | undefined;
  perform(): Answer;
}

/** Answers a request below the base path as the ordering contract says, with the faults that are asked for. */
export async function answerOrderingRequest(
  parts: ApiParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const given = request.headers["x-request-id"];
  response.setHeader(
    "X-Request-Id",
    typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID(),
  );
  const route = findRoute(request.method ?? "", request.url ?? "");
  if (route === null)
    return send(response, errorAnswer("not_found", { message: "There is nothing at this path." }));
  if ("allow" in route) {
    const answer = errorAnswer("bad_request", { message: "This path does not know this method." });
    return send(response, { ...answer, status: 405, headers: { ...answer.headers, Allow: route.allow } });
  }
  if (route.operation !== "getPricing" && !isAuthorized(request, parts.apiKey)) {
    return send(response, errorAnswer("unauthorized"));
  }
  if (route.operation === "createOrder") return answerPurchase(parts, request, response);
  return answerRead(parts, route, response);
}

async function answerPurchase(
  parts: ApiParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request, BODY_LIMIT_BYTES);
  const read = readOrderRequest(request.headers["content-type"], body);
  if ("refusal" in read) return send(response, read.refusal);
  const { shop, faults, delays, settings } = parts;
  const order = read.value;
  shop.count(order);
  const productFault = shop.products.get(order.productId)?.fault;
  const fault = faults.take({ operation: "createOrder", ...order, productFault });
  const takeTime = async () => {
    if (settings.latencyMs > 0) await delays.wait(settings.latencyMs);
  };
  const perform = async () => {
    const answer = purchase(parts, order, fault);
    await takeTime();
    return answer;
  };
  if (fault?.kind === "refuse") await takeTime();
  const { expectedUnitPrice } = order;
  return answerWithFault({ response, delays, expectedUnitPrice, perform }, fault);
}

/** Makes a purchase, with the faults that change what the shop does with it. */
function purchase({ shop, delays }: ApiParts, order: OrderRequest, fault: Fault | null): Answer {
  if (fault?.kind === "price_change") {
    const product = shop.products.get(order.productId);
    if (product !== undefined) {
      shop.changeProduct(order.productId, { unitPrice: fault.unitPrice ?? oneCentMore(product) });
    }
  }
  const change =
    fault?.kind === "processing_then" ? "process" : fault?.kind === "closed" ? "fail" : "deliver";
  const outcome = shop.place(order, change);
  if ("refusal" in outcome) return errorAnswer(outcome.refusal, outcome);
  if (fault?.kind === "processing_then" && outcome.order.status === "processing") {
    void delays.wait(fault.delayMs).then(() => shop.settle(outcome.order, fault.end));
    return errorAnswer("order_in_progress", fault);
  }
  return jsonAnswer(
    200,
    toApiOrder(outcome.order, { codes: shop.codesOf(outcome.order), reused: outcome.reused }),
  );
}

function answerRead(
  { shop, faults, delays }: ApiParts,
  route: Route,
  response: ServerResponse,
): Promise<void> | void {
  const operation = route.operation as Exclude<Operation, "createOrder">;
  const read = READS[operation](shop, route);
  if ("refusal" in read) return send(response, read.refusal);
  return answerWithFault({ response, delays, perform: read.perform }, faults.take({ operation, ...read }));
}

type Reader = (shop: Shop, route: Route) => ReadRequest | { refusal: Answer };

const READS: Readonly<Record<Exclude<Operation, "createOrder">, Reader>> = {
  getPricing: (shop) => ({ perform: () => jsonAnswer(200, toApiPricing(shop)) }),
  listProducts: (shop) => ({ perform: () => jsonAnswer(200, toApiProductList(shop)) }),
  getBalance: (shop) => ({ perform: () => jsonAnswer(200, toApiBalance(shop)) }),
  checkAvailability(shop, { id, query }) {
    const productId = readId(id);
    if (productId === null) return invalid("the path's id is no product id");
    const qty = readQty(query);
    if ("refusal" in qty) return qty;
    return {
      productId,
      perform() {
        const product = shop.products.get(productId);
        if (product === undefined) return errorAnswer("not_found");
        return jsonAnswer(200, toApiAvailability(product, qty.value));
      },
    };
  },
  listOrders(shop, { query }) {
    const read = readListRequest(query);
    if ("refusal" in read) return read;
    const { externalOrderId } = read.value;
    return { externalOrderId, perform: () => listOrders(shop, read.value) };
  },
  getOrder(shop, { id }) {
    const orderId = readId(id, MAX_ID_LENGTH);
    const order = orderId === null ? null : shop.orderWithId(orderId);
    const subject = { externalOrderId: order?.externalOrderId, productId: order?.product.productId };
    return { ...subject, perform: () => showOrder(shop, order) };
  },
};

function showOrder(shop: Shop, order: SimulatedOrder | null): Answer {
  if (order === null) return errorAnswer("not_found");
  const codes = order.status === "delivered" ? shop.codesOf(order) : [];
  return jsonAnswer(200, toApiOrder(order, { codes, reused: false }));
}

function listOrders(shop: Shop, { limit, cursor, externalOrderId }: ListRequest): Answer {
  const last = cursor === undefined ? null : shop.orderWithId(Buffer.from(cursor, "base64url").toString());
  if (cursor !== undefined && (last === null || toCursor(last) !== cursor)) {
    return invalid("cursor is none of this service").refusal;
  }
  const before = last?.index ?? shop.orders.length;
  const page =
    externalOrderId === undefined ? newest(shop, before, limit + 1) : only(shop, before, externalOrderId);
  const shown = page.slice(0, limit);
  const lastShown = shown.at(-1);
  const hasMore = page.length > limit;
  return jsonAnswer(200, {
    orders: shown.map((order) => toApiOrder(order, { codes: [], reused: false })),
    hasMore,
    nextCursor: hasMore && lastShown !== undefined ? toCursor(lastShown) : null,
  });
}

function newest({ orders }: Shop, before: number, count: number): SimulatedOrder[] {
  return orders.slice(Math.max(0, before - count), before).reverse();
}

function only({ posted }: Shop, before: number, externalOrderId: string): SimulatedOrder[] {
  const order = posted.get(externalOrderId)?.order;
  return order && order.index < before ? [order] : [];
}

function toCursor({ orderId }: SimulatedOrder): string {
  return Buffer.from(orderId).toString("base64url");
}

function isAuthorized({ headers }: IncomingMessage, apiKey: string): boolean {
  const [, given = ""] = BEARER.exec(headers.authorization ?? "") ?? [];
  const [a, b] = [Buffer.from(given), Buffer.from(apiKey)];
  return a.length === b.length && timingSafeEqual(a, b);
}
