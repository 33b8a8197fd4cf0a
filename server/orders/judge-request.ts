import { randomUUID } from "node:crypto";
import type { Accounts } from "../accounts/accounts.ts";
import { levelOf } from "../accounts/level.ts";
import { isAcceptableCost } from "../catalog/acceptable-cost.ts";
import type { PricedProduct, Supply } from "../catalog/product.ts";
import type { Products } from "../catalog/products.ts";
import { utcDay } from "../clock.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../ids.ts";
import { multiply } from "../money/microcents.ts";
import type { CodeRange } from "../stock/segment.ts";
import { SupplierPriceChangedError } from "../suppliers/errors.ts";
import type { Quote } from "../suppliers/supplier.ts";
import type { Suppliers } from "../suppliers/suppliers.ts";
import { OrderCommitPendingError, OrderInProgressError, OutOfStockError } from "./errors.ts";
import type { Order, OrderWithCodes } from "./order.ts";
import type { BuyersKey, StoredOrder } from "./order-store.ts";
import type { Purchase } from "./purchase.ts";
import type { OnDemandCandidate, PurchaseContext } from "./purchase-context.ts";
import { judgeKnownOrder, type OrderRequest, refuseNewOrder } from "./rules.ts";

/**
 * How one request ended: with its order as it is stored (`reused` when it had been delivered before), with one whose
 * codes were bought just now, or refused.
 */
export type Placed =
  | { readonly stored: StoredOrder; readonly reused: boolean }
  | { readonly bought: OrderWithCodes }
  | { readonly refused: DomainError };

/** What placing orders needs. */
export interface PlacingContext extends PurchaseContext {
  readonly accounts: Pick<Accounts, "get">;
  readonly products: Pick<Products, "get" | "priced">;
  readonly suppliers: Pick<Suppliers, "adapterOf" | "quote">;
  /** The order that a buyer's id stands for, as it is in the database now. */
  readonly findKnown: (key: BuyersKey) => Promise<StoredOrder | null>;
  /** The transaction of an order from stock, shared by those that come together; see `writeSales`. Gives its codes. */
  readonly sell: (candidate: Candidate) => Promise<readonly CodeRange[]>;
}

/** A request that may become an order: all that could be judged before the transaction speaks for it. */
export interface Candidate {
  readonly kind: "from-stock";
  readonly request: OrderRequest;
  readonly order: Order;
}

/** What is to be done with a request. */
export type Judged =
  | Candidate
  | OnDemandCandidate
  | { readonly kind: "resume"; readonly order: Order }
  | { readonly kind: "placed"; readonly placed: Placed };

/** Everything that is decided before the first transaction. */
export async function judgeRequest(context: PlacingContext, request: OrderRequest): Promise<Judged> {
  try {
    const known = await findKnown(context, request);
    const judged = known === null ? "again" : judgeKnownOrder(known.order, request);
    if (known !== null && judged === "resume") return { kind: "resume", order: known.order };
    if (known !== null && judged === "replay")
      return { kind: "placed", placed: { stored: known, reused: true } };
    if (judged instanceof DomainError) throw judged;
    return await judgePurchase(context, request, known?.order ?? null);
  } catch (error) {
    if (error instanceof DomainError) return { kind: "placed", placed: { refused: error } };
    throw error;
  }
}

/** @param ended the order that the id stands for already, when it is to be tried afresh. */
async function judgePurchase(
  context: PlacingContext,
  request: OrderRequest,
  ended: Order | null,
): Promise<Judged> {
  const offer = await currentOffer(context, request);
  const refused = refuseNewOrder(offer, request);
  if (refused !== null) throw refused;
  const { supply } = offer.product;
  if (supply === null) {
    return { kind: "from-stock", request, order: deliveredOrder(request, offer, context.clock()) };
  }
  const quote = await acceptableQuote(context, supply, request);
  const nowMs = context.clock();
  const fresh = processingOrder(request, offer, nowMs);
  const order = ended === null ? fresh : { ...fresh, orderId: ended.orderId, createdAtMs: ended.createdAtMs };
  const purchase: Purchase = {
    ...supply,
    orderId: order.orderId,
    unitCostMicrocents: quote.unitCostMicrocents,
    supplierOrderId: null,
    claim: randomUUID(),
    leased: true,
    attempts: 1,
    unconfirmedSinceMs: nowMs,
    processingSinceMs: nowMs,
    dueAtMs: nowMs + context.times.leaseMs,
  };
  const { redeemUrl } = offer.product;
  return { kind: "on-demand", request, order, purchase, redeemUrl, again: ended !== null };
}

/** What is asked for, at the price of the account's level as it is now. */
async function currentOffer(
  { accounts, products }: PlacingContext,
  request: OrderRequest,
): Promise<PricedProduct> {
  const { scoreMicrocents } = await accounts.get(request.caller.accountId);
  return products.priced(request.productId, levelOf(scoreMicrocents));
}

/**
 * What the supplier asks. An order is never refused for something that was true some seconds ago.
 * @throws {SupplierPriceChangedError} @throws {OutOfStockError} @throws {SupplierUnavailableError}
 * @throws {SupplierNotConfiguredError}
 */
async function acceptableQuote(
  { suppliers }: PlacingContext,
  { supplierId, supplierProductId, maxUnitCostMicrocents }: Supply,
  { productId, qty }: OrderRequest,
): Promise<Quote> {
  const accepts = ({ unitCostMicrocents }: Quote) =>
    isAcceptableCost(unitCostMicrocents, maxUnitCostMicrocents);
  const recent = await suppliers.quote(supplierId, supplierProductId, qty, { fresh: false });
  if (recent.available && accepts(recent)) return recent;
  const quote = await suppliers.quote(supplierId, supplierProductId, qty, { fresh: true });
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

function findKnown({ findKnown }: PlacingContext, { externalOrderId, caller }: OrderRequest) {
  return findKnown({ accountId: caller.accountId, externalOrderId });
}

/** Another attempt at the same order was faster; unless it is delivered, the buyer's next attempt finds out more. */
export async function replayWinner(context: PlacingContext, request: OrderRequest): Promise<Placed> {
  return (await replay(context, request)) ?? { refused: new OrderInProgressError() };
}

/** After a commit whose answer never came: what the database knows decides, asked on another connection. */
export async function settleUnknown(
  context: PlacingContext,
  { request, order }: Pick<Candidate, "request" | "order">,
): Promise<Placed> {
  try {
    const placed = await replay(context, request);
    if (placed === null) return { refused: new OrderCommitPendingError() };
    if (!("stored" in placed)) return placed;
    return { ...placed, reused: placed.stored.order.orderId !== order.orderId };
  } catch {
    return { refused: new OrderCommitPendingError() };
  }
}

/** The outcome for an externalOrderId whose order has come to an end; null when there is none, or it has not. */
async function replay(context: PlacingContext, request: OrderRequest): Promise<Placed | null> {
  const known = await findKnown(context, request);
  if (known === null) return null;
  const judged = judgeKnownOrder(known.order, request);
  if (judged === "replay") return { stored: known, reused: true };
  return judged instanceof DomainError ? { refused: judged } : null;
}
