import { expect, test } from "vitest";
import { contractFaultIn } from "./contract-fault.ts";

const line = (words: object) => JSON.stringify({ level: 50, requestId: "r-1", ...words });

test("what the validator says of an answer is told", () => {
  const fault = "/response/refundedAt must NOT have additional properties";
  const told = contractFaultIn(line({ msg: "response breaks the contract", operationId: "getOrder", fault }));
  expect(told).toContain(`The answer of getOrder breaks the contract, and was replaced by a 500: ${fault}`);
});

test("so is a code that the interface does not know", () => {
  const err = { type: "OutOfStockError", code: "out_off_stock", message: "No." };
  expect(contractFaultIn(line({ msg: "request failed", err }))).toMatch(
    /^OutOfStockError has the code out_off_stock, which the interface has no answer for/,
  );
});

test.each([
  { msg: "request failed", err: { type: "Error", code: "ER_NO_SUCH_TABLE" } },
  { msg: "request failed", err: { type: "Error" } },
  { msg: "request answered", status: 500 },
])("nothing is told of %j", (words) => {
  expect(contractFaultIn(line(words))).toBeNull();
});
