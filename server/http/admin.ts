import { setTimeout as delay } from "node:timers/promises";
import express, { type Express } from "express";
import type { Metrics } from "./metrics.ts";

const READY_TIMEOUT_MS = 2_000;

interface AdminDependencies {
  /** Why the service cannot do its work, or null when it can; no answer in time is a no. */
  readonly whyNotReady: () => Promise<string | null>;
  readonly metrics: Metrics;
}

/** What operators' machines ask, on a port of its own: /healthz (the process), /readyz (whether it can work, and why not), /metrics. */
export function createAdminApp({ whyNotReady, metrics }: AdminDependencies): Express {
  const app = express();
  app.disable("x-powered-by");
  app.get("/healthz", (_req, res) => {
    res.json({ ok: true });
  });
  app.get("/readyz", async (_req, res) => {
    const late = delay(READY_TIMEOUT_MS, "the database does not answer in time");
    const reason = await Promise.race([whyNotReady(), late]);
    if (reason === null) res.json({ ok: true });
    else res.status(503).json({ ok: false, reason });
  });
  app.get("/metrics", async (_req, res) => {
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return app;
}
