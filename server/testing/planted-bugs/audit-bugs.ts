import type { PlantedBug } from "./planted-bug.ts";

const AUDIT_TEST = "server/audit/audit.test.ts";

/** Faults of the audit: each lets wrong books pass. */
export const AUDIT_BUGS: readonly PlantedBug[] = [
  {
    name: "audit-overlooks-amount-of-refund",
    description: "A refund of another amount passes.",
    file: "server/audit/checks.ts",
    find: " OR refunded_microcents <> o.amount_microcents * refunds`",
    replace: "`",
    caughtBy: AUDIT_TEST,
    test: "a refund of another amount",
  },
  {
    name: "audit-overlooks-refund-for-no-order",
    description: "A refund for no order passes.",
    file: "server/audit/checks.ts",
    find: "e.type IN ('order', 'refund') AND o.order_id",
    replace: "e.type IN ('order') AND o.order_id",
    caughtBy: AUDIT_TEST,
    test: "a refund for no order",
  },
  {
    name: "audit-overlooks-charge-elsewhere",
    description: "A charge on another account than its order's passes.",
    file: "server/audit/checks.ts",
    find: "COLLATE ascii_bin AND o.account_id = e.account_id",
    replace: "COLLATE ascii_bin",
    caughtBy: AUDIT_TEST,
    test: "a charge on another account than",
  },
  {
    name: "audit-overlooks-exhausted-segment",
    description: "A segment that is exhausted and has codes left passes, and one that is open and has none.",
    file: "server/audit/checks.ts",
    find: "\n      OR (state = 'exhausted') <> (next_sequence = end_sequence AND state IN ('open', 'exhausted'))`",
    replace: "`",
    caughtBy: AUDIT_TEST,
    test: "a segment that is",
  },
  {
    name: "audit-overlooks-sold-beyond-segment",
    description: "A segment that has sold more than it has passes.",
    file: "server/audit/checks.ts",
    find: " OR next_sequence NOT BETWEEN first_sequence AND end_sequence",
    replace: "",
    caughtBy: AUDIT_TEST,
    test: "a segment that has sold",
  },
  {
    name: "audit-overlooks-empty-range",
    description: "A range without codes passes.",
    file: "server/audit/checks.ts",
    find: "WHERE first_sequence >= end_sequence OR",
    replace: "WHERE first_sequence > end_sequence OR",
    caughtBy: AUDIT_TEST,
    test: "a range without codes",
  },
  {
    name: "audit-overlooks-range-outside-segments",
    description: "A range before all segments passes.",
    file: "server/audit/checks.ts",
    find: "WHERE taken_until IS NULL OR end",
    replace: "WHERE end",
    caughtBy: AUDIT_TEST,
    test: "a range",
  },
  {
    name: "audit-overlooks-product-of-range",
    description: "Codes of another product than their order's pass.",
    file: "server/audit/checks.ts",
    find: "ON o.order_id = r.order_id AND o.product_id = r.product_id",
    replace: "ON o.order_id = r.order_id",
    caughtBy: AUDIT_TEST,
    test: "codes of another product",
  },
];
