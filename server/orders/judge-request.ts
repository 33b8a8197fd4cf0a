import type { Accounts } from "../accounts/accounts.ts";
import { levelOf } from "../accounts/level.ts";
import { isAcceptableCost } from "../catalog/acceptable-cost.ts";
import type { PricedProduct, Supply } from "../catalog/product.ts";
import type { Products } from "../catalog/products.ts";
import { type Clock, utcDay } from "../clock.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../ids.ts";
import { multiply, subtract } from "../money/microcents.ts";
import type { Processes } from "../processes/processes.ts";
import { SupplierPriceChangedError } from "../suppliers/errors.ts";
import type { Quote, QuotePurpose } from "../suppliers/supplier.ts";
import type { Suppliers } from "../suppliers/suppliers.ts";
import { newClaim } from "./claim.ts";
import { OutOfStockError } from "./errors.ts";
import type { KnownOrders } from "./known-orders.ts";
import type { Order } from "./order.ts";
import type { StoredOrder } from "./order-store.ts";
import type { Purchase, PurchaseTimes } from "./purchase.ts";
import { checkNewOrder, judgeKnownOrder, type OrderRequest } from "./rules.ts";

/** What judging requests needs. */
export interface JudgeRequestDependencies {
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, "get">;
  readonly products: Pick<Products, "priced">;
  readonly suppliers: Pick<Suppliers, "quote">;
  readonly times: Pick<PurchaseTimes, "leaseMs">;
  readonly processes: Pick<Processes, "id">;
  readonly knownOrders: Pick<KnownOrders, "find" | "findUnlessUnderWay">;
  /** Whether anything is sold at all. */
  readonly selling: boolean;
}

/** A request that may become an order from stock: all that could be judged before the transaction speaks for it. */
export interface StockOrderCandidate {
  readonly kind: "from-stock";
  readonly request: OrderRequest;
  readonly order: Order;
  /** When it was begun to be judged: see {@link refuseLate}. */
  readonly judgedAtMs: number;
}

/** A request that may become an order whose codes are bought: new, or one that had ended without a purchase. */
export interface OnDemandCandidate {
  readonly kind: "on-demand";
  readonly request: OrderRequest;
  readonly order: Order;
  /** As in {@link StockOrderCandidate}. */
  readonly judgedAtMs: number;
  readonly purchase: Purchase;
  /** The product's own. */
  readonly redeemUrl: string | null;
  readonly again: boolean;
}

/** What is to be done with a request that is not refused. */
export type JudgedRequest =
  | StockOrderCandidate
  | OnDemandCandidate
  | { readonly kind: "resume" | "replay"; readonly known: StoredOrder };

/**
 * Everything that is decided before the first transaction.
 * @throws {OrderInProgressError} it would be refused, but an earlier attempt at the same order is under way.
 * @throws {IdempotencyConflictError} @throws {NotFoundError} @throws {PriceChangedError}
 * @throws {KeyOrderLimitExceededError} and, of a product that is bought on demand, what {@link acceptableQuote} throws.
 */
export async function judgeRequest(
  dependencies: JudgeRequestDependencies,
  request: OrderRequest,
): Promise<JudgedRequest> {
  const known = await dependencies.knownOrders.find(request);
  const judged = judgeStored(known, request);
  if (judged !== null) return judged;
  try {
    return await judgeNewOrder(dependencies, request, known?.order ?? null);
  } catch (refusal) {
    if (!(refusal instanceof DomainError)) throw refusal;
    // To the buyer a refusal means "not bought", so it must not come while an earlier attempt may still deliver.
    const judgedNow = judgeStored(await dependencies.knownOrders.findUnlessUnderWay(request), request);
    if (judgedNow === null) throw refusal;
    return judgedNow;
  }
}

/** @returns null when the id stands for no order, or for one that is to be tried afresh. @throws {IdempotencyConflictError} */
function judgeStored(known: StoredOrder | null, request: OrderRequest): JudgedRequest | null {
  if (known === null) return null;
  const kind = judgeKnownOrder(known.order, request);
  return kind === "again" ? null : { kind, known };
}

