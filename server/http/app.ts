import express, { type Express, type RequestHandler } from "express";
import helmet from "helmet";
import type { Logger } from "pino";
import type { Services } from "../compose.ts";
import { plainJson } from "./json.ts";
import type { Metrics } from "./metrics.ts";
import { toErrorAnswer } from "./ordering-errors.ts";
import { createOrderingInterface } from "./ordering-interface.ts";
import type { RateLimit } from "./rate-limit.ts";
import { contextOf } from "./request-context.ts";
import { requestId } from "./request-id.ts";
import { requestLog } from "./request-log.ts";

interface Options {
  services: Services;
  logger: Logger;
  metrics: Metrics;
  rateLimit: RateLimit;
  validateResponses: boolean;
}

/** The whole public HTTP application: what every interface shares, then each interface, then nothing. */
export function createApp({ services, logger, metrics, rateLimit, validateResponses }: Options): Express {
  const app = express();
  app.disable("x-powered-by").disable("etag").enable("case sensitive routing").enable("strict routing");
  app.use(requestId, requestLog({ logger, metrics }), helmet());
  app.use(createOrderingInterface({ services, rateLimit, validateResponses, logger }));
  app.use(plainJson, nothingHere);
  return app;
}

const nothingHere: RequestHandler = (_req, res) => {
  const answer = toErrorAnswer({ status: 404 }, contextOf(res));
  res.status(answer.status).json(answer.body);
};
