import type { Clock } from "../clock.ts";
import { combinedTransaction } from "../database/combined-write.ts";
import type { Database } from "../database/database.ts";
import { CommitOutcomeUnknownError, ContentionError, type Transaction } from "../database/transaction.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import { charge } from "../ledger/funds.ts";
import type { Cipher } from "../stock/code-cipher.ts";
import { WrongEncryptionKeysError } from "../stock/errors.ts";
import { allocateFromSegments, type CodeRange, divideRanges } from "../stock/segment.ts";
import { advanceSegment, lockOpenSegments } from "../stock/stock-store.ts";
import { addToDailySpend } from "./daily-spend.ts";
import { OrderInProgressError, OutOfStockError } from "./errors.ts";
import type { StockOrderCandidate } from "./judge-request.ts";
import type { KnownOrders } from "./known-orders.ts";
import type { OpenOrder } from "./open-order.ts";
import type { Order, PlacedOrder } from "./order.ts";
import { insertCodeRanges, insertOrders, OrderExistsError } from "./order-store.ts";
import { refuseLate } from "./refuse-late.ts";

/** What placing orders from stock needs. */
export interface PlaceFromStockDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly cipher: Pick<Cipher, "hasKey">;
  readonly openOrder: OpenOrder;
  readonly knownOrders: Pick<KnownOrders, "replayCommitted" | "resolveUnknownCommit">;
}

/**
 * Places an order for a product that is sold from stock. One that is refused leaves no trace.
 * @throws {DomainError} it is refused; see {@link writeSales}.
 */
export type PlaceFromStock = (candidate: StockOrderCandidate) => Promise<PlacedOrder>;

/** Orders that come together share a transaction. */
export function createPlaceFromStock(dependencies: PlaceFromStockDependencies): PlaceFromStock {
  const { database, clock, cipher, openOrder, knownOrders } = dependencies;
  const sell = combinedTransaction<StockOrderCandidate, readonly CodeRange[]>(
    database,
    async (tx, candidates) => {
      const taken = await writeSales(tx, cipher, candidates);
      refuseLate(candidates, clock());
      return taken;
    },
  );
  return async (candidate) => {
    const { request, order } = candidate;
    let ranges: readonly CodeRange[];
    try {
      ranges = await sell(candidate);
    } catch (error) {
      if (error instanceof ContentionError) throw new OrderInProgressError();
      if (error instanceof OrderExistsError) return knownOrders.replayCommitted(request);
      if (error instanceof CommitOutcomeUnknownError) return knownOrders.resolveUnknownCommit(request, order);
      throw error;
    }
    return { order: await openOrder({ order, ranges }), reused: false };
  };
}

/**
 * The transaction of orders from stock. Locks are taken in the one order that all of the service keeps (order, stock,
 * key, account), each kind sorted by id; the accounts come last because they are the most wanted.
 * @returns the codes that each order took, in the order of the candidates.
 * @throws {OrderExistsError} @throws {OutOfStockError} @throws {KeyDailyLimitExceededError}
 * @throws {InsufficientBalanceError} of any of them; which one it is shows when each is written alone.
 */
export async function writeSales(
  tx: Transaction,
  cipher: Pick<Cipher, "hasKey">,
  candidates: readonly StockOrderCandidate[],
): Promise<readonly (readonly CodeRange[])[]> {
  const orders = candidates.map(({ order }) => order);
  await insertOrders(tx, orders);
  const taken = await takeCodes(tx, cipher, orders);
  await addToDailySpend(tx, candidates);
  await chargeOrders(tx, orders);
  return orders.map((order) => taken.get(order) ?? []);
}

async function takeCodes(
  tx: Transaction,
  cipher: Pick<Cipher, "hasKey">,
  orders: readonly Order[],
): Promise<ReadonlyMap<Order, readonly CodeRange[]>> {
  const byProduct = Map.groupBy(orders, ({ productId }) => productId);
  const taken = new Map<Order, readonly CodeRange[]>();
  for (const productId of [...byProduct.keys()].toSorted()) {
    const buying = byProduct.get(productId) ?? [];
    const ranges = await takeFromProduct(tx, cipher, productId, buying);
    const quantities = buying.map(({ qty }) => qty);
    const shares = divideRanges(ranges, quantities);
    for (const [index, order] of buying.entries()) taken.set(order, shares[index] ?? []);
  }
  await insertCodeRanges(tx, taken);
  return taken;
}

async function takeFromProduct(
  tx: Transaction,
  cipher: Pick<Cipher, "hasKey">,
  productId: string,
  orders: readonly Order[],
): Promise<CodeRange[]> {
  const qty = orders.reduce((sum, order) => sum + order.qty, 0);
  const allocations = allocateFromSegments(await lockOpenSegments(tx, productId, qty), qty);
  if (allocations === null) throw new OutOfStockError(productId, qty);
  for (const { segment, range } of allocations) {
    // A process that cannot read the codes must not take money for them.
    if (!cipher.hasKey(segment.encryptionKeyId)) throw new WrongEncryptionKeysError();
    await advanceSegment(tx, segment, range);
  }
  return allocations.map(({ range }) => range);
}

async function chargeOrders(tx: Transaction, orders: readonly Order[]): Promise<void> {
  const [first] = orders;
  if (first === undefined) return;
  const payments = orders.map(({ accountId, orderId, amountMicrocents, createdAtMs }) => ({
    accountId,
    reference: orderId,
    chargeMicrocents: amountMicrocents,
    createdAtMs,
  }));
  const paid = await charge(tx, payments, "order");
  if (!paid) throw InsufficientBalanceError.ofOrder(first.amountMicrocents);
}