/** @param ended the order that the id stands for already, when it is to be tried afresh. */
async function judgeNewOrder(
  dependencies: JudgeRequestDependencies,
  request: OrderRequest,
  ended: Order | null,
): Promise<JudgedRequest> {
  const { clock, times, processes } = dependencies;
  const judgedAtMs = clock();
  const offer = await currentOffer(dependencies, request);
  checkNewOrder(offer, request);
  if (!dependencies.selling) throw new OutOfStockError(request.productId, request.qty);
  const { supply, redeemUrl } = offer.product;
  if (supply === null) {
    return { kind: "from-stock", request, order: deliveredOrder(request, offer, clock()), judgedAtMs };
  }
  const purpose = offer.isCovered ? "purchase" : "look";
  const quote = await acceptableQuote(dependencies, supply, request, purpose);
  const nowMs = clock();
  const fresh = processingOrder(request, offer, nowMs);
  const order = ended === null ? fresh : { ...fresh, orderId: ended.orderId, createdAtMs: ended.createdAtMs };
  const purchase: Purchase = {
    ...supply,
    orderId: order.orderId,
    unitCostMicrocents: quote.unitCostMicrocents,
    supplierOrderId: null,
    claim: newClaim(processes.id),
    leased: true,
    attempts: 1,
    inDoubtSinceMs: nowMs,
    processingSinceMs: nowMs,
    dueAtMs: nowMs + times.leaseMs,
  };
  return { kind: "on-demand", request, order, judgedAtMs, purchase, redeemUrl, again: ended !== null };
}

/** What is asked for, at the price of the account's level as it is now, and whether what is available covers it. */
async function currentOffer(
  { accounts, products }: JudgeRequestDependencies,
  { caller, productId, qty }: OrderRequest,
): Promise<PricedProduct & { readonly isCovered: boolean }> {
  const { scoreMicrocents, balanceMicrocents, reservedMicrocents } = await accounts.get(caller.accountId);
  const priced = await products.priced(productId, levelOf(scoreMicrocents));
  const amount = multiply(priced.unitPriceMicrocents, qty);
  return { ...priced, isCovered: amount <= subtract(balanceMicrocents, reservedMicrocents) };
}

/**
 * What the supplier asks. An order is never refused for something that was true some seconds ago. One that the account
 * cannot pay for is no purchase to the supplier, and uses up none of the requests that are kept for purchases.
 * @throws {SupplierPriceChangedError} @throws {OutOfStockError} @throws {SupplierUnavailableError}
 * @throws {SupplierNotConfiguredError}
 */
async function acceptableQuote(
  { suppliers }: JudgeRequestDependencies,
  { supplierId, supplierProductId, maxUnitCostMicrocents }: Supply,
  { productId, qty }: OrderRequest,
  purpose: QuotePurpose,
): Promise<Quote> {
  const accepts = ({ unitCostMicrocents }: Quote) =>
    isAcceptableCost(unitCostMicrocents, maxUnitCostMicrocents);
  const recent = await suppliers.quote(supplierId, supplierProductId, qty, { fresh: false, purpose });
  if (recent.available && accepts(recent)) return recent;
  const quote = await suppliers.quote(supplierId, supplierProductId, qty, { fresh: true, purpose });
  if (!accepts(quote)) throw new SupplierPriceChangedError();
  if (!quote.available) throw new OutOfStockError(productId, qty);
  return quote;
}

function deliveredOrder(request: OrderRequest, offer: PricedProduct, nowMs: number): Order {
  const { redeemUrl } = offer.product;
  return { ...processingOrder(request, offer, nowMs), status: "delivered", redeemUrl, deliveredAtMs: nowMs };
}

function processingOrder(
  request: OrderRequest,
  { product, unitPriceMicrocents }: PricedProduct,
  nowMs: number,
): Order {
  return {
    orderId: newId("ord"),
    accountId: request.caller.accountId,
    externalOrderId: request.externalOrderId,
    keyId: request.caller.keyId,
    productId: product.productId,
    productName: product.name,
    qty: request.qty,
    unitPriceMicrocents,
    amountMicrocents: multiply(unitPriceMicrocents, request.qty),
    status: "processing",
    redeemUrl: null,
    errorCode: null,
    spendDay: utcDay(nowMs),
    createdAtMs: nowMs,
    deliveredAtMs: null,
    refundedAtMs: null,
  };
}
