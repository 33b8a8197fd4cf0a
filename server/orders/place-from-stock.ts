import {
  CommitOutcomeUnknownError,
  ContentionError,
  type Transaction,
  transaction,
} from "../database/transaction.ts";
import { DomainError } from "../errors.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import { book } from "../ledger/ledger-store.ts";
import { negate } from "../money/microcents.ts";
import type { Cipher } from "../stock/code-cipher.ts";
import { WrongEncryptionKeysError } from "../stock/errors.ts";
import { type CodeRange, takeFrom } from "../stock/segment.ts";
import { advanceSegment, lockOpenSegments } from "../stock/stock-store.ts";
import { countSpends } from "./count-spend.ts";
import { OrderInProgressError, OutOfStockError } from "./errors.ts";
import {
  type Candidate,
  type Placed,
  type PlacingContext,
  replayWinner,
  settleUnknown,
} from "./judge-request.ts";
import type { Order } from "./order.ts";
import { insertCodeRange, insertOrders, OrderExistsError } from "./order-store.ts";

/**
 * Places orders for products that are sold from stock, all in one transaction; when one upsets the others, each alone.
 * A refused order leaves no trace.
 */
export async function placeFromStock(
  context: PlacingContext,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<Candidate, Placed>> {
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
  await insertOrders(
    tx,
    sortedBy(candidates, ({ order }) => order.orderId).map(({ order }) => order),
  );
  for (const candidate of sortedBy(candidates, ({ order }) => order.productId)) {
    const stored = { order: candidate.order, ranges: await takeCodes(tx, cipher, candidate.order) };
    delivered.set(candidate, { stored, reused: false });
  }
  await countSpends(tx, candidates);
  for (const { order } of sortedBy(candidates, ({ order }) => order.accountId)) await charge(tx, order);
  return delivered;
}

async function takeCodes(
  tx: Transaction,
  cipher: Pick<Cipher, "hasKey">,
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

async function charge(tx: Transaction, order: Order): Promise<void> {
  const booked = await book(tx, {
    accountId: order.accountId,
    type: "order",
    amountMicrocents: negate(order.amountMicrocents),
    reference: order.orderId,
    note: null,
    createdAtMs: order.createdAtMs,
  });
  if (!booked) throw InsufficientBalanceError.ofOrder(order.amountMicrocents);
}

function sortedBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** What became of one of several. */
export function outcomeOf(committed: ReadonlyMap<Candidate, Placed>, candidate: Candidate): Placed {
  const placed = committed.get(candidate);
  if (placed === undefined) throw new Error("A request was left without an outcome.");
  return placed;
}
