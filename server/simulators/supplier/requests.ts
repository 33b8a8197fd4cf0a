import { isUtf8 } from "node:buffer";
import { type Answer, errorAnswer } from "./answer.ts";
import type { OrderRequest } from "./shop.ts";

/** Something that was asked for, or the answer that refuses to read it. */
export type Read<T> = { readonly value: T } | { readonly refusal: Answer };

/** What a list of orders is asked for. */
export interface ListRequest {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly externalOrderId: string | undefined;
}

const MAX_QTY = 1_000;
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;
const MAX_EXTERNAL_ORDER_ID = 64;
const MAX_PRODUCT_ID = 128;
const ORDER_FIELDS = new Set(["externalOrderId", "productId", "qty", "expectedUnitPrice"]);
const EXPECTED_PRICE = /^\d+(\.\d{1,2})?$/;
const POSITIVE = /^[1-9]\d{0,3}$/;

/** Reads the body of a POST /orders. */
export function readOrderRequest(contentType: string | undefined, body: Buffer | null): Read<OrderRequest> {
  const parsed = parseJson(contentType, body);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    return { refusal: errorAnswer("bad_request") };
  }
  const fault = orderFault(parsed as Record<string, unknown>);
  if (fault !== null) return invalid(fault);
  return { value: parsed as OrderRequest };
}

/** Reads a path's id. `null` when it is no text or not of 1 to `maxLength` characters. */
export function readId(encoded: string, maxLength = MAX_PRODUCT_ID): string | null {
  try {
    const id = decodeURIComponent(encoded);
    return isText(id, maxLength) ? id : null;
  } catch {
    return null;
  }
}

/** Reads the quantity that an availability is asked for. */
export function readQty(query: string): Read<number> {
  const read = readQuery(query, ["qty"]);
  if ("refusal" in read) return read;
  return readNumber(read.value, "qty", { otherwise: 1, most: MAX_QTY });
}

/** Reads what a list of orders is asked for. */
export function readListRequest(query: string): Read<ListRequest> {
  const read = readQuery(query, ["limit", "cursor", "externalOrderId"]);
  if ("refusal" in read) return read;
  const limit = readNumber(read.value, "limit", { otherwise: DEFAULT_LIMIT, most: MAX_LIMIT });
  if ("refusal" in limit) return limit;
  const { cursor, externalOrderId } = read.value;
  if (cursor === "") return invalid("cursor must not be empty");
  if (externalOrderId !== undefined && !isText(externalOrderId, MAX_EXTERNAL_ORDER_ID)) {
    return invalid(`externalOrderId must be a text of 1 to ${MAX_EXTERNAL_ORDER_ID} characters`);
  }
  return { value: { limit: limit.value, cursor, externalOrderId } };
}

/** A refusal of the request with the reason. */
export function invalid(reason: string): { refusal: Answer } {
  return { refusal: errorAnswer("invalid_input", { message: `The request is invalid: ${reason}.` }) };
}

function parseJson(contentType = "", body: Buffer | null): unknown {
  const [mediaType = "", ...parameters] = contentType.toLowerCase().split(";");
  if (mediaType.trim() !== "application/json" || body === null || !isUtf8(body)) return undefined;
  if (parameters.some((text) => /^\s*charset=(?!"?utf-?8"?\s*$)/.test(text))) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function orderFault(order: Record<string, unknown>): string | null {
  const { externalOrderId, productId, qty, expectedUnitPrice } = order;
  for (const name in order) if (!ORDER_FIELDS.has(name)) return "it has a field that orders do not have";
  if (!isText(externalOrderId, MAX_EXTERNAL_ORDER_ID)) {
    return `externalOrderId must be a text of 1 to ${MAX_EXTERNAL_ORDER_ID} characters`;
  }
  if (!isText(productId, MAX_PRODUCT_ID)) {
    return `productId must be a text of 1 to ${MAX_PRODUCT_ID} characters`;
  }
  if (!(Number.isInteger(qty) && (qty as number) >= 1 && (qty as number) <= MAX_QTY)) {
    return `qty must be a whole number from 1 to ${MAX_QTY}`;
  }
  if (!("expectedUnitPrice" in order)) return null;
  const isPrice = typeof expectedUnitPrice === "string" && EXPECTED_PRICE.test(expectedUnitPrice);
  return isPrice ? null : "expectedUnitPrice must be a decimal string with at most two decimals";
}

function isText(value: unknown, maxLength: number): value is string {
  if (typeof value !== "string" || value === "" || value.includes("\0") || !value.isWellFormed())
    return false;
  // Lengths count characters, of which some take two places.
  return value.length <= maxLength || [...value].length <= maxLength;
}

function readQuery(query: string, known: readonly string[]): Read<Record<string, string>> {
  try {
    decodeURIComponent(query);
  } catch {
    return invalid("the query is not UTF-8");
  }
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (!known.includes(name) || Object.hasOwn(values, name) || value.includes("\0")) {
      return invalid("the query has a parameter that is unknown, repeated or unreadable");
    }
    values[name] = value;
  }
  return { value: values };
}

function readNumber(
  values: Record<string, string>,
  name: string,
  { otherwise, most }: { otherwise: number; most: number },
): Read<number> {
  const text = values[name];
  if (text === undefined) return { value: otherwise };
  if (!POSITIVE.test(text) || Number(text) > most)
    return invalid(`${name} must be a whole number from 1 to ${most}`);
  return { value: Number(text) };
}
