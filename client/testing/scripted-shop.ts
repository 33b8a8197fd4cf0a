import { createMemoryStore } from "../memory-store.ts";
import { createOrderingClient, type Order } from "../ordering-client.ts";
import { ERROR_STATUSES, type ErrorCode } from "../ordering-errors.ts";
import type { PurchaseStore } from "../purchase.ts";
import { createPurchases, type Purchases } from "../purchases.ts";

/** A request as it was sent. */
export interface SentRequest {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly body: unknown;
}

/** Purchases from a shop whose answers a test writes down; pauses end at once. */
export interface ScriptedShop extends Purchases {
  readonly sent: SentRequest[];
  /** The pauses that were asked for. */
  readonly waitsMs: number[];
  readonly store: PurchaseStore;
}

/** What a scripted shop answers; without an answer, or when the function throws, the connection fails. */
export type Answer = (request: SentRequest, index: number) => Response | Promise<Response> | undefined;

/** The order that {@link deliveredOrder} delivers. */
export const WANTED = { productId: "pen", qty: 2, externalOrderId: "purchase-1" };

/** A delivered order of what was wanted. */
export function deliveredOrder(changes: Partial<Order> = {}): Order {
  return {
    ...WANTED,
    orderId: "ord_1",
    productName: "Pen",
    unitPrice: "1.00",
    amount: "2.00",
    currency: "USD",
    status: "delivered",
    codes: ["CODE-1", "CODE-2"],
    redeemUrl: "https://redeem.example/pen",
    errorCode: null,
    createdAt: 1,
    deliveredAt: 1,
    reused: false,
    ...changes,
  };
}

/** An error in the contract's words. */
export function refusal(error: ErrorCode, details?: unknown, headers: Record<string, string> = {}): Response {
  const body = { error, message: "No.", ...(details === undefined ? {} : { details }) };
  return Response.json(body, { status: ERROR_STATUSES[error], headers });
}

/** A page of orders. */
export function listOf(...orders: Order[]): Response {
  return Response.json({ orders, hasMore: false, nextCursor: null });
}

/** A shop with that script. */
export function scriptedShop(
  answer: Answer,
  store: PurchaseStore = createMemoryStore(),
  giveUpAfterMs?: number,
): ScriptedShop {
  const sent: SentRequest[] = [];
  const waitsMs: number[] = [];
  const baseUrl = "https://shop.example/shop/v1";
  const client = createOrderingClient({
    baseUrl,
    apiKey: "svc_sk_a",
    timeoutMs: 1_000,
    async fetch(request) {
      const text = await request.text();
      const path = request.url.slice(baseUrl.length);
      const one = { method: request.method, path, body: text === "" ? null : JSON.parse(text) };
      sent.push(one);
      const response = await answer(one, sent.length - 1);
      if (response === undefined) throw new TypeError("fetch failed");
      return response;
    },
  });
  const wait = async (ms: number) => void waitsMs.push(ms);
  return {
    ...createPurchases({ client, store, wait, ...(giveUpAfterMs === undefined ? {} : { giveUpAfterMs }) }),
    sent,
    waitsMs,
    store,
  };
}
