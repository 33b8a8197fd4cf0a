import { expect, test } from "vitest";
import { openContract } from "./contract.ts";

const contract = openContract("ordering");
const createOrder = contract.operations.find(({ operationId }) => operationId === "createOrder");
if (!createOrder) throw new Error("The document has no createOrder.");

const headers = { "content-type": "application/json", "x-request-id": "a" };
const rateLimited = JSON.stringify({ error: "rate_limited", message: "Slow down." });

test("an answer that keeps to the contract has no faults", () => {
  const answer = { status: 429, headers: { ...headers, "retry-after": "1" }, body: rateLimited };
  expect(contract.faultsOf(createOrder, answer)).toEqual([]);
});

test.each([
  ["an undocumented status", { status: 418 }, "createOrder may not answer 418"],
  [
    "a missing header",
    { headers: { ...headers, "retry-after": undefined } },
    "header Retry-After is missing",
  ],
  [
    "a header below its minimum",
    { headers: { ...headers, "retry-after": "0" } },
    "header Retry-After must be >= 1",
  ],
  [
    "a header that is no number",
    { headers: { ...headers, "retry-after": "soon" } },
    "header Retry-After must be integer",
  ],
  [
    "a header that is an integer only to a computer",
    { headers: { ...headers, "retry-after": "1e2" } },
    "header Retry-After must be integer",
  ],
  [
    "a content type with parameters",
    { headers: { ...headers, "content-type": "application/json; charset=utf-8" } },
    "content type",
  ],
  ["a body that is no JSON", { body: "<html>" }, "body must be object"],
  [
    "a field that the schema lacks",
    { body: `{"error":"rate_limited","message":"","hint":1}` },
    "additional properties",
  ],
  [
    "a code of another status",
    { body: `{"error":"not_found","message":""}` },
    "body/error must be equal to one of",
  ],
])("%s is a fault", (_, change, fault) => {
  const answer = { status: 429, headers: { ...headers, "retry-after": "1" }, body: rateLimited, ...change };
  expect(contract.faultsOf(createOrder, answer).join("\n")).toContain(fault);
});
