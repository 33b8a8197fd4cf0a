import { setTimeout as delay } from "node:timers/promises";
import express, { type Express } from "express";
import type { Services } from "../compose.ts";
import { ping } from "../database/database.ts";
import { addShopMetrics, type Metrics } from "./metrics.ts";

const READY_TIMEOUT_MS = 2_000;

/** What operators' machines ask, on a port of its own: /healthz (the process), /readyz (the database), /metrics. */
export function createAdminApp({ services, metrics }: { services: Services; metrics: Metrics }): Express {
  addShopMetrics(metrics, services);
  const app = express();
  app.disable("x-powered-by");
  app.get("/healthz", (_req, res) => {
    res.json({ ok: true });
  });
  app.get("/readyz", async (_req, res) => {
    const asked = ping(services.database).then(
      () => true,
      () => false,
    );
    const ok = await Promise.race([asked, delay(READY_TIMEOUT_MS, false)]);
    res.status(ok ? 200 : 503).json({ ok });
  });
  app.get("/metrics", async (_req, res) => {
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return app;
}
