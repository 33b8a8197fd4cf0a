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
  {
    name: "an error code has a status of another",
    file: "server/interfaces/ordering/errors.ts",
    find: "status: ERROR_STATUSES[code]",
    replace: 'status: code === "order_commit_pending" ? 500 : ERROR_STATUSES[code]',
    caughtBy: "codes",
    saying: /503 order_commit_pending: no error is answered so/,
  },
  {
    name: "an error code is misspelt",
    file: "server/orders/errors.ts",
    find: 'readonly code = "out_of_stock"',
    replace: 'readonly code = "out_off_stock"',
    caughtBy: "codes",
    saying: /409 out_of_stock: no error is answered so/,
  },
  {
    name: "a limit is narrower than documented",
    file: "server/http/request-id.ts",
    find: "{1,128}",
    replace: "{1,64}",
    caughtBy: "boundaries",
    saying: /the X-Request-Id of .* may be as long as its pattern says/,
  },
  {
    name: "a time is in milliseconds",
    file: "server/interfaces/ordering/convert-catalog.ts",
    find: "unixSeconds(checkedAtMs)",
    replace: "checkedAtMs",
    caughtBy: "boundaries",
    saying: /checkedAt must be <= 253402300799/,
  },
  {
    name: "a list says that there are more at its exact end",
    file: "server/models/model-page.ts",
    find: "start + limit < newestFirst.length",
    replace: "start + limit <= newestFirst.length",
    caughtBy: "boundaries",
    saying: /lists end where they end: > proxy listModels/,
  },
  {
    name: "a header that no document describes",
    file: "server/http/request-id.ts",
    find: 'res.setHeader("X-Request-Id", id);',
    replace: 'res.setHeader("X-Request-Id", id).setHeader("Access-Control-Allow-Origin", "*");',
    caughtBy: "boundaries",
    saying: /header access-control-allow-origin is not documented/,
  },
  {
    name: "an amount is not what it is the sum of",
    file: "server/interfaces/ordering/convert-order.ts",
    find: "amount: formatDecimalMoney(order.amountMicrocents)",
    replace: "amount: formatDecimalMoney(order.unitPriceMicrocents)",
    caughtBy: "dredd",
    saying: /amount is unitPrice times qty/,
  },
  {
    name: "an example contradicts itself",
    file: "spec/ordering/examples/order_delivered.yaml",
    find: "amount: '25.00'",
    replace: "amount: '20.00'",
    caughtBy: "examples",
    saying: /amount is unitPrice times qty/,
  },
  {
    name: "a new parameter that nobody reads",
    file: "spec/ordering/paths/orders.yaml",
    find: "    - $ref: ../parameters/ExternalOrderIdQuery.yaml\n",
    replace:
      "    - $ref: ../parameters/ExternalOrderIdQuery.yaml\n" +
      "    - { name: status, in: query, required: false, description: Its state., schema: { type: string } }\n",
    caughtBy: "types",
    saying: /The service ignores ordering listOrders query status/,
  },
  {
    name: "a new state that the service does not know",
    file: "spec/ordering/schemas/OrderStatus.yaml",
    find: "delivered, failed, refunded]",
    replace: "delivered, failed, refunded, lost]",
    caughtBy: "types",
    saying: /convert-order\.ts\(.*'lost' is missing/,
  },
  {
    name: "a manual names another status",
    file: "spec/ordering/README.md",
    find: "| 402 | `insufficient_balance`",
    replace: "| 403 | `insufficient_balance`",
    caughtBy: "prose",
    saying: /spec\/ordering\/README\.md:\d+ says 403 insufficient_balance/,
  },
  {
    name: "a description names another status",
    file: "spec/ordering/schemas/ErrorCode.yaml",
    find: "| 409 | `out_of_stock`",
    replace: "| 404 | `out_of_stock`",
    caughtBy: "prose",
    saying: /spec\/ordering\/schemas\/ErrorCode\.yaml:\d+ says 404 out_of_stock/,
  },
  {
    name: "an amount goes through a number of JavaScript",
    file: "server/interfaces/ordering/convert-account.ts",
    find: 'formatDecimalMoney(balanceMicrocents, "down")',
    replace: "(Number(balanceMicrocents) / 1e8).toFixed(4)",
    caughtBy: "sequences",
    saying: /proxy sequences/,
  },
  {
    name: "the client takes a closed order for one that may still be bought",
    file: "client/purchase-attempt.ts",
    find: 'refunded: "closed"',
    replace: 'refunded: "not-bought"',
    caughtBy: "client",
    saying: /a purchase whose order is refunded is found to be what the reference says/,
  },
  {
    name: "a test is skipped",
    file: "contract-tests/examples.test.ts",
    find: "test.each(bodies)",
    replace: "test.skip.each(bodies)",
    caughtBy: "examples",
    saying: /contract-tests\/examples\.test\.ts skips a test, which fails the run/,
  },
  {
    name: "a test looks at one interface only",
    file: "contract-tests/examples.test.ts",
    find: "const answers = INTERFACES.flatMap",
    replace: "const answers = INTERFACES.slice(0, 1).flatMap",
    caughtBy: "examples",
    saying: /contract-tests\/examples\.test\.ts lacks a test that the documents call for/,
  },
  {
    name: "a test gets a 500 for a field that the document lacks",
    file: "server/interfaces/ordering/convert-order.ts",
    find: "    reused,\n",
    replace: "    reused,\n    ...{ refundedAt: null },\n",
    caughtBy: "service",
    saying: /The answer of \w+ breaks the contract, and was replaced by a 500: .*additional properties/,
  },
];
