import type { PlantedBug } from "./planted-bug.ts";

const MODEL_TEST = "server/orders/model.faults.test.ts";

/** Faults of orders whatever they are for, and of those from stock. */
export const ORDER_BUGS: readonly PlantedBug[] = [
  {
    name: "stock-order-free-of-charge",
    description: "Orders from stock are delivered and never paid.",
    file: "server/orders/place-from-stock.ts",
    find: "await charge(tx, orders);",
    replace: "void charge;",
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
    name: "refund-keeps-the-daily-spend",
    description: "A refund on the same day does not give back what the key has spent.",
    file: "server/orders/refund-order.ts",
    find: "if (order.spendDay === utcDay(nowMs)) {",
    replace: "if (order.spendDay !== utcDay(nowMs)) {",
    caughtBy: MODEL_TEST,
  },
];
