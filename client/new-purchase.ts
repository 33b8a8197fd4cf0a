import { createHash, randomUUID } from "node:crypto";
import { formatUsd, parseUsd } from "./money.ts";
import type { PriceChanged, PurchaseRequest, StoredPurchase } from "./purchase.ts";

const MAX_ID_LENGTH = 64;
const MAX_PRODUCT_ID_LENGTH = 128;
const MAX_QTY = 1000;
const PRICE = /^\d+(\.\d{1,2})?$/;
const ID_HEX_DIGITS = 32;

/** A purchase to be stored. @throws {RangeError} for a request that the interface cannot take. */
export function startPurchase(
  baseUrl: string,
  { productId, qty, expectedUnitPrice, externalOrderId = randomUUID() }: PurchaseRequest,
): StoredPurchase {
  refuseUnless(
    isText(externalOrderId, MAX_ID_LENGTH),
    `externalOrderId must have 1 to ${MAX_ID_LENGTH} characters.`,
  );
  refuseUnless(
    isText(productId, MAX_PRODUCT_ID_LENGTH),
    `productId must have 1 to ${MAX_PRODUCT_ID_LENGTH} characters.`,
  );
  refuseUnless(
    Number.isInteger(qty) && qty >= 1 && qty <= MAX_QTY,
    `qty must be a whole number from 1 to ${MAX_QTY}.`,
  );
  refuseUnless(
    expectedUnitPrice === undefined || PRICE.test(expectedUnitPrice),
    "expectedUnitPrice must be an amount in USD with at most two decimals.",
  );
  return {
    baseUrl,
    externalOrderId,
    productId,
    qty,
    expectedUnitPrice: expectedUnitPrice ?? null,
    startedAtMs: Date.now(),
    conclusion: null,
  };
}

/** Whether two purchases of one id would be sent with the same order. */
export function isSamePurchase(a: StoredPurchase, b: StoredPurchase): boolean {
  return a.productId === b.productId && a.qty === b.qty && a.expectedUnitPrice === b.expectedUnitPrice;
}

/** The purchase of the same at the price that is asked now; its id follows from both. */
export function confirmationOf(
  { externalOrderId, productId, qty }: StoredPurchase,
  { actualUnitPrice }: PriceChanged,
): PurchaseRequest {
  const expectedUnitPrice = formatUsd(parseUsd(actualUnitPrice));
  const identity = JSON.stringify([externalOrderId, expectedUnitPrice]);
  const hash = createHash("sha256").update(identity).digest("hex").slice(0, ID_HEX_DIGITS);
  return { productId, qty, expectedUnitPrice, externalOrderId: hash };
}

function isText(value: unknown, longest: number): boolean {
  // As the contract counts: by code points.
  if (typeof value !== "string" || value === "" || value.includes("\0")) return false;
  return [...value].length <= longest && value.isWellFormed();
}

function refuseUnless(isFine: boolean, message: string): void {
  if (!isFine) throw new RangeError(message);
}
