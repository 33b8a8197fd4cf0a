import { LEVEL_THRESHOLDS } from "../../../server/accounts/level.ts";
import { parseDecimalMoney } from "../../../server/money/microcents.ts";
import type { Invariants, JudgedAnswer, Shaped } from "../../meaning/invariants.ts";

/** Amounts are printed with four decimals at most. */
const PRINTED_STEP = 10_000n;
const WHY_UNFULFILLED = [
  "out_of_stock",
  "supplier_price_changed",
  "supplier_not_configured",
  "supplier_unavailable",
];

/** What the ordering interface's values mean beside their shape. */
export default {
  ofSchemas: {
    Balance: {
      "available is balance minus reserved, and nothing where that is less": ({
        balance,
        reserved,
        available,
      }) => usd(available) === atLeastNothing(usd(balance) - usd(reserved)),
    },
    LevelSummary: {
      "score is scoreMicrocents, rounded down to four decimals": ({ score, scoreMicrocents }) =>
        usd(score) === roundedDown(BigInt(scoreMicrocents)),
      "level is the highest whose threshold scoreMicrocents reaches": ({ level, scoreMicrocents }) =>
        level === levelAt(BigInt(scoreMicrocents)),
      "nextLevel is the level after level, null after the last": ({ level, nextLevel }) =>
        nextLevel === null ? !isLevel(level + 1) : nextLevel.level === level + 1,
      "nextLevel.remainingMicrocents is its threshold minus scoreMicrocents": ({
        scoreMicrocents,
        nextLevel,
      }) =>
        nextLevel === null ||
        nextLevel.remainingMicrocents === nextLevel.thresholdMicrocents - scoreMicrocents,
    },
    NextLevel: {
      "thresholdMicrocents is the threshold of level": ({ level, thresholdMicrocents }) =>
        BigInt(thresholdMicrocents) === thresholdOf(level),
      "remaining is remainingMicrocents, rounded up to four decimals": ({ remaining, remainingMicrocents }) =>
        usd(remaining) === -roundedDown(-BigInt(remainingMicrocents)),
    },
    PricingLevel: {
      "threshold is that of level": ({ level, threshold }) => usd(threshold) === thresholdOf(level),
    },
    Pricing: {
      "levels are all levels, the lowest first": ({ levels }) =>
        same(
          levels.map((it: Shaped) => it.level),
          Object.keys(LEVEL_THRESHOLDS).map(Number),
        ),
      "no two products have one id": ({ products }) => areDistinct(products, "id"),
    },
    ProductList: { "no two products have one id": ({ products }) => areDistinct(products, "id") },
    Product: {
      "inStock is true where availabilityStatus is available": ({ inStock, availabilityStatus }) =>
        inStock === (availabilityStatus === "available"),
      "stock is null for on_demand, and a number for inventory": ({ stock, stockMode }) =>
        stockMode === null || (stock === null) === (stockMode === "on_demand"),
      "stock is 0 only where inStock is false": ({ stock, inStock }) => stock !== 0 || !inStock,
      "stockCapped is false where stock is null": ({ stock, stockCapped }) => stock !== null || !stockCapped,
    },
    Availability: {
      "available is true where availabilityStatus is available": ({ available, availabilityStatus }) =>
        available === (availabilityStatus === "available"),
    },
    Order: {
      "amount is unitPrice times qty": ({ amount, unitPrice, qty }) =>
        usd(amount) === usd(unitPrice) * BigInt(qty),
      "codes are qty where it is delivered, none in a list and in other states": (
        { codes, qty, status },
        { within },
      ) => codes.length === (status === "delivered" && !within.includes("OrderList") ? qty : 0),
      "no two codes are the same": ({ codes }) => new Set(codes).size === codes.length,
      "deliveredAt is there for delivered and refunded alone": ({ deliveredAt, status }) =>
        (deliveredAt !== null) === wasDelivered(status),
      "redeemUrl is there only where it was delivered": ({ redeemUrl, status }) =>
        redeemUrl === null || wasDelivered(status),
      "errorCode is there only for retryable and failed, and one of those that the document lists": ({
        errorCode,
        status,
      }) =>
        errorCode === null ||
        (["retryable", "failed"].includes(status) && WHY_UNFULFILLED.includes(errorCode)),
      "errorCode is there for retryable and failed": ({ errorCode, status }) =>
        errorCode !== null || !["retryable", "failed"].includes(status),
      "deliveredAt is not before createdAt": ({ createdAt, deliveredAt }) =>
        deliveredAt === null || deliveredAt >= createdAt,
      "reused is true only for delivered, and in no list": ({ reused, status }, { within }) =>
        !reused || (status === "delivered" && !within.includes("OrderList")),
    },
    OrderList: {
      "nextCursor is there where hasMore is true": ({ hasMore, nextCursor }) =>
        hasMore === (nextCursor !== null),
      "orders are there where hasMore is true": ({ hasMore, orders }) => !hasMore || orders.length > 0,
      "orders go from the newest to the oldest": ({ orders }) => isDescending(orders, "createdAt"),
      "no two orders have one id": ({ orders }) => areDistinct(orders, "orderId"),
    },
  },
  ofAnswers: {
    "price_changed has in details two prices that differ": ({ body: { error, details } }) =>
      error !== "price_changed" || usd(details.expectedUnitPrice) !== usd(details.actualUnitPrice),
    "order_in_progress has in details.retryAfterSeconds what Retry-After says": ({
      body: { error, details },
      headers,
    }) => error !== "order_in_progress" || headers["retry-after"] === String(details.retryAfterSeconds),
    "order_in_progress says a time to wait": ({ body: { error, details } }) =>
      error !== "order_in_progress" || details.retryAfterSeconds > 0,
    "details of an idempotency_conflict with a closed order have orderId, status and errorCode": ({
      body: { error, details },
    }) =>
      error !== "idempotency_conflict" ||
      details?.status === undefined ||
      (typeof details.orderId === "string" && details.errorCode !== undefined),
    "reused is false where an order is read": ({ operationId, status, body }: JudgedAnswer) =>
      operationId !== "getOrder" || status !== 200 || body.reused === false,
  },
  ofPairs: {
    "unitPrice is expectedUnitPrice where that was asked for": ({ request, status, body }) =>
      status !== 200 ||
      request.expectedUnitPrice === undefined ||
      usd(body.unitPrice) === usd(request.expectedUnitPrice),
    "price_changed has in details the expectedUnitPrice of the request": ({ request, body }) =>
      body.error !== "price_changed" ||
      usd(body.details.expectedUnitPrice) === usd(request.expectedUnitPrice),
    "what is answered to an order is delivered": ({ operationId, status, body }) =>
      operationId !== "createOrder" || status !== 200 || body.status === "delivered",
  },
} satisfies Invariants;

