import type { Request, Response } from "express";
import { expect, test } from "vitest";
import { plainMediaType } from "./body.ts";

// The validator behind it keeps one compiled validator per Content-Type that it sees, for ever.
test.each([
  ["POST", "application/json; x=1", "application/json"],
  ["POST", "text/plain; x=2", "application/json"],
  ["GET", "application/json; x=3", undefined],
])("a %s with Content-Type %s reaches the validator as %s", (method, contentType, seen) => {
  const req = { method, headers: { "content-type": contentType }, body: {} } as unknown as Request;
  plainMediaType(req, { locals: { context: { requestId: "r" } } } as unknown as Response, () => {});
  expect(req.headers["content-type"]).toBe(seen);
});
