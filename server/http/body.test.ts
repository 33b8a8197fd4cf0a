import type { Request } from "express";
import { expect, test } from "vitest";
import { createBodyReader } from "./body.ts";
import { createBodyMemory } from "./body-memory.ts";
import type { Operation } from "./document.ts";

function operationWith(body: Operation["body"]): Operation {
  const answers = new Map();
  return {
    operationId: "o",
    isOpen: false,
    refusesInput: true,
    ignoresUnknownQuery: false,
    headers: [],
    body,
    answers,
  };
}

// The validator behind it keeps one compiled validator per Content-Type that it sees, for ever.
test.each([
  [["application/json"], "application/json; x=1", "application/json"],
  [["application/json"], "text/plain; x=2", "application/json"],
  [["application/json"], undefined, "application/json"],
  [["text/plain", "text/csv"], "TEXT/CSV; charset=utf-8", "text/csv"],
  [["text/plain"], "application/json", "text/plain"],
  [null, "application/json; x=3", undefined],
])(
  "to an operation that takes %j, the Content-Type %s reaches the validator as %s",
  (mediaTypes, given, seen) => {
    const operation = operationWith(mediaTypes && { mediaTypes, required: true });
    const req = { headers: { "content-type": given } } as unknown as Request;
    const memory = createBodyMemory({ processBytes: 0, accountBytes: 0 });
    const options = { keepsBytes: false, memory, documentedPath: "/notes" };
    createBodyReader(operation, { json: "1kb" }, options).announce(req, { requestId: "r" });
    expect(req.headers["content-type"]).toBe(seen);
  },
);
