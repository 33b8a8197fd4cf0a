import { z } from "zod";
import { type Microcents, parseDecimalMoney } from "../money/microcents.ts";
import { isCode } from "../stock/code.ts";
import type { Quote, SuppliedCodes, SupplierOrder } from "./supplier.ts";

// Answers are read strictly in what is needed and are free in all else, so that a supplier may add fields.

const MAX_RETRY_AFTER_MS = 60_000;
const REDEEM_URL = /^https?:\/\/[!-~]{1,1990}$/;

const amount = z.string().transform((text, context): Microcents => {
  const parsed = parseDecimalMoney(text);
  if (parsed !== null) return parsed;
  context.addIssue("is no amount");
  return z.NEVER;
});
const code = z.string().refine(isCode);

const quote = z.object({ unitPrice: amount, available: z.boolean() });
const catalog = z.object({
  products: z.array(z.object({ id: z.string(), price: amount, inStock: z.boolean() })),
});
const order = z.object({
  orderId: z.string().min(1).max(256),
  externalOrderId: z.string(),
  status: z.enum(["processing", "retryable", "delivered", "failed", "refunded"]),
  unitPrice: amount,
  amount,
  codes: z.array(code),
  redeemUrl: z.string().nullable(),
  createdAt: z.number().int().nonnegative(),
});
const orders = z.object({ orders: z.array(order), nextCursor: z.string().min(1).nullable() });
const contractError = z.object({
  error: z.string().regex(/^[a-z_]{1,64}$/),
  message: z.string(),
  details: z.unknown().optional(),
});
const retryDetails = z.object({ retryAfterSeconds: z.number().int().positive() });

/** An order as the supplier shows it, with codes where it gives them. */
export type ReadOrder = z.infer<typeof order>;

/** A page of the supplier's orders. */
export interface ReadPage {
  readonly orders: readonly ReadOrder[];
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

export function readOrder(body: unknown): ReadOrder | null {
  return order.safeParse(body).data ?? null;
}

export function readPage(body: unknown): ReadPage | null {
  return orders.safeParse(body).data ?? null;
}

/** The stable code of an error in the contract's shape. */
export function readErrorCode(body: unknown): string | null {
  return contractError.safeParse(body).data?.error ?? null;
}

/** Whether an error is in the contract's shape, and more than "something went wrong". */
export function isContractError(body: unknown): boolean {
  const errorCode = readErrorCode(body);
  return errorCode !== null && errorCode !== "server_error";
}

/** How long the supplier asks us to wait, from the error's details or the header; 0 when it does not. */
export function retryAfterMsOf(body: unknown, header: string | null): number {
  const fromBody = retryDetails.safeParse(contractError.safeParse(body).data?.details).data
    ?.retryAfterSeconds;
  const seconds = fromBody ?? (header !== null && /^\d{1,6}$/.test(header) ? Number(header) : 0);
  return Math.min(seconds * 1000, MAX_RETRY_AFTER_MS);
}

/** What was bought, when the order is the one that was asked for, with as many different codes as it should have. */
export function toSuppliedCodes(found: ReadOrder, requestId: string, qty: number): SuppliedCodes | null {
  const { codes, redeemUrl, status, externalOrderId } = found;
  const complete = codes.length === qty && new Set(codes).size === qty;
  if (status !== "delivered" || externalOrderId !== requestId || !complete) return null;
  return {
    supplierOrderId: found.orderId,
    unitCostMicrocents: found.unitPrice,
    codes,
    redeemUrl: redeemUrl !== null && REDEEM_URL.test(redeemUrl) && URL.canParse(redeemUrl) ? redeemUrl : null,
  };
}

export function toSupplierOrder({
  externalOrderId,
  orderId,
  status,
  amount,
  createdAt,
}: ReadOrder): SupplierOrder {
  return {
    requestId: externalOrderId,
    supplierOrderId: orderId,
    status,
    amountMicrocents: amount,
    createdAtMs: createdAt * 1000,
  };
}
