import type { Request, RequestHandler, Response } from "express";
import helmet from "helmet";
import { expect, test, vi } from "vitest";
import { inSequence } from "./in-sequence.ts";
import { securityHeaders } from "./security-headers.ts";
import { compiledOnce } from "./shorter-validation.ts";

const req = {} as Request;

/** What a handler sets on an answer, in its order. */
function headersOf(handler: RequestHandler): readonly (readonly [string, string])[] {
  const headers: [string, string][] = [];
  const res = { setHeader: (...header: [string, string]) => headers.push(header), removeHeader() {} };
  handler(req, res as unknown as Response, () => {});
  return headers;
}

test("handlers in a sequence are called one after the other, and the first that fails is the last", () => {
  const called: string[] = [];
  const step =
    (name: string, error?: Error): RequestHandler =>
    (_req, _res, next) => {
      called.push(name);
      next(error);
    };
  const next = vi.fn();
  const res = {} as Response;
  inSequence([step("a"), step("b")])(req, res, next);
  expect(called).toEqual(["a", "b"]);
  expect(next.mock.calls).toEqual([[undefined]]);
  const fault = new Error("b is at fault");
  inSequence([step("c"), step("d", fault), step("e")])(req, res, next);
  expect(called).toEqual(["a", "b", "c", "d"]);
  expect(next.mock.lastCall).toEqual([fault]);
  const thrower: RequestHandler = () => {
    throw fault;
  };
  expect(() => inSequence([step("f"), thrower])(req, res, next)).toThrow(fault);
  expect(next).toHaveBeenCalledTimes(2);
});

test("a sequence may be gone through by several requests at once", () => {
  const waiting: (() => void)[] = [];
  const later: RequestHandler = (_req, _res, next) => void waiting.push(next);
  const sequence = inSequence([later, later]);
  const [first, second] = [vi.fn(), vi.fn()];
  sequence(req, {} as Response, first);
  sequence(req, {} as Response, second);
  for (let index = 0; index < 3; index += 1) waiting[index]?.();
  expect(first).toHaveBeenCalledOnce();
  expect(second).not.toHaveBeenCalled();
  waiting[3]?.();
  expect(second).toHaveBeenCalledOnce();
});

test("answers have the headers that helmet sets", () => {
  const headers = headersOf(securityHeaders());
  expect(headers).toEqual(headersOf(helmet()));
  expect(new Map(headers).get("X-Content-Type-Options")).toBe("nosniff");
});

test("the pattern of a path is compiled once for each way of reading it", () => {
  const compile = vi.fn((path: string, options: object) => ({ path, options }));
  const compiled = compiledOnce(compile);
  const strict = compiled("/orders/:id", { strict: true });
  expect(compiled("/orders/:id", { strict: true })).toBe(strict);
  expect(compiled("/orders/:id", { strict: false })).toEqual({
    path: "/orders/:id",
    options: { strict: false },
  });
  expect(compiled("/orders", { strict: true })).not.toBe(strict);
  expect(compile).toHaveBeenCalledTimes(3);
});
