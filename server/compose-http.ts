import type { Express } from "express";
import { Gauge } from "prom-client";
import type { Services } from "./compose.ts";
import { BODY_MEMORY_DEFAULTS } from "./config.ts";
import { createAdminApp } from "./http/admin.ts";
import { type App, createApp } from "./http/app.ts";
import { type BodyMemoryLimits, createBodyMemory } from "./http/body-memory.ts";
import type { Listener } from "./http/document.ts";
import type { InterfaceOptions } from "./http/interface-definition.ts";
import type { Metrics } from "./http/metrics.ts";
import { readChangelog, readContract } from "./interfaces/contract.ts";
import { INTERFACES, type InterfaceParts } from "./interfaces/interfaces.ts";
import { createReadiness, type Readiness } from "./readiness.ts";
import { addRequestLimitMetrics, addShopMetrics } from "./shop-metrics.ts";

interface HttpDependencies extends InterfaceParts, Omit<InterfaceOptions, "bodyMemory"> {
  readonly services: Services;
  readonly metrics: Metrics;
  /** As {@link BODY_MEMORY_DEFAULTS} when not given. */
  readonly bodyMemoryLimits?: BodyMemoryLimits;
  /** Where buyers reach the service; null: where each request to the documentation has reached it. */
  readonly publicUrl?: string | null;
  /** The same of operators. */
  readonly operatorUrl?: string | null;
  /** The addresses and networks of proxies that say how requests have reached them; none when not given. */
  readonly trustedProxies?: readonly string[];
}

/** Wires the use cases to the interfaces, each on the port that its document says. */
export function composeApps({
  metrics,
  logger,
  validateResponses,
  publicUrl = null,
  operatorUrl = null,
  trustedProxies = [],
  bodyMemoryLimits = BODY_MEMORY_DEFAULTS,
  ...parts
}: HttpDependencies): Readonly<Record<Listener, App>> {
  const bodyMemory = createBodyMemory(bodyMemoryLimits);
  new Gauge({
    name: "request_body_memory_bytes",
    help: "Memory that is set aside for the bodies of requests under way.",
    registers: [metrics.registry],
    collect() {
      this.set(bodyMemory.takenBytes());
    },
  });
  addRequestLimitMetrics(metrics, parts.rateLimit);
  const all = { ...parts, publicUrl, operatorUrl, trustedProxies };
  const interfaces = INTERFACES.map((create) => create(all, { validateResponses, logger, bodyMemory }));
  const { mayHoldKey: mayBeKey } = parts.services.keys;
  const changelog = readChangelog();
  const appOf = (listener: Listener, url: string | null, pages: readonly string[]) => {
    const served = interfaces.filter((one) => one.listener === listener);
    const contracts = served.map(({ name }) => readContract(name));
    const documentation = { contracts, changelog, publicUrl: url, trustedProxies };
    return createApp({ mayBeKey, interfaces: served, metrics, logger, documentation, pages });
  };
  return { public: appOf("public", publicUrl, ["account"]), operator: appOf("operator", operatorUrl, []) };
}

/** Wires the use cases to what operators' machines ask, for the admin port. */
export function composeAdminApp({
  services,
  metrics,
  readiness = createReadiness(services.database),
}: Pick<HttpDependencies, "services" | "metrics"> & { readonly readiness?: Readiness }): Express {
  addShopMetrics(metrics, services);
  return createAdminApp({ whyNotReady: readiness.whyNot, metrics });
}
