import type { PlantedBug } from "./planted-bug.ts";

const MODEL_TEST = "server/orders/model.faults.test.ts";

/** Faults of balances, holds and the ledger. */
export const LEDGER_BUGS: readonly PlantedBug[] = [
  {
    name: "shared-sale-beyond-the-balance",
    description: "Orders from stock that share a transaction are not held to the balance.",
    file: "server/ledger/funds.ts",
    find: "if (![...funds.values()].every(isCovered)) return false;",
    replace: "if (payments.length === 1 && ![...funds.values()].every(isCovered)) return false;",
    caughtBy: "server/orders/place-order.test.ts",
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
];
