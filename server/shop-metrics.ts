import { setTimeout as delay } from "node:timers/promises";
import { Counter, Gauge } from "prom-client";
import type { Calls } from "./calls/calls.ts";
import type { ConnectionWaits } from "./database/connections.ts";
import { connectionWaits, type Database } from "./database/database.ts";
import type { Metrics } from "./http/metrics.ts";
import type { RateLimit } from "./http/rate-limit.ts";
import type { Messages } from "./messages/messages.ts";
import type { OrderAdministration } from "./orders/order-administration.ts";
import type { Stock } from "./stock/stock.ts";
import type { Suppliers } from "./suppliers/suppliers.ts";

const COUNT_TIMEOUT_MS = 2_000;
const BREAKER_STATES = ["closed", "half-open", "open"] as const;

/** What the figures are read from. */
interface Sources {
  readonly database: Database;
  readonly orderAdministration: Pick<OrderAdministration, "countUnfinished">;
  readonly calls: Pick<Calls, "countUnfinished" | "unpricedCalls">;
  readonly stock: Pick<Stock, "countSetAside">;
  readonly suppliers: Pick<Suppliers, "breakerStates">;
  readonly messages: Pick<Messages, "upstreamAlarms">;
}

/** Adds figures of the shop, which are read when the metrics are asked for. */
export function addShopMetrics(
  { registry }: Metrics,
  { database, orderAdministration, suppliers, stock, calls, messages }: Sources,
): void {
  const count = oneAtATime(() => orderAdministration.countUnfinished());
  const countCalls = oneAtATime(() => calls.countUnfinished());
  addStockMetric(registry, stock);
  addConnectionMetrics(registry, database);
  const unfinished = new Gauge({
    name: "orders_unfinished",
    help:
      "Orders in the database that have not come to an end, the same in every process: processing, stuck (those of " +
      "them that have been so for more than an hour) and retryable. Absent while the database does not answer.",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const counts = await inTime(count());
      unfinished.reset();
      for (const [state, count] of Object.entries(counts ?? {})) unfinished.set({ state }, count);
    },
  });
  const running = new Gauge({
    name: "calls_unfinished",
    help:
      "Calls to models in the database that have not ended, the same in every process: running, and abandoned (those of " +
      "them whose lease has run out; they are ended by recovery). Absent while the database does not answer.",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const counts = await inTime(countCalls());
      running.reset();
      for (const [state, count] of Object.entries(counts ?? {})) running.set({ state }, count);
    },
  });
  const breakers = new Gauge({
    name: "supplier_breaker_state",
    help:
      "1 for the state that each supplier's circuit breaker is in, 0 for the others; of the suppliers that this " +
      "process has asked. Open: it did not answer, and is left alone for a while.",
    labelNames: ["supplier", "state"],
    registers: [registry],
    collect() {
      breakers.reset();
      for (const { supplierId: supplier, state } of suppliers.breakerStates())
        for (const each of BREAKER_STATES) breakers.set({ supplier, state: each }, each === state ? 1 : 0);
    },
  });
  addAlarms(registry, messages, calls);
}

function addAlarms(
  registry: Metrics["registry"],
  messages: Sources["messages"],
  calls: Sources["calls"],
): void {
  const alarms = new Counter({
    name: "upstream_alarms_total",
    help:
      "What the upstream has against this shop, since the process began: credit, spend_limit, organization, key and other " +
      "are calls that got a 500 for it; repeated_refusal are words that it told several accounts alike within ten minutes; " +
      "unpriced are calls for which it bills what has no price.",
    labelNames: ["alarm"],
    registers: [registry],
    collect() {
      alarms.reset();
      for (const [alarm, count] of Object.entries(messages.upstreamAlarms())) alarms.inc({ alarm }, count);
      alarms.inc({ alarm: "unpriced" }, calls.unpricedCalls());
    },
  });
}

function addStockMetric(registry: Metrics["registry"], stock: Sources["stock"]): void {
  const countSetAside = oneAtATime(() => stock.countSetAside());
  const setAside = new Gauge({
    name: "stock_segments_set_aside",
    help:
      "Segments in the database that are not sold any more because a code of theirs cannot be opened or, after a loss, may " +
      "have been sold, the same in every process; an operator has to look into them. Absent while the database does not answer.",
    registers: [registry],
    async collect() {
      const count = await inTime(countSetAside());
      setAside.remove();
      if (count !== null) setAside.set(count);
    },
  });
}

/** What waits for connections to the database, by what they serve: reads that stand alone, or writes. */
function addConnectionMetrics(registry: Metrics["registry"], database: Database): void {
  const labelNames = ["purpose"];
  const waiting = new Gauge({
    name: "database_connections_waiting",
    help: "What waits for a connection to the database at the moment.",
    labelNames,
    registers: [registry],
    collect() {
      for (const [purpose, waits] of Object.entries(connectionWaits(database)))
        waiting.set({ purpose }, waits.waiting);
    },
  });
  const counter = (name: string, help: string, figureOf: (waits: ConnectionWaits) => number) => {
    const counted = new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        counted.reset();
        for (const [purpose, waits] of Object.entries(connectionWaits(database)))
          counted.inc({ purpose }, figureOf(waits));
      },
    });
  };
  counter(
    "database_connection_waits_total",
    "How often a connection to the database was asked for and had.",
    ({ served }) => served,
  );
  counter(
    "database_connection_wait_seconds_total",
    "How long that took in all.",
    ({ servedAfterMs }) => servedAfterMs / 1000,
  );
  counter(
    "database_connection_waits_refused_total",
    "How often none was free in time, or too much waited already: 503 with Retry-After.",
    ({ refused }) => refused,
  );
}

/** Whether the processes count requests together, where they are to. */
export function addRequestLimitMetrics({ registry }: Metrics, rateLimit: RateLimit): void {
  if (rateLimit.sharing() === null) return;
  new Gauge({
    name: "request_limit_shared",
    help: "1 while the processes count requests together in Redis, 0 while each lets its share of the limit pass.",
    registers: [registry],
    collect() {
      this.set(rateLimit.sharing()?.isShared ? 1 : 0);
    },
  });
  new Counter({
    name: "request_limit_counted_alone_total",
    help: "Requests that this process has counted for itself, because Redis did not.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(rateLimit.sharing()?.countedAlone ?? 0);
    },
  });
}

/** Lets those who ask while an answer is under way share it, so that a stalled database gathers no queue. */
function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | null = null;
  return () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
}

/** The result, or null when it fails or takes too long: a scrape must not fail for lack of one figure. */
async function inTime<T>(work: Promise<T>): Promise<T | null> {
  const abandoned = new AbortController();
  const late = delay(COUNT_TIMEOUT_MS, null, { signal: abandoned.signal }).catch(() => null);
  const result = await Promise.race([work.catch(() => null), late]);
  abandoned.abort();
  return result;
}
