/**
 * A fault that is put into the code on purpose, to see that a test notices it. The code itself knows nothing of it:
 * with PLANTED_BUG=name in the environment, vitest and the servers that its tests start load the file changed.
 */
export interface PlantedBug {
  /** In kebab-case, as PLANTED_BUG takes it. */
  readonly name: string;
  /** What goes wrong for whom. */
  readonly description: string;
  readonly file: string;
  /** The text that is replaced; it must stand in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The test file that must fail. */
  readonly caughtBy: string;
}

const MODEL_TEST = "server/orders/model.faults.test.ts";

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: "stock-order-free-of-charge",
    description: "Orders from stock are delivered and never paid.",
    file: "server/orders/place-from-stock.ts",
    find: "await charge(tx, orders);",
    replace: "void charge;",
    caughtBy: "server/orders/place-order.test.ts",
  },
  {
    name: "shared-sale-beyond-the-balance",
    description: "Orders from stock that share a transaction are not held to the balance.",
    file: "server/ledger/funds.ts",
    find: "if (![...funds.values()].every(isCovered)) return false;",
    replace: "if (payments.length === 1 && ![...funds.values()].every(isCovered)) return false;",
    caughtBy: "server/orders/place-order.test.ts",
  },
  {
    name: "shared-sale-of-the-same-codes",
    description: "Orders from stock that share a transaction are given the same codes.",
    file: "server/stock/segment.ts",
    find: "if (end < run.endSequence) left.unshift({ firstSequence: end, endSequence: run.endSequence });",
    replace: "left.unshift(run);",
    caughtBy: "server/orders/place-order.test.ts",
  },
  {
    name: "purchase-under-changing-id",
    description: "Each attempt at an on-demand order is another purchase to the supplier.",
    file: "server/orders/complete-purchase.ts",
    find: "requestId: orderId,",
    replace: "requestId: (orderId + purchase.attempts) as typeof orderId,",
    caughtBy: "server/testing/faults/tripwire.faults.test.ts",
  },
  {
    name: "refund-leaves-order-open",
    description: "A refund credits the amount, but the order stays delivered and shows its codes.",
    file: "server/orders/refund-order.ts",
    find: "await markRefunded(tx, orderId, nowMs);",
    replace: "void markRefunded;",
    caughtBy: "server/orders/refunds.test.ts",
  },
  {
    name: "refund-without-credit",
    description: "A refund closes the order and credits nothing.",
    file: "server/orders/refund-order.ts",
    find: "await credit(tx, order, reason, nowMs);",
    replace: "void credit;",
    caughtBy: "server/orders/refunds.test.ts",
  },
  {
    name: "purchase-charged-twice",
    description: "An order that was bought on demand is charged twice its amount.",
    file: "server/ledger/funds.ts",
    find: "subtract(after.balance_microcents, chargeMicrocents)",
    replace: "subtract(subtract(after.balance_microcents, chargeMicrocents), chargeMicrocents)",
    caughtBy: MODEL_TEST,
  },
  {
    name: "charge-keeps-the-hold",
    description: "A charged order's amount stays set aside as well.",
    file: "server/ledger/funds.ts",
    find: "after.reserved_microcents = subtract(after.reserved_microcents, amountMicrocents);",
    replace: "void amountMicrocents;",
    caughtBy: MODEL_TEST,
  },
  {
    name: "release-keeps-the-hold",
    description: "An order that bought nothing keeps its amount set aside.",
    file: "server/orders/end-order.ts",
    find: "await releaseHold(tx, { ...holdOf(order), closedAtMs: nowMs });",
    replace: "void releaseHold;",
    caughtBy: MODEL_TEST,
  },
  {
    name: "release-keeps-the-daily-spend",
    description: "An order that bought nothing still counts towards the key's day.",
    file: "server/orders/end-order.ts",
    find: "await takeBackDailySpend(tx, order.keyId, order.spendDay, order.amountMicrocents);",
    replace: "void takeBackDailySpend;",
    caughtBy: MODEL_TEST,
  },
  {
    name: "new-request-id-on-retry",
    description: "A purchase that is sent again goes under another request id, and is made twice.",
    file: "server/orders/complete-purchase.ts",
    find: "const request = { requestId: orderId, supplierProductId",
    replace:
      "const requestId = (purchase.attempts > 1 ? orderId.concat('-', String(purchase.attempts)) : orderId) as typeof orderId;\n  const request = { requestId, supplierProductId",
    caughtBy: MODEL_TEST,
  },
  {
    name: "refusal-believed-too-early",
    description: "A refusal is believed while an earlier request may still take effect.",
    file: "server/orders/next-step.ts",
    find: 'if (reason === "closed" || sent.unconfirmedSinceMs === null)',
    replace: "if (reason !== null)",
    caughtBy: MODEL_TEST,
  },
  {
    name: "lost-request-forgotten",
    description: "Whoever takes an order up forgets that a request for it may still be under way.",
    file: "server/orders/take-up.ts",
    find: "unconfirmedSinceMs: lastSentMs(purchase) };",
    replace: "unconfirmedSinceMs: (lastSentMs(purchase), null) };",
    caughtBy: MODEL_TEST,
  },
  {
    name: "doubt-lost-in-repetition",
    description: "A purchase whose first answer was lost is taken for refused when the repetition is.",
    file: "server/suppliers/purchase-reply.ts",
    find: "if (doubtful.length === 0) return last;",
    replace: "if (doubtful.length < outcomes.length) return last;",
    caughtBy: MODEL_TEST,
  },
  {
    name: "absence-believed-too-early",
    description: "A supplier that has not heard of an order yet is believed at once.",
    file: "server/orders/next-step.ts",
    find: "return releaseOnceSettled(sent.unconfirmedSinceMs, reason, sent);",
    replace: 'return { kind: "release", reason };',
    caughtBy: MODEL_TEST,
  },
  {
    name: "lease-ignored",
    description: "An order is taken up while somebody else works on it.",
    file: "server/orders/purchase.ts",
    find: "return !purchase.leased || purchase.dueAtMs === null || purchase.dueAtMs <= nowMs;",
    replace: "return !purchase.leased || purchase.dueAtMs !== nowMs;",
    caughtBy: MODEL_TEST,
  },
  {
    name: "claim-not-checked",
    description: "Whoever has lost an order to another still ends it.",
    file: "server/orders/purchase-store.ts",
    find: 'const OF_CLAIM = "WHERE order_id = ? AND claim = ? AND leased = 1";',
    replace: "const OF_CLAIM = \"WHERE order_id = ? AND claim <> CONCAT('-', ?)\";",
    caughtBy: MODEL_TEST,
  },
  {
    name: "incomplete-codes-accepted",
    description: "An answer with another number of codes than was ordered is taken for the order.",
    file: "server/suppliers/convert.ts",
    find: " || codes.length !== qty || new Set(codes).size !== qty) return null;",
    replace: " || codes.length < qty - 1) return null;",
    caughtBy: MODEL_TEST,
  },
  {
    name: "cost-guard-ignored",
    description: "Codes are bought at any cost.",
    file: "server/catalog/acceptable-cost.ts",
    find: "unitCost <= maxUnitCost &&",
    replace: "unitCost !== maxUnitCost + 1n &&",
    caughtBy: MODEL_TEST,
  },
  {
    name: "agreed-cost-not-sent",
    description: "The supplier is not told at which cost the shop buys.",
    file: "server/suppliers/ordering-adapter.ts",
    find: "expectedUnitPrice: formatDecimalMoney(unitCostMicrocents),",
    replace: '...(formatDecimalMoney(unitCostMicrocents) ? {} : { expectedUnitPrice: "" }),',
    caughtBy: MODEL_TEST,
  },
  {
    name: "old-price-on-retry",
    description: "A retryable order is sold at the price that it had.",
    file: "server/orders/judge-request.ts",
    find: "{ ...fresh, orderId: ended.orderId, createdAtMs: ended.createdAtMs }",
    replace: "{ ...ended, status: fresh.status, errorCode: null, spendDay: fresh.spendDay }",
    caughtBy: MODEL_TEST,
  },
  {
    name: "expected-price-ignored-on-retry",
    description: "A retryable order is bought at a price that its buyer does not expect.",
    file: "server/orders/judge-request.ts",
    find: "checkNewOrder(offer, request);",
    replace: "if (ended === null) checkNewOrder(offer, request);",
    caughtBy: MODEL_TEST,
  },
  {
    name: "retryable-order-stays-open",
    description: "An order that is not sent again is never closed.",
    file: "server/orders/recovery.ts",
    find: 'if (order?.status === "retryable") await closeOrder',
    replace: 'if (order?.status === "failed") await closeOrder',
    caughtBy: MODEL_TEST,
  },
  {
    name: "closed-order-sold-again",
    description: "A closed order is not told from one that may be tried again.",
    file: "server/orders/rules.ts",
    find: '    case "retryable":\n      return "again";\n    case "failed":',
    replace: '    case "retryable":\n    case "failed":\n      return "again";\n    case null as never:',
    caughtBy: MODEL_TEST,
  },
  {
    name: "other-quantity-not-noticed",
    description: "An id that stands for another quantity gives the old order.",
    file: "server/orders/rules.ts",
    find: "order.productId !== request.productId || order.qty !== request.qty",
    replace: "order.productId !== request.productId",
    caughtBy: MODEL_TEST,
  },
  {
    name: "disabled-supplier-still-used",
    description: "The shop buys from a supplier that its operator has disabled.",
    file: "server/orders/complete-purchase.ts",
    find: 'if (how === "look-up" || supplier.status === "disabled") {',
    replace: 'if (how === "look-up") {',
    caughtBy: MODEL_TEST,
  },
  {
    name: "refund-keeps-the-daily-spend",
    description: "A refund on the same day does not give back what the key has spent.",
    file: "server/orders/refund-order.ts",
    find: "if (order.spendDay === utcDay(nowMs)) {",
    replace: "if (order.spendDay !== utcDay(nowMs)) {",
    caughtBy: MODEL_TEST,
  },
  {
    name: "ended-order-taken-up",
    description: "An order that was refused meanwhile is taken up, and nobody lets go of it again.",
    file: "server/orders/take-up.ts",
    find: "if (isAtRest(purchase)) throw new OrderInProgressError();",
    replace: "void isAtRest;",
    caughtBy: "server/orders/on-demand-races.test.ts",
  },
  {
    name: "one-charge-for-all",
    description: "Of orders that are delivered in one transaction only the first is paid.",
    file: "server/orders/end-order.ts",
    find: 'await settleHolds(tx, settled, "order");',
    replace: 'await settleHolds(tx, settled.slice(0, 1), "order");',
    caughtBy: MODEL_TEST,
  },
  {
    name: "lost-acceptance-not-looked-up",
    description: "An order whose acceptance was committed without an answer is left to itself.",
    file: "server/orders/place-on-demand.ts",
    find: "if (!(await isAccepted(database, candidate)))",
    replace: "if (await isAccepted(database, candidate))",
    caughtBy: MODEL_TEST,
  },
  {
    name: "call-begins-without-funds",
    description: "A call begins whatever the available balance is.",
    file: "server/calls/write-calls.ts",
    find: "if (!covered) throw InsufficientBalanceError.ofCall(first.holdMicrocents);",
    replace: "void covered;",
    caughtBy: "server/calls/races.test.ts",
  },
  {
    name: "call-charged-what-was-held",
    description: "A call is charged the most that it could cost.",
    file: "server/calls/write-calls.ts",
    find: "chargeMicrocents: ending.amountMicrocents",
    replace: "chargeMicrocents: ending.holdMicrocents || ending.amountMicrocents",
    caughtBy: "server/calls/calls.test.ts",
  },
  {
    name: "call-begins-on-what-another-cost",
    description: "A call that begins as another of its account ends may have what that one cost.",
    file: "server/ledger/funds.ts",
    find: "return isCovered(own);",
    replace: "return isCovered(own) || own.after.ledger_sequence > own.before.ledger_sequence;",
    caughtBy: "server/ledger/funds.test.ts",
  },
  {
    name: "call-cost-rounded-down",
    description: "What a call costs is rounded down.",
    file: "server/calls/token-usage.ts",
    find: "(millionths + TOKENS_PER_PRICE - 1n)",
    replace: "millionths",
    caughtBy: "server/calls/token-usage.test.ts",
  },
  {
    name: "cache-reads-priced-as-input",
    description: "Tokens that were read from the prompt cache cost as much as new ones.",
    file: "server/calls/token-usage.ts",
    find: "prices.cacheReadMicrocents",
    replace: "prices.inputMicrocents",
    caughtBy: "server/calls/token-usage.test.ts",
  },
  {
    name: "abandoned-call-for-free",
    description: "A call whose process died is charged nothing, whatever was recorded of it.",
    file: "server/calls/recovery.ts",
    find: "amountMicrocents: costOf(call.usage, prices),",
    replace: "amountMicrocents: (costOf(call.usage, prices) * 0n) as typeof call.holdMicrocents,",
    caughtBy: "server/calls/crashes.test.ts",
  },
  {
    name: "lost-beginning-held-twice",
    description: "A call whose beginning was committed without an answer is begun again under another id.",
    file: "server/calls/call-writer.ts",
    find: "if (inDoubt && isDuplicateKey(error)) return;",
    replace:
      "if (inDoubt && isDuplicateKey(error)) return writeCall({ ...call, callId: 'call_'.concat(crypto.randomUUID().replaceAll('-', '')) });",
    caughtBy: "server/calls/lost-commits.test.ts",
  },
];

/** @throws Error that names the known bugs. */
export function plantedBug(name: string): PlantedBug {
  const bug = PLANTED_BUGS.find((each) => each.name === name);
  if (bug === undefined) {
    throw new Error(`There is no planted bug ${name}: ${PLANTED_BUGS.map((each) => each.name).join(", ")}.`);
  }
  return bug;
}

/** The file's text with the bug in it. @throws Error when the text to replace is not there exactly once. */
export function plant(bug: PlantedBug, source: string): string {
  const [before, after, ...more] = source.split(bug.find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(
      `The planted bug ${bug.name} must find its text exactly once in ${bug.file}:\n${bug.find}`,
    );
  }
  return before + bug.replace + after;
}
