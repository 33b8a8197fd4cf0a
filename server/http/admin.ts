import { setTimeout as delay } from "node:timers/promises";
import express, { type Express } from "express";
import type { Metrics } from "./metrics.ts";

const READY_TIMEOUT_MS = 2_000;

interface AdminDependencies {
  /** Whether the service can do its work; a rejection, or no answer in time, is a no. */
  readonly isReady: () => Promise<boolean>;
  readonly metrics: Metrics;
}

/** What operators' machines ask, on a port of its own: /healthz (the process), /readyz (the database), /metrics. */
export function createAdminApp({ isReady, metrics }: AdminDependencies): Express {
  const app = express();
  app.disable("x-powered-by");
  app.get("/healthz", (_req, res) => {
    res.json({ ok: true });
  });
  app.get("/readyz", async (_req, res) => {
    const asked = isReady().catch(() => false);
    const ok = await Promise.race([asked, delay(READY_TIMEOUT_MS, false)]);
    res.status(ok ? 200 : 503).json({ ok });
  });
  app.get("/metrics", async (_req, res) => {
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return app;
}
