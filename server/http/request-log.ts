import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { Metrics } from "./metrics.ts";
import { contextOf } from "./request-context.ts";

/**
 * Logs and measures every request when it has been answered or given up: who called which operation, with what outcome.
 * Paths, queries, headers and bodies are never logged, for they hold keys, codes and the buyers' ids.
 */
export function requestLog({ logger, metrics }: { logger: Logger; metrics: Metrics }): RequestHandler {
  return (req, res, next) => {
    const startedMs = performance.now();
    res.once("close", () => {
      const { openapi } = req as { openapi?: { schema: { operationId: string } } };
      const operation = openapi?.schema.operationId ?? "none";
      const status = res.statusCode;
      const ms = performance.now() - startedMs;
      metrics.requestSeconds.observe({ operation, status }, ms / 1000);
      const { requestId, caller } = contextOf(res);
      const outcome = { requestId, operation, status, ms: Math.round(ms), keyId: caller?.keyId };
      if (!res.writableFinished) logger.info(outcome, "caller hung up");
      else logger[status >= 500 ? "error" : "info"](outcome, "request answered");
    });
    next();
  };
}
