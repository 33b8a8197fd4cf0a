import type { NextFunction, RequestHandler } from "express";

/**
 * One handler in place of several that follow each other. Of each that a router knows by itself it asks at every request whether
 * the path is its own, which takes longer than what most of them do. What a handler throws at once is passed on by whoever
 * calls this one; one that rejects later must say so to `next` itself.
 */
export function inSequence(handlers: readonly RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    let index = 0;
    const proceed: NextFunction = (error?: unknown) => {
      const handler = error === undefined ? handlers[index] : undefined;
      index += 1;
      if (handler === undefined) next(error);
      else handler(req, res, proceed);
    };
    proceed();
  };
}
