import express, { type Express } from "express";
import helmet from "helmet";
import { createOrderingInterface } from "../interfaces/ordering/definition.ts";
import { createProxyInterface, type ProxyHeaderNames } from "../interfaces/proxy/definition.ts";
import { createDocs } from "./docs.ts";
import type { InterfaceOptions } from "./interface.ts";
import type { Metrics } from "./metrics.ts";
import { originForm } from "./path.ts";
import { requestId } from "./request-id.ts";
import { requestLog } from "./request-log.ts";

interface Options extends InterfaceOptions {
  readonly metrics: Metrics;
  /** As the document names them when not given. */
  readonly proxyHeaders?: ProxyHeaderNames;
}

const DOCUMENTED_HEADERS: ProxyHeaderNames = {
  token: "proxy-token",
  rateLimitPrefix: "anthropic-ratelimit",
};

/** The whole public HTTP application: what all share, the documentation, then each interface; the last owns the rest. */
export function createApp({ metrics, proxyHeaders = DOCUMENTED_HEADERS, ...options }: Options): Express {
  const app = express();
  app.disable("x-powered-by").disable("etag").enable("case sensitive routing").enable("strict routing");
  app.use(originForm, requestId, requestLog({ logger: options.logger, metrics }), helmet());
  app.use(createDocs());
  app.use(createOrderingInterface(options));
  app.use(createProxyInterface(options, proxyHeaders));
  return app;
}
