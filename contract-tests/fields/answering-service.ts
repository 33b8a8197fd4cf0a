import { pino } from "pino";
import type { Services } from "../../server/compose.ts";
import { composeApp } from "../../server/compose-http.ts";
import { type Listening, listen } from "../../server/http/listen.ts";
import { createMetrics } from "../../server/http/metrics.ts";
import { createRateLimit } from "../../server/http/rate-limit.ts";
import type { Caller } from "../../server/keys/api-key.ts";

/** What the use cases of an {@link startAnsweringService} give, by service and use case such as `orders.place`. */
export interface Told {
  /** Whom every key is of. */
  caller: Caller;
  gives: Readonly<Record<string, unknown>>;
  /** What each of them was asked with last. */
  readonly asked: Map<string, readonly unknown[]>;
}

/** Serves all interfaces without a database: handlers and converters are the real ones, use cases give what they are told to. */
export function startAnsweringService(told: Told): Promise<Listening> {
  const { app } = composeApp({
    services: services(told),
    logger: pino({ level: "silent" }),
    metrics: createMetrics(),
    rateLimit: createRateLimit(null),
    validateResponses: false,
  });
  return listen(app, { host: "127.0.0.1", port: 0 });
}

function services(told: Told): Services {
  const own: Readonly<Record<string, () => unknown>> = {
    "keys.authenticate": () => told.caller,
    "keys.mayHoldKey": () => false,
  };
  const useCase = (name: string): unknown =>
    new Proxy(() => {}, {
      get: (_target, field) => useCase(name === "" ? String(field) : `${name}.${String(field)}`),
      apply(_target, _this, input: readonly unknown[]) {
        const given = own[name];
        if (given !== undefined) return given();
        if (!Object.hasOwn(told.gives, name)) throw new Error(`Nothing is said of what ${name} gives.`);
        told.asked.set(name, input);
        return told.gives[name];
      },
    });
  return useCase("") as Services;
}
