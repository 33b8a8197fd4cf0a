import {
  add,
  formatDecimalMoney,
  type Microcents,
  microcents,
  multiply,
  parseDecimalMoney,
  subtract,
  ZERO,
} from "../../money/microcents.ts";
import type { ErrorCode } from "./answer.ts";
import { codesFrom } from "./codes.ts";
import { type Fault, type FaultInput, parseFault } from "./faults.ts";

/** A product that the supplier sells. */
export interface SimulatedProduct {
  readonly productId: string;
  readonly name: string;
  unitPriceMicrocents: Microcents;
  /** How many codes are left; null: endless. */
  stock: number | null;
  /** Whether it is said to be available when there are too few. */
  readonly claimsStock: boolean;
  readonly redeemUrl: string | null;
  /** The fault that every purchase of it has. */
  fault: Fault | null;
}

/** A product as it is set up. */
export interface ProductInput {
  readonly productId: string;
  /** The id, when not given. */
  readonly name?: string;
  /** USD, such as "1.00". */
  readonly unitPrice: string;
  /** How many codes there are; null (the default): endless. */
  readonly stock?: number | null;
  /** Whether it is said to be available when there are too few; false when not given. */
  readonly claimsStock?: boolean;
  readonly redeemUrl?: string | null;
  /** A fault that every purchase of it has. */
  readonly fault?: FaultInput | null;
}

/** What of a product changes. */
export type ProductChanges = Partial<Omit<ProductInput, "productId">>;

export type OrderStatus = "processing" | "retryable" | "delivered" | "failed" | "refunded";

/** A purchase as it was asked for. */
export interface OrderRequest {
  readonly externalOrderId: string;
  readonly productId: string;
  readonly qty: number;
  readonly expectedUnitPrice?: string | undefined;
}

/** An order that the supplier has taken. */
export interface SimulatedOrder {
  readonly orderId: string;
  /** Its place among all orders. */
  readonly index: number;
  readonly externalOrderId: string;
  readonly product: SimulatedProduct;
  readonly qty: number;
  unitPriceMicrocents: Microcents;
  amountMicrocents: Microcents;
  status: OrderStatus;
  errorCode: ErrorCode | null;
  /** Its codes are the `qty` ones from this number on; null: it has none. */
  firstCode: number | null;
  readonly createdAtMs: number;
  deliveredAtMs: number | null;
}

/** What is known of an externalOrderId, also when nothing was bought under it. */
export interface Posted {
  requests: number;
  readonly productId: string;
  readonly qty: number;
  order: SimulatedOrder | null;
}

/** How posting an order ended. */
export type PlaceOutcome =
  | { readonly order: SimulatedOrder; readonly reused: boolean }
  | { readonly refusal: ErrorCode; readonly details?: unknown };

/** Something was asked of the simulator that makes no sense; the message says what. */
export class UsageError extends Error {}

const DEFAULT_REDEEM_URL = "https://redeem.example/simulated";
const CENT = parseUsd("0.01");

/**
 * The supplier itself: what it sells, owes and has sold, in memory. It makes codes from its seed and a counter and keeps
 * only their numbers, so that hundreds of thousands of orders stay small.
 */
export class Shop {
  readonly products = new Map<string, SimulatedProduct>();
  /** By externalOrderId, in the order in which they were first posted. */
  readonly posted = new Map<string, Posted>();
  /** Oldest first. */
  readonly orders: SimulatedOrder[] = [];
  /** What the buyer has left, with what is reserved; null: endless. */
  balanceMicrocents: Microcents | null;
  reservedMicrocents: Microcents = ZERO;
  readonly #seed: number;
  readonly #orderTag: string;
  #codesMade = 0;

  constructor({ seed, balance }: { seed: number; balance: string | null }) {
    this.#seed = seed;
    this.#orderTag = (seed >>> 0).toString(16).padStart(8, "0");
    this.balanceMicrocents = balance === null ? null : parseUsd(balance);
  }

  /** Adds a product, or changes the one with its id to this. */
  setProduct(input: ProductInput): void {
    const { productId, name = productId, stock = null, claimsStock = false } = input;
    const { redeemUrl = DEFAULT_REDEEM_URL, fault = null } = input;
    const product: SimulatedProduct = {
      productId,
      name,
      unitPriceMicrocents: parseUsd(input.unitPrice),
      stock: checkStock(stock),
      claimsStock,
      redeemUrl,
      fault: fault === null ? null : parseFault(fault),
    };
    // Orders refer to their product, so that one must stay the same object.
    this.products.set(productId, Object.assign(this.products.get(productId) ?? product, product));
  }

  /** Changes what is given of a product. @throws {UsageError} when it is not sold. */
  changeProduct(productId: string, changes: ProductChanges): void {
    const known = this.products.get(productId);
    if (known === undefined) throw new UsageError(`The simulator does not sell ${productId}.`);
    const unitPrice = changes.unitPrice ?? formatDecimalMoney(known.unitPriceMicrocents);
    this.setProduct({ ...known, ...changes, productId, unitPrice });
  }

  setBalance(balance: string | null): void {
    this.balanceMicrocents = balance === null ? null : parseUsd(balance);
  }

  /** Notes that an order was posted, whatever will become of it. */
  count({ externalOrderId, productId, qty }: OrderRequest): void {
    const known = this.posted.get(externalOrderId);
    if (known !== undefined) known.requests += 1;
    else this.posted.set(externalOrderId, { requests: 1, productId, qty, order: null });
  }

