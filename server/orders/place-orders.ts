import type { Accounts } from "../accounts/accounts.ts";
import { levelOf } from "../accounts/level.ts";
import type { PricedProduct } from "../catalog/product.ts";
import type { Products } from "../catalog/products.ts";
import { type Clock, utcDay } from "../clock.ts";
import type { Database } from "../database/database.ts";
import {
  CommitOutcomeUnknownError,
  ContentionError,
  type Transaction,
  transaction,
} from "../database/transaction.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../ids.ts";
import { addDailySpend, dailySpend } from "../keys/key-store.ts";
import { book } from "../ledger/ledger-store.ts";
import { multiply, negate } from "../money/microcents.ts";
import type { Cipher } from "../stock/code-cipher.ts";
import { WrongEncryptionKeysError } from "../stock/errors.ts";
import { type CodeRange, takeFrom } from "../stock/segment.ts";
import { advanceSegment, lockOpenSegments } from "../stock/stock-store.ts";
import {
  InsufficientBalanceError,
  KeyDailyLimitExceededError,
  OrderCommitPendingError,
  OrderInProgressError,
  OutOfStockError,
} from "./errors.ts";
import type { Order } from "./order.ts";
import {
  type BuyersKey,
  insertCodeRange,
  insertOrder,
  OrderExistsError,
  type StoredOrder,
} from "./order-store.ts";
import { exceeds, type OrderRequest, refuseKnownOrder, refuseNewOrder } from "./rules.ts";

/** How one request of a list ended: with its order (`reused` when it had been delivered before), or refused. */
export type Placed =
  | { readonly stored: StoredOrder; readonly reused: boolean }
  | { readonly refused: DomainError };

/** What placing orders needs. */
export interface PlacingContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly products: Products;
  readonly cipher: Pick<Cipher, "hasKey">;
  /** The order that a buyer's id stands for, as it is in the database now. */
  readonly findKnown: (key: BuyersKey) => Promise<StoredOrder | null>;
}

/** A request that may become an order: all that could be judged before the transaction speaks for it. */
interface Candidate {
  readonly request: OrderRequest;
  readonly order: Order;
}

/**
 * Places orders for products sold from stock, each judged on its own, all in one transaction where that can be.
 * The checks of one request come in the order that the interface promises: known id, product, price, single-order
 * cap, stock, daily cap, balance. A refused request leaves no trace.
 * @returns one outcome per request, in the order of the requests. Throws only what nobody foresees.
 */
export async function placeOrders(
  context: PlacingContext,
  requests: readonly OrderRequest[],
): Promise<Placed[]> {
  const judged = await Promise.all(requests.map((request) => judge(context, request)));
  const candidates = judged.filter((outcome) => "order" in outcome);
  const committed = await commit(context, candidates);
  return judged.map((outcome) => {
    return "order" in outcome ? outcomeOf(committed, outcome) : outcome;
  });
}

function outcomeOf(committed: ReadonlyMap<Candidate, Placed>, candidate: Candidate): Placed {
  const placed = committed.get(candidate);
  if (placed === undefined) throw new Error("A request was left without an outcome.");
  return placed;
}

/** Everything that is decided before the transaction. */
async function judge(context: PlacingContext, request: OrderRequest): Promise<Placed | Candidate> {
  const known = await replay(context, request);
  if (known !== null) return known;
  try {
    const offer = await currentOffer(context, request);
    const refused = refuseNewOrder(offer, request);
    return refused === null ? { request, order: newOrder(request, offer, context.clock()) } : { refused };
  } catch (error) {
    if (error instanceof DomainError) return { refused: error };
    throw error;
  }
}

/** The outcome for an externalOrderId that already stands for an order; null when it does not. */
async function replay({ findKnown }: PlacingContext, request: OrderRequest): Promise<Placed | null> {
  const { externalOrderId, caller } = request;
  const stored = await findKnown({ accountId: caller.accountId, externalOrderId });
  if (stored === null) return null;
  const refused = refuseKnownOrder(stored.order, request);
  return refused === null ? { stored, reused: true } : { refused };
}

/** What is asked for, at the price of the account's level as it is now. */
async function currentOffer(
  { accounts, products }: PlacingContext,
  request: OrderRequest,
): Promise<PricedProduct> {
  const { scoreMicrocents } = await accounts.get(request.caller.accountId);
  return products.priced(request.productId, levelOf(scoreMicrocents));
}

function newOrder(
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
    status: "delivered",
    redeemUrl: product.redeemUrl,
    errorCode: null,
    spendDay: utcDay(nowMs),
    createdAtMs: nowMs,
    deliveredAtMs: nowMs,
    refundedAtMs: null,
  };
}

