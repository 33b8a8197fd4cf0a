import type { IncomingMessage, ServerResponse } from "node:http";
import type { Response } from "express";
import type { Logger } from "pino";
import { pinoHttp } from "pino-http";
import type { Metrics } from "./metrics.ts";
import { contextOf } from "./request-context.ts";

/**
 * Logs and measures every request when it has been answered: who called which operation, with what outcome.
 * Paths, queries, headers and bodies are never logged, for they hold keys, codes and the buyers' ids.
 */
export function requestLog({ logger, metrics }: { logger: Logger; metrics: Metrics }) {
  const measured = (
    req: IncomingMessage,
    res: ServerResponse,
    { responseTime }: { responseTime: number },
  ) => {
    metrics.requestSeconds.observe(
      { operation: operationOf(req), status: res.statusCode },
      responseTime / 1000,
    );
    return { ms: Math.round(responseTime) };
  };
  return pinoHttp<IncomingMessage, ServerResponse>({
    logger,
    serializers: { req: () => undefined, res: () => undefined },
    wrapSerializers: false,
    customLogLevel: (_req, res, error) => (error || res.statusCode >= 500 ? "error" : "info"),
    customProps: (req, res) => {
      if (!res.writableFinished) return {};
      const { requestId, caller } = contextOf(res as Response);
      return {
        requestId,
        operation: operationOf(req),
        status: res.statusCode,
        ...(caller && { keyId: caller.keyId }),
      };
    },
    customSuccessObject: measured,
    customErrorObject: (req, res, _error, logged) => measured(req, res, logged),
  });
}

function operationOf(req: IncomingMessage): string {
  const { openapi } = req as { openapi?: { schema: { operationId: string } } };
  return openapi?.schema.operationId ?? "none";
}
