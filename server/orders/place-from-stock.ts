import type { Clock } from "../clock.ts";
import { combinedTransaction } from "../database/combined-transaction.ts";
import type { Database } from "../database/database.ts";
import { CommitOutcomeUnknownError, ContentionError } from "../database/faults.ts";
import type { Transaction } from "../database/transaction.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import { charge } from "../ledger/funds.ts";
import { type FundsByAccount, lockFunds } from "../ledger/funds-store.ts";
import type { Cipher } from "../stock/code-cipher.ts";
import { UnreadableCodeError, WrongEncryptionKeysError } from "../stock/errors.ts";
import { openCodes } from "../stock/open-codes.ts";
import { allocateFromSegments, type CodeRange, divideRanges } from "../stock/segment.ts";
import type { SetAside } from "../stock/set-aside.ts";
import { advanceSegment, lockOpenSegments } from "../stock/stock-store.ts";
import { addToDailySpend } from "./daily-spend.ts";
import { OrderInProgressError, OutOfStockError } from "./errors.ts";
import type { StockOrderCandidate } from "./judge-request.ts";
import type { KnownOrders } from "./known-orders.ts";
import type { Order, PlacedOrder } from "./order.ts";
import { insertCodeRanges, insertOrders, OrderExistsError } from "./order-store.ts";
import { refuseLate } from "./refuse-late.ts";

/** What placing orders from stock needs. */
export interface PlaceFromStockDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly cipher: Pick<Cipher, "hasKey" | "decrypt">;
  readonly setAside: SetAside;
  readonly knownOrders: Pick<KnownOrders, "replayCommitted" | "resolveUnknownCommit">;
}

/**
 * Places an order for a product that is sold from stock. One that is refused leaves no trace.
 * @throws {DomainError} it is refused; see {@link writeSales}.
 */
export type PlaceFromStock = (candidate: StockOrderCandidate) => Promise<PlacedOrder>;

/** Orders that come together share a transaction. */
export function createPlaceFromStock(dependencies: PlaceFromStockDependencies): PlaceFromStock {
  const { database, clock, cipher, setAside, knownOrders } = dependencies;
  const sell = combinedTransaction<StockOrderCandidate, readonly string[]>(
    database,
    async (tx, candidates) => {
      const codes = await writeSales(tx, cipher, candidates);
      refuseLate(candidates, clock());
      return codes;
    },
    {
      rowsOf: ({ order }) => [order.accountId, order.productId],
      contestedOf: ({ order }) => order.accountId,
    },
  );
  const place: PlaceFromStock = async (candidate) => {
    const { request, order } = candidate;
    try {
      return { order: { ...order, codes: await sell(candidate) }, reused: false };
    } catch (error) {
      if (error instanceof UnreadableCodeError) {
        await setAside(error);
        // From another segment, or out of stock.
        return place(candidate);
      }
      if (error instanceof ContentionError) throw new OrderInProgressError();
      if (error instanceof OrderExistsError) return knownOrders.replayCommitted(request);
      if (error instanceof CommitOutcomeUnknownError) return knownOrders.resolveUnknownCommit(request, order);
      throw error;
    }
  };
  return place;
}

/**
 * The transaction of orders from stock. Locks are taken in the one order that all of the service keeps (order, account,
 * stock, key), each kind sorted by id. But an account is the most wanted of all rows, and a product's row is wanted by others:
 * so an order that has no reason to wait for its account takes the stock first, and then the account in a moment or not at all.
 * @returns the codes of each order, opened, in the order of the candidates: what cannot be opened is not paid for.
 * @throws {UnreadableCodeError} @throws {OrderExistsError} @throws {OutOfStockError} @throws {KeyDailyLimitExceededError}
 * @throws {InsufficientBalanceError} of any of them; which one it is shows when each is written alone.
 */
export async function writeSales(
  tx: Transaction,
  cipher: Pick<Cipher, "hasKey" | "decrypt">,
  candidates: readonly StockOrderCandidate[],
): Promise<readonly (readonly string[])[]> {
  const orders = candidates.map(({ order }) => order);
  await insertOrders(tx, orders);
  const lockedFirst = tx.lockWait === "in line" ? await lockFunds(tx, orders) : null;
  const taken = await takeCodes(tx, cipher, orders);
  const codes = await openTakenCodes(tx, cipher, taken);
  const funds = lockedFirst ?? (await lockFunds(tx, orders));
  await addToDailySpend(tx, candidates);
  await chargeOrders(tx, funds, orders);
  return orders.map((order) => codes.get(order) ?? []);
}

async function openTakenCodes(
  tx: Transaction,
  cipher: Pick<Cipher, "decrypt">,
  taken: ReadonlyMap<Order, readonly CodeRange[]>,
): Promise<ReadonlyMap<Order, readonly string[]>> {
  const ranges = [...taken].flatMap(([order, some]) =>
    some.map((range) => ({ ...range, productId: order.productId, order })),
  );
  const opened = await openCodes(tx, cipher, ranges);
  const codes = new Map<Order, string[]>();
  for (const [index, { order }] of ranges.entries()) {
    const earlier = codes.get(order) ?? [];
    codes.set(order, earlier.concat(opened[index] ?? []));
  }
  return codes;
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

async function chargeOrders(
  tx: Transaction,
  funds: FundsByAccount | null,
  orders: readonly Order[],
): Promise<void> {
  const [first] = orders;
  if (first === undefined) return;
  const payments = orders.map(({ accountId, orderId, amountMicrocents, createdAtMs }) => ({
    accountId,
    reference: orderId,
    chargeMicrocents: amountMicrocents,
    createdAtMs,
  }));
  const paid = await charge(tx, funds, payments, "order");
  if (!paid) throw InsufficientBalanceError.ofOrder(first.amountMicrocents);
}
