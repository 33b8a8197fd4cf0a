import { pino } from "pino";
import type { Services } from "../../server/compose.ts";
import { composeApps } from "../../server/compose-http.ts";
import { type Listening, listen } from "../../server/http/listen.ts";
import { createMetrics } from "../../server/http/metrics.ts";
import { createRateLimit } from "../../server/http/rate-limit.ts";
import { onOnePort } from "../../server/testing/on-one-port.ts";

/** What the use cases of an {@link startAnsweringService} give, by service and use case such as `orders.place`. */
export interface Told {
  /** What the use cases give that let callers in. */
  admits: Readonly<Record<string, unknown>>;
  gives: Readonly<Record<string, unknown>>;
  /** What each of them was asked with last. */
  readonly asked: Map<string, readonly unknown[]>;
}

/** Serves all interfaces without a database: handlers and converters are the real ones, use cases give what they are told to. */
export function startAnsweringService(told: Told): Promise<Listening> {
  const { app } = onOnePort(
    composeApps({
      services: services(told),
      logger: pino({ level: "silent" }),
      metrics: createMetrics(),
      rateLimit: createRateLimit(null),
      validateResponses: false,
    }),
  );
  return listen(app, { host: "127.0.0.1", port: 0 });
}

function services(told: Told): Services {
  const useCase = (name: string): unknown =>
    new Proxy(() => {}, {
      get: (_target, field) => useCase(name === "" ? String(field) : `${name}.${String(field)}`),
      apply(_target, _this, input: readonly unknown[]) {
        if (name === "keys.mayHoldKey") return false;
        if (Object.hasOwn(told.admits, name)) return told.admits[name];
        const isGiven = Object.hasOwn(told.gives, name);
        const isLedTo = Object.keys(told.gives).some((given) => given.startsWith(`${name}().`));
        if (!isGiven && !isLedTo) throw new Error(`Nothing is said of what ${name} gives.`);
        told.asked.set(name, input);
        return isGiven ? told.gives[name] : useCase(`${name}()`);
      },
    });
  return useCase("") as Services;
}
