import { expect } from "vitest";
import { compose, type Services } from "../../compose.ts";
import { closeDatabase } from "../../database/database.ts";
import type { Log } from "../../log.ts";
import { createTestDatabase } from "../database/test-database.ts";
import { createMessageBreakpoint, type MessageBreakpoint } from "../faults/message-breakpoint.ts";
import { type FixedClock, fixedClock } from "../fixed-clock.ts";
import { testConfig } from "../test-shop.ts";
import { LEASE_MS, RETRYABLE_MS } from "./shop-model.ts";

/** How long the service waits for a supplier, in real time. */
export const SUPPLIER_TIMEOUT_MS = 500;
const CONNECTIONS = 5;

/** A database on which one run after the other has a shop of its own, and the process that serves it. */
export interface Testbed {
  /** Where the supplier of every run is, one after the other. */
  readonly supplierPort: number;
  /** The process as it is now; `restart` replaces it. */
  services(): Services;
  /** What every process of the testbed takes for the time. */
  clock(): FixedClock;
  /** Begins a run at its own time. */
  begin(): void;
  /** Messages of errors that were logged since this was asked last. */
  takeErrors(): string[];
  /** Another process takes the place of the present one: what that remembered is forgotten. */
  restart(): Promise<void>;
  /** Another process, all of whose messages pass a breakpoint; see {@link createMessageBreakpoint}. */
  throughBreakpoint(supplierUrl: string, isStep?: (request: string) => boolean): Promise<InterceptedProcess>;
  /** Fails when the books of all runs do not agree. */
  expectCleanAudit(): Promise<void>;
  dispose(): Promise<void>;
}

/** A process that can be made to die at any of its messages. */
export interface InterceptedProcess {
  readonly breakpoint: MessageBreakpoint;
  readonly services: Services;
  /** The supplier's address through the breakpoint. */
  readonly supplierUrl: string;
  /** Cuts it off for good, and lets what it would go on with come to nothing. */
  crash(): void;
  close(): Promise<void>;
}

const BEGINNING = "2026-03-01T09:00:00Z";

/** Opens a testbed on a fresh database. */
export async function openTestbed(supplierPort: number): Promise<Testbed> {
  const database = await createTestDatabase();
  let clock = fixedClock(BEGINNING);
  let errors: string[] = [];
  const log: Log = {
    info() {},
    warn() {},
    error(...said: unknown[]) {
      const [{ err }] = said as [{ err?: unknown }];
      errors.push(said.filter((part) => typeof part === "string").join(" ") + (err ? `: ${err}` : ""));
    },
  };
  const start = (databaseUrl: string) =>
    compose(
      {
        ...testConfig(databaseUrl),
        databasePoolSize: CONNECTIONS,
        supplierTimeoutMs: SUPPLIER_TIMEOUT_MS,
        orderLeaseMs: LEASE_MS,
        retryableOrderMs: RETRYABLE_MS,
      },
      () => clock.clock(),
      log,
    );
  let services = start(database.url);
  return {
    supplierPort,
    services: () => services,
    clock: () => clock,
    begin() {
      clock = fixedClock(BEGINNING);
      errors = [];
    },
    takeErrors() {
      const taken = errors;
      errors = [];
      return taken;
    },
    async restart() {
      const last = services;
      services = start(database.url);
      await closeDatabase(last.database);
    },
    async throughBreakpoint(url, isStep) {
      const breakpoint = createMessageBreakpoint(isStep);
      const intercepted = start(await breakpoint.before(database.tcpUrl));
      // Where the breakpoint is shut the connections are cut already.
      const closeIntercepted = () => closeDatabase(intercepted.database).catch(() => {});
      return {
        breakpoint,
        services: intercepted,
        supplierUrl: await breakpoint.before(url),
        crash() {
          breakpoint.shut();
          void closeIntercepted();
        },
        async close() {
          await closeIntercepted();
          breakpoint.close();
        },
      };
    },
    async expectCleanAudit() {
      const { checks } = await services.audit.run();
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    },
    async dispose() {
      await closeDatabase(services.database);
      await database.drop();
    },
  };
}
