import { isLoopback, isReadableOnTheWay } from "./plain-http.ts";
import { ConfigError, type Environment, inspectSettings, type SettingValues } from "./settings/setting.ts";
import { serviceSettings } from "./settings/settings.ts";

export { ConfigError } from "./settings/setting.ts";

/** Everything that the service can be set by, read once; `settings/settings.ts` says what each value means. */
export type Config = SettingValues<typeof serviceSettings>;

/** What concerns orders, where nothing else is set. */
export const ORDER_DEFAULTS = {
  supplierTimeoutMs: serviceSettings.supplierTimeoutMs.default,
  supplierLooksPerMinute: serviceSettings.supplierLooksPerMinute.default,
  orderLeaseMs: serviceSettings.orderLeaseMs.default,
  retryableOrderMs: serviceSettings.retryableOrderMs.default,
  selling: serviceSettings.selling.default,
} as const;

/** What concerns calls to models, where nothing else is set. */
export const CALL_DEFAULTS = {
  upstreamUrl: serviceSettings.upstreamUrl.default,
  upstreamApiKey: serviceSettings.upstreamApiKey.default,
  upstreamTimeoutMs: serviceSettings.upstreamTimeoutMs.default,
  callReadOnMs: serviceSettings.callReadOnMs.default,
  callLeaseMs: serviceSettings.callLeaseMs.default,
  clientStallMs: serviceSettings.clientStallMs.default,
  callsInFlightLimit: serviceSettings.callsInFlightLimit.default,
  proxyVersionHeader: serviceSettings.proxyVersionHeader.default,
} as const;

/** Where pages are, where nothing else is set. */
export const PLACE_DEFAULTS = {
  publicUrl: serviceSettings.publicUrl.default,
  host: serviceSettings.host.default,
  port: serviceSettings.port.default,
  operatorUrl: serviceSettings.operatorUrl.default,
  operatorHost: serviceSettings.operatorHost.default,
  operatorPort: serviceSettings.operatorPort.default,
} as const;

const MEBIBYTE = 1024 ** 2;

/** What the bodies of requests may take. */
export function bodyMemoryLimits(config: Pick<Config, "bodyMemoryMib" | "accountBodyMemoryMib">) {
  return {
    processBytes: config.bodyMemoryMib * MEBIBYTE,
    accountBytes: config.accountBodyMemoryMib * MEBIBYTE,
  };
}

/** The same where nothing else is set. */
export const BODY_MEMORY_DEFAULTS = bodyMemoryLimits({
  bodyMemoryMib: serviceSettings.bodyMemoryMib.default,
  accountBodyMemoryMib: serviceSettings.accountBodyMemoryMib.default,
});

/** Reads the configuration from environment variables. @throws {ConfigError} naming every fault at once. */
export function loadConfig(env: Environment): Config {
  const { values, faults } = inspectSettings(serviceSettings, env);
  const allFaults = [...faults, ...faultsBetween(values)];
  if (allFaults.length > 0) throw new ConfigError(allFaults);
  return values as Config;
}

/** What is wrong with settings that are right one by one. A faulty one is left out of `values` and judged no further. */
function faultsBetween(values: Partial<Config>): string[] {
  const { supplierTimeoutMs = 0, orderLeaseMs = Number.POSITIVE_INFINITY } = values;
  const { upstreamUrl = null, upstreamApiKey, isUpstreamHttpAllowed } = values;
  const { drainMs = 0, stopTimeoutMs = Number.POSITIVE_INFINITY } = values;
  const { operatorHost = "127.0.0.1", operatorUrl = null, operatorSecondFactor } = values;
  const operatorHosts = [operatorHost, ...(operatorUrl === null ? [] : [new URL(operatorUrl).hostname])];
  const faults: string[] = [];
  if (operatorSecondFactor === "optional" && !operatorHosts.every(isLoopback)) {
    faults.push(
      "OPERATOR_SECOND_FACTOR may be optional only where OPERATOR_HOST and OPERATOR_URL are this machine itself, such as 127.0.0.1 and http://localhost:8081",
    );
  }
  if (stopTimeoutMs <= drainMs)
    faults.push("STOP_TIMEOUT_MS must be more than DRAIN_MS, or nothing under way could be ended");
  if (orderLeaseMs <= 2 * supplierTimeoutMs) {
    faults.push(
      "ORDER_LEASE_MS must be more than twice SUPPLIER_TIMEOUT_MS, or an order could be taken up while it is being bought",
    );
  }
  if (upstreamUrl !== null && upstreamApiKey === null)
    faults.push("UPSTREAM_API_KEY is required with UPSTREAM_URL");
  if (upstreamUrl !== null && isUpstreamHttpAllowed === false && isReadableOnTheWay(upstreamUrl)) {
    faults.push(
      "UPSTREAM_URL must begin with https://, or the key and all that is said could be read on the way; UPSTREAM_HTTP_ALLOWED=on allows http:// in a network of your own",
    );
  }
  return faults;
}
