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

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: "stock-order-free-of-charge",
    description: "Orders from stock are delivered and never paid.",
    file: "server/orders/place-from-stock.ts",
    find: "await charge(tx, order);",
    replace: "void charge;",
    caughtBy: "server/orders/place-orders.test.ts",
  },
  {
    name: "purchase-under-changing-id",
    description: "Each attempt at an on-demand order is another purchase to the supplier.",
    file: "server/orders/complete-purchase.ts",
    find: "requestId: orderId,",
    replace: "requestId: (orderId + purchase.attempts) as typeof orderId,",
    caughtBy: "server/testing/tripwire.faults.test.ts",
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