/** Commits all candidates together; when one upsets the others, each alone. */
async function commit(
  context: PlacingContext,
  candidates: readonly Candidate[],
): Promise<Map<Candidate, Placed>> {
  if (candidates.length > 1) {
    try {
      return await transaction(context.database, (tx) => writeOrders(tx, context, candidates));
    } catch (error) {
      // Anything but a lost answer shows again, and for whom, when each is tried alone.
      const settle = error instanceof CommitOutcomeUnknownError ? settleUnknown : commitAlone;
      return oneByOne(candidates, (candidate) => settle(context, candidate));
    }
  }
  return oneByOne(candidates, (candidate) => commitAlone(context, candidate));
}

async function oneByOne(
  candidates: readonly Candidate[],
  settle: (candidate: Candidate) => Promise<Placed>,
): Promise<Map<Candidate, Placed>> {
  const outcomes = new Map<Candidate, Placed>();
  for (const candidate of candidates) outcomes.set(candidate, await settle(candidate));
  return outcomes;
}

async function commitAlone(context: PlacingContext, candidate: Candidate): Promise<Placed> {
  try {
    const placed = await transaction(context.database, (tx) => writeOrders(tx, context, [candidate]));
    return outcomeOf(placed, candidate);
  } catch (error) {
    if (error instanceof DomainError) return { refused: error };
    if (error instanceof ContentionError) return { refused: new OrderInProgressError() };
    if (error instanceof OrderExistsError) return replayWinner(context, candidate.request);
    if (error instanceof CommitOutcomeUnknownError) return settleUnknown(context, candidate);
    throw error;
  }
}

/** Another attempt at the same order was faster; should it be gone again, the buyer's next attempt finds out. */
async function replayWinner(context: PlacingContext, request: OrderRequest): Promise<Placed> {
  return (await replay(context, request)) ?? { refused: new OrderInProgressError() };
}

/** After a commit whose answer never came: what the database knows decides, asked on another connection. */
async function settleUnknown(context: PlacingContext, candidate: Candidate): Promise<Placed> {
  try {
    const placed = await replay(context, candidate.request);
    if (placed === null) return { refused: new OrderCommitPendingError() };
    if ("refused" in placed) return placed;
    return { ...placed, reused: placed.stored.order.orderId !== candidate.order.orderId };
  } catch {
    return { refused: new OrderCommitPendingError() };
  }
}

/**
 * The transaction of orders from stock. Locks are taken in the one order that all of the service keeps (order, stock,
 * key, account), each kind sorted by id; the account comes last because it is the most wanted.
 * @returns the delivered orders, which are so only when the transaction has been committed.
 */
async function writeOrders(
  tx: Transaction,
  { cipher }: PlacingContext,
  candidates: readonly Candidate[],
): Promise<Map<Candidate, Placed>> {
  const delivered = new Map<Candidate, Placed>();
  for (const { order } of sortedBy(candidates, ({ order }) => order.orderId)) await insertOrder(tx, order);
  for (const candidate of sortedBy(candidates, ({ order }) => order.productId)) {
    const stored = { order: candidate.order, ranges: await takeCodes(tx, cipher, candidate.order) };
    delivered.set(candidate, { stored, reused: false });
  }
  for (const candidate of sortedBy(candidates, ({ order }) => order.keyId)) await spend(tx, candidate);
  for (const { order } of sortedBy(candidates, ({ order }) => order.accountId)) await charge(tx, order);
  return delivered;
}

async function takeCodes(
  tx: Transaction,
  cipher: PlacingContext["cipher"],
  order: Order,
): Promise<CodeRange[]> {
  const takings = takeFrom(await lockOpenSegments(tx, order.productId, order.qty), order.qty);
  if (takings === null) throw new OutOfStockError(order.productId, order.qty);
  for (const { segment, range } of takings) {
    // A process that cannot read the codes must not take money for them.
    if (!cipher.hasKey(segment.encryptionKeyId)) throw new WrongEncryptionKeysError();
    await advanceSegment(tx, segment, range);
    await insertCodeRange(tx, order, range);
  }
  return takings.map(({ range }) => range);
}

async function spend(tx: Transaction, { order, request }: Candidate): Promise<void> {
  await addDailySpend(tx, order.keyId, order.spendDay, order.amountMicrocents);
  const cap = request.caller.dailyCapMicrocents;
  if (cap !== null && exceeds(await dailySpend(tx, order.keyId, order.spendDay), cap)) {
    throw new KeyDailyLimitExceededError(cap);
  }
}

async function charge(tx: Transaction, order: Order): Promise<void> {
  const booked = await book(tx, {
    accountId: order.accountId,
    type: "order",
    amountMicrocents: negate(order.amountMicrocents),
    reference: order.orderId,
    note: null,
    createdAtMs: order.createdAtMs,
  });
  if (!booked) throw new InsufficientBalanceError(order.amountMicrocents);
}

function sortedBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
