import { expect, test } from "vitest";
import { unexpectedAnswerIn } from "./unexpected-answer.ts";

const line = (words: object) => JSON.stringify({ level: 50, requestId: "r-1", ...words });

test("what the validator says of an answer is told", () => {
  const fault = "/response/refundedAt must NOT have additional properties";
  const told = unexpectedAnswerIn(
    line({ msg: "response breaks the contract", operationId: "getOrder", fault }),
  );
  expect(told).toContain(`The answer of getOrder breaks the contract, and was replaced by a 500: ${fault}`);
});

test("so is a code that the interface does not know", () => {
  const err = { type: "OutOfStockError", code: "out_off_stock", message: "No." };
  expect(unexpectedAnswerIn(line({ msg: "request failed", err }))).toMatch(
    /^OutOfStockError has the code out_off_stock, which the interface has no answer for/,
  );
});

test("any other error is told with where it was thrown", () => {
  const err = {
    type: "Error",
    code: "ER_NO_SUCH_TABLE",
    stack: "Error: No such table\n    at read (store.ts:1:1)",
  };
  expect(unexpectedAnswerIn(line({ msg: "request failed", err }))).toBe(
    `An unexpected error was answered with a 500 (request r-1): ${err.stack}`,
  );
});

test("nothing is told of the other lines", () => {
  expect(unexpectedAnswerIn(line({ msg: "request answered", status: 500 }))).toBeNull();
});