/** In microcents. @throws when the text is no amount, of which the schema tells. */
function usd(text: string): bigint {
  const amount = parseDecimalMoney(text);
  if (amount === null) throw new Error(`${text} is no amount.`);
  return amount;
}

function atLeastNothing(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

function roundedDown(amount: bigint): bigint {
  const rest = ((amount % PRINTED_STEP) + PRINTED_STEP) % PRINTED_STEP;
  return amount - rest;
}

function isLevel(level: number): level is keyof typeof LEVEL_THRESHOLDS {
  return level in LEVEL_THRESHOLDS;
}

function thresholdOf(level: number): bigint | null {
  return isLevel(level) ? LEVEL_THRESHOLDS[level] : null;
}

function levelAt(score: bigint): number {
  return Object.values<bigint>(LEVEL_THRESHOLDS).filter((threshold) => score >= threshold).length;
}

function wasDelivered(status: string): boolean {
  return status === "delivered" || status === "refunded";
}

function areDistinct(items: readonly Shaped[], field: string): boolean {
  return new Set(items.map((item) => item[field])).size === items.length;
}

function isDescending(items: readonly Shaped[], field: string): boolean {
  return items.every((item, index) => index === 0 || item[field] <= items[index - 1][field]);
}

function same(one: readonly unknown[], other: readonly unknown[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
