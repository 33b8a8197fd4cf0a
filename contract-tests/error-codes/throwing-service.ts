import { pino } from "pino";
import type { Services } from "../../server/compose.ts";
import { composeApps } from "../../server/compose-http.ts";
import { type Listening, listen } from "../../server/http/listen.ts";
import { createMetrics } from "../../server/http/metrics.ts";
import type { RateLimit } from "../../server/http/rate-limit.ts";
import type { Caller } from "../../server/keys/api-key.ts";
import { onOnePort } from "../../server/testing/on-one-port.ts";

/** What happens to every request that a {@link startThrowingService} gets. */
export interface Mishap {
  /** Whom its key is of; null when it is not known. */
  caller: Caller | null;
  /** What other use cases give that let a caller in, by service and use case; null where there is no caller. */
  admits?: Readonly<Record<string, unknown>> | undefined;
  /** What the first use case throws that its handler calls. */
  thrown: Error;
  /** Whether it is thrown already while the key is looked up. */
  isEarly?: boolean | undefined;
}

/** Serves all interfaces without a database: their handlers are the real ones, and every use case throws. */
export function startThrowingService(mishap: Mishap, rateLimit: RateLimit): Promise<Listening> {
  const { app } = onOnePort(
    composeApps({
      services: everythingThrows(mishap),
      logger: pino({ level: "silent" }),
      metrics: createMetrics(),
      rateLimit,
      validateResponses: false,
    }),
  );
  return listen(app, { host: "127.0.0.1", port: 0 });
}

/** Something of which each field, and each field of a field, can be called and throws, but for what lets callers in. */
function everythingThrows(mishap: Mishap): Services {
  const useCase = (name: string): unknown =>
    new Proxy(() => {}, {
      get: (_target, field) => useCase(name === "" ? String(field) : `${name}.${String(field)}`),
      apply() {
        const { caller, thrown, isEarly = false, admits = {} } = mishap;
        const isAdmission = name === "keys.authenticate" || Object.hasOwn(admits, name);
        if (isEarly || !isAdmission) throw thrown;
        return Promise.resolve(caller && (admits[name] ?? caller));
      },
    });
  return useCase("") as Services;
}
