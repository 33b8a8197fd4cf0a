import type { PartName } from "./parts.ts";

/** A text that is replaced in a copy of the project. */
export interface Replacement {
  /** What goes wrong, as in "a field is missing from an answer". */
  readonly name: string;
  /** From the project's folder. */
  readonly file: string;
  /** The text that is replaced; it must stand in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** A fault that is put into a copy of the project, to see that the gate does not let it through. */
export interface PlantedFault extends Replacement {
  /** The part of the gate that must notice. */
  readonly caughtBy: PartName;
  /** What it must say, so that it fails for this reason and no other. */
  readonly saying: RegExp;
}

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    name: "a field is missing from an answer",
    file: "server/interfaces/ordering/convert-order.ts",
    find: "    deliveredAt: order.deliveredAtMs === null ? null : unixSeconds(order.deliveredAtMs),\n",
    replace: "",
    caughtBy: "dredd",
    saying: /required property 'deliveredAt'/,
  },
  {
    name: "a field has the wrong type",
    file: "server/interfaces/ordering/convert-catalog.ts",
    find: "    qty,\n",
    replace: "    qty: String(qty) as never,\n",
    caughtBy: "dredd",
    saying: /\/qty must be integer/,
  },
  {
    name: "an answer has a field too many",
    file: "server/interfaces/ordering/convert-account.ts",
    find: "    available: differenceOf(balance, reserved),",
    replace: "    available: differenceOf(balance, reserved),\n    ...{ overdraft: null },",
    caughtBy: "dredd",
    saying: /additional properties.*overdraft/,
  },
  {
    name: "an answer has a status that is not documented",
    file: "server/interfaces/ordering/errors.ts",
    find: "status: ERROR_STATUSES[code]",
    replace: 'status: code === "unauthorized" ? 418 : ERROR_STATUSES[code]',
    caughtBy: "prism",
    saying:
      /ordering listProducts 418: Unable to match the returned status code with those defined in the document/,
  },
  {
    name: "Retry-After is missing",
    file: "server/interfaces/ordering/errors.ts",
    find: 'return { "Retry-After": String(error.retryAfterSeconds) };',
    replace: "return {};",
    caughtBy: "dredd",
    saying: /Retry-After is missing/i,
  },
  {
    name: "a header has the wrong type",
    file: "server/interfaces/ordering/errors.ts",
    find: '"Retry-After": String(error.retryAfterSeconds)',
    replace: '"Retry-After": "soon"',
    caughtBy: "dredd",
    saying: /Retry-After must be integer/i,
  },
  {
    name: "a generated file is stale",
    file: "spec/ordering/schemas/Order.yaml",
    find: "required:",
    replace: "title: Order\nrequired:",
    caughtBy: "drift",
    saying: /generated\/ordering\/openapi\.json differs from what spec\/ gives/,
  },
  {
    name: "the spec breaks a lint rule",
    file: "spec/ordering/paths/balance.yaml",
    find: "operationId: getBalance",
    replace: "operationId: get balance",
    caughtBy: "lint",
    saying: /spec\/ordering\/paths\/balance\.yaml:\d+:\d+ .*operation-operationId/,
  },
  {
    name: "an example does not fit its schema",
    file: "spec/ordering/examples/balance.yaml",
    find: "  balance: ",
    replace: "  balance: USD ",
    caughtBy: "lint",
    saying: /spec\/ordering\/examples\/balance\.yaml:\d+:\d+ .*example/,
  },
  {
    name: "the contract breaks buyers without a new version",
    file: "spec/ordering/schemas/Availability.yaml",
    find: "required: [productId, qty, available, ",
    replace: "required: [productId, qty, ",
    caughtBy: "change",
    saying: /Availability\.available .*Set info\.version in spec\/ordering\/openapi\.yaml to 2\.0\.0/s,
  },
];
