import type { Request, RequestHandler, Response } from "express";
import helmet from "helmet";

/** Sets the headers that helmet sets, which are the same for all requests: it is asked for them once. */
export function securityHeaders(): RequestHandler {
  const headers = new Map<string, string>();
  const collector = {
    setHeader: (name: string, value: string) => void headers.set(name, value),
    removeHeader: (name: string) => void headers.delete(name),
  };
  helmet()({} as Request, collector as unknown as Response, (error: unknown) => {
    if (error !== undefined) throw error;
  });
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}
