import { z } from "zod";
import { type ErrorCode, readRetryAfterMs } from "../../client/ordering-errors.ts";
import { MAX_ACCOUNT_MICROCENTS, type Microcents, parseDecimalMoney } from "../money/microcents.ts";
import { isCode } from "../stock/code.ts";
import type { Quote, SuppliedCodes, SupplierOrder } from "./supplier.ts";

export { type ErrorCode, readErrorCode } from "../../client/ordering-errors.ts";

// Answers are read strictly in what is needed and are free in all else, so that a supplier may add fields.

// The end of the year 9999.
const LATEST_SECONDS = 253_402_300_799;
const REDEEM_URL = /^https?:\/\/[!-~]{1,1990}$/;

const amount = z.string().transform((text, context): Microcents => {
  const parsed = parseDecimalMoney(text);
  if (parsed !== null && parsed <= MAX_ACCOUNT_MICROCENTS) return parsed;
  context.addIssue("is no amount");
  return z.NEVER;
});
const code = z.string().refine(isCode);

const currency = z.literal("USD");
const quote = z.object({ unitPrice: amount, currency, available: z.boolean() });
const catalog = z.object({
  products: z.array(z.object({ id: z.string(), price: amount, currency, inStock: z.boolean() })),
});
const balance = z.object({ available: amount, currency });
const delivered = z.object({
  orderId: z.string().min(1).max(256),
  externalOrderId: z.string(),
  status: z.literal("delivered"),
  unitPrice: amount,
  codes: z.array(code),
  redeemUrl: z.string().nullable(),
});
const listed = z.object({
  orderId: z.string().min(1).max(256),
  externalOrderId: z.string(),
  status: z.enum(["processing", "retryable", "delivered", "failed", "refunded"]),
  amount,
  createdAt: z.int().nonnegative().max(LATEST_SECONDS),
});
const orders = z.object({ orders: z.array(listed), nextCursor: z.string().min(1).nullable() });

/** A page of the supplier's orders. */
export interface ReadPage {
  readonly orders: readonly SupplierOrder[];
  readonly nextCursor: string | null;
}

// Each of these gives null for what cannot be read.

export function readQuote(body: unknown): Quote | null {
  const { data } = quote.safeParse(body);
  return data === undefined ? null : { unitCostMicrocents: data.unitPrice, available: data.available };
}

export function readCatalog(body: unknown): ReadonlyMap<string, Quote> | null {
  const { data } = catalog.safeParse(body);
  if (data === undefined) return null;
  return new Map(
    data.products.map(({ id, price, inStock }) => [id, { unitCostMicrocents: price, available: inStock }]),
  );
}

/** What can be spent there. */
export function readBalance(body: unknown): Microcents | null {
  return balance.safeParse(body).data?.available ?? null;
}

export function readPage(body: unknown): ReadPage | null {
  const { data } = orders.safeParse(body);
  if (data === undefined) return null;
  const read = data.orders.map(({ externalOrderId, orderId, status, amount, createdAt }) => ({
    requestId: externalOrderId,
    supplierOrderId: orderId,
    status,
    amountMicrocents: amount,
    createdAtMs: createdAt * 1000,
  }));
  return { orders: read, nextCursor: data.nextCursor };
}

/** What was bought, when it is the order that was asked for, with as many different codes as it should have. */
export function readSuppliedCodes(body: unknown, requestId: string, qty: number): SuppliedCodes | null {
  const { data } = delivered.safeParse(body);
  if (data === undefined) return null;
  const { codes, redeemUrl } = data;
  if (data.externalOrderId !== requestId || codes.length !== qty || new Set(codes).size !== qty) return null;
  return {
    supplierOrderId: data.orderId,
    unitCostMicrocents: data.unitPrice,
    codes,
    redeemUrl: redeemUrl !== null && REDEEM_URL.test(redeemUrl) && URL.canParse(redeemUrl) ? redeemUrl : null,
  };
}

/** Whether an error says what the supplier knows, rather than that something broke. */
export function isDefiniteError(errorCode: ErrorCode | null): boolean {
  return errorCode !== null && errorCode !== "server_error";
}

/** How long the supplier asks us to wait; 0 when it does not. */
export function retryAfterMsOf(body: unknown, header: string | null): number {
  return readRetryAfterMs(body, header) ?? 0;
}
