import type { Express } from "express";
import type { Services } from "./compose.ts";
import { ping } from "./database/database.ts";
import { createAdminApp } from "./http/admin.ts";
import { type App, createApp } from "./http/app.ts";
import type { InterfaceOptions } from "./http/interface-definition.ts";
import type { Metrics } from "./http/metrics.ts";
import { readChangelog, readContract } from "./interfaces/contract.ts";
import { INTERFACES, type InterfaceParts } from "./interfaces/interfaces.ts";
import { addShopMetrics } from "./shop-metrics.ts";

interface HttpDependencies extends InterfaceParts, InterfaceOptions {
  readonly services: Services;
  readonly metrics: Metrics;
  /** Where buyers reach the service; null: where each request to the documentation has reached it. */
  readonly publicUrl?: string | null;
}

/** Wires the use cases to the interfaces, for the public port. */
export function composeApp({
  metrics,
  logger,
  validateResponses,
  publicUrl = null,
  ...parts
}: HttpDependencies): App {
  const interfaces = INTERFACES.map((create) => create(parts, { validateResponses, logger }));
  const contracts = interfaces.map(({ name }) => readContract(name));
  const documentation = { contracts, changelog: readChangelog(), publicUrl };
  return createApp({ interfaces, metrics, logger, documentation });
}

/** Wires the use cases to what operators' machines ask, for the admin port. */
export function composeAdminApp({
  services,
  metrics,
}: Pick<HttpDependencies, "services" | "metrics">): Express {
  addShopMetrics(metrics, services);
  const isReady = async () => {
    await ping(services.database);
    return true;
  };
  return createAdminApp({ isReady, metrics });
}