  /** Buys, replays or refuses. `change` alters what would happen to an order that can be bought. */
  place(request: OrderRequest, change: "deliver" | "process" | "fail" = "deliver"): PlaceOutcome {
    const known = this.posted.get(request.externalOrderId)?.order ?? null;
    if (known !== null) {
      const answer = answerOfKnown(known, request);
      if (answer !== null) return answer;
    }
    const product = this.products.get(request.productId);
    if (product === undefined) return { refusal: "not_found" };
    const refused = change === "fail" ? null : this.#refusal(product, request);
    if (refused !== null) return refused;
    const order = this.#open(product, request, known);
    if (change === "process") return { order, reused: false };
    this.settle(order, change === "deliver" ? "delivered" : "failed");
    return change === "deliver" ? { order, reused: false } : closedConflict(order);
  }

  /** Ends an order that is `processing`. */
  settle(order: SimulatedOrder, end: "delivered" | "retryable" | "failed"): void {
    if (order.status !== "processing") return;
    const { product, amountMicrocents } = order;
    order.status = end;
    this.reservedMicrocents = subtract(this.reservedMicrocents, amountMicrocents);
    if (end === "delivered") {
      order.firstCode = this.#codesMade;
      this.#codesMade += order.qty;
      order.deliveredAtMs = Date.now();
      this.#pay(amountMicrocents);
      return;
    }
    order.errorCode = "supplier_unavailable";
    if (product.stock !== null) product.stock += order.qty;
  }

  /** Gives the money of a delivered order back; its codes stay sold. @throws {UsageError} when there is no such order. */
  refund(externalOrderId: string): void {
    const order = this.posted.get(externalOrderId)?.order;
    if (order?.status !== "delivered")
      throw new UsageError(`There is no delivered order ${externalOrderId}.`);
    order.status = "refunded";
    this.#pay(subtract(ZERO, order.amountMicrocents));
  }

  /** The codes that were made for an order, also when it was refunded since. */
  codesOf({ firstCode, qty }: SimulatedOrder): string[] {
    return firstCode === null ? [] : codesFrom(this.#seed, firstCode, qty);
  }

  /** The order with that id. */
  orderWithId(orderId: string): SimulatedOrder | null {
    const [, index = ""] = /^sim_[0-9a-f]{8}_(0|[1-9]\d*)$/.exec(orderId) ?? [];
    const order = index === "" ? undefined : this.orders[Number(index)];
    return order?.orderId === orderId ? order : null;
  }

  #refusal(product: SimulatedProduct, { qty, expectedUnitPrice }: OrderRequest): PlaceOutcome | null {
    const price = product.unitPriceMicrocents;
    if (expectedUnitPrice !== undefined && parseDecimalMoney(expectedUnitPrice) !== price) {
      const details = { expectedUnitPrice, actualUnitPrice: formatDecimalMoney(price) };
      return { refusal: "price_changed", details };
    }
    if (product.stock !== null && product.stock < qty) return { refusal: "out_of_stock" };
    const { balanceMicrocents, reservedMicrocents } = this;
    if (balanceMicrocents === null || balanceMicrocents - reservedMicrocents >= multiply(price, qty))
      return null;
    return { refusal: "insufficient_balance" };
  }

  /** Reserves codes and money for a new order, or for one that is tried again. */
  #open(product: SimulatedProduct, request: OrderRequest, known: SimulatedOrder | null): SimulatedOrder {
    const { externalOrderId, qty } = request;
    const unitPriceMicrocents = product.unitPriceMicrocents;
    const amountMicrocents = multiply(unitPriceMicrocents, qty);
    if (product.stock !== null) product.stock -= qty;
    this.reservedMicrocents = add(this.reservedMicrocents, amountMicrocents);
    if (known !== null) {
      return Object.assign(known, {
        unitPriceMicrocents,
        amountMicrocents,
        status: "processing",
        errorCode: null,
      });
    }
    const index = this.orders.length;
    const order: SimulatedOrder = {
      orderId: `sim_${this.#orderTag}_${index}`,
      index,
      externalOrderId,
      product,
      qty,
      unitPriceMicrocents,
      amountMicrocents,
      status: "processing",
      errorCode: null,
      firstCode: null,
      createdAtMs: Date.now(),
      deliveredAtMs: null,
    };
    this.orders.push(order);
    const posted = this.posted.get(externalOrderId);
    if (posted === undefined) throw new Error(`${externalOrderId} was not counted.`);
    posted.order = order;
    return order;
  }

  #pay(amount: Microcents): void {
    if (this.balanceMicrocents !== null) this.balanceMicrocents = subtract(this.balanceMicrocents, amount);
  }
}

/** The price one cent above a product's. */
export function oneCentMore({ unitPriceMicrocents }: SimulatedProduct): string {
  return formatDecimalMoney(add(unitPriceMicrocents, CENT));
}

/** What a known id answers; null for an order that may be tried again. */
function answerOfKnown(order: SimulatedOrder, request: OrderRequest): PlaceOutcome | null {
  if (order.product.productId !== request.productId || order.qty !== request.qty) {
    return { refusal: "idempotency_conflict" };
  }
  switch (order.status) {
    case "delivered":
      return { order, reused: true };
    case "processing":
      return { refusal: "order_in_progress" };
    case "retryable":
      return null;
    default:
      return closedConflict(order);
  }
}

function closedConflict({ orderId, status, errorCode }: SimulatedOrder): PlaceOutcome {
  return { refusal: "idempotency_conflict", details: { orderId, status, errorCode } };
}

function checkStock(stock: number | null): number | null {
  if (stock !== null && !(Number.isSafeInteger(stock) && stock >= 0))
    throw new UsageError(`${stock} is no stock.`);
  return stock;
}

/** @throws when the text is no amount. */
function parseUsd(text: string): Microcents {
  const amount = parseDecimalMoney(text);
  if (amount === null) throw new UsageError(`${JSON.stringify(text)} is no amount in USD such as "1.00".`);
  return microcents(amount);
}
