import { type Database, readingSession } from "./database/database.ts";
import { writeProbe } from "./database/lease-store.ts";

/** Whether a process is to be sent requests. */
export interface Readiness {
  /** Why not, for operators; null when it is ready: its database takes changes and it is not being stopped. */
  whyNot(): Promise<string | null>;
  /** From now on it is not ready: it is being stopped. */
  drain(): void;
}

/** The readiness of a process that works on a database. */
export function createReadiness(database: Database): Readiness {
  let isDraining = false;
  let asking: Promise<string | null> | null = null;
  // Writes that wait for locks must not make the process look broken, so the probe goes where reads go.
  const session = readingSession(database);
  const ask = () =>
    writeProbe(session)
      .then(() => null, reasonOf)
      .finally(() => {
        asking = null;
      });
  return {
    async whyNot() {
      if (isDraining) return "the process is being stopped";
      // Those who ask while a database is silent share one question.
      asking ??= ask();
      return asking;
    },
    drain() {
      isDraining = true;
    },
  };
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const { message } = (cause instanceof Error ? cause : error) as Error;
  return `the database takes no changes: ${message}`;
}
