import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { Metrics } from "./metrics.ts";
import { contextOf } from "./request-context.ts";

/**
 * Logs and measures every request when it has been answered or given up: who called which operation, with what outcome.
 * Paths, queries, headers and bodies are never logged, for they hold keys, codes and the buyers' ids.
 */
export function requestLog({ logger, metrics }: { logger: Logger; metrics: Metrics }): RequestHandler {
  return (_req, res, next) => {
    const startedMs = performance.now();
    res.once("close", () => {
      const status = res.statusCode;
      const ms = performance.now() - startedMs;
      const context = contextOf(res);
      const labels = {
        interface: context.interfaceName ?? "none",
        operation: context.operation?.operationId ?? "none",
        status,
      };
      metrics.requestSeconds.observe(labels, ms / 1000);
      const { requestId, principalInLog } = context;
      const outcome = { requestId, ...labels, ms: Math.round(ms), ...principalInLog };
      if (!res.writableFinished) logger.info(outcome, "caller hung up");
      else logger[status >= 500 ? "error" : "info"](outcome, "request answered");
    });
    next();
  };
}
