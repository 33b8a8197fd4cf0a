import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Session } from "./database.ts";
import { databaseTimeMs } from "./lease-store.ts";

/** Clocks that differ by less are in step; it is also what a busy machine may be wrong by when it asks. */
const TOLERANCE_MS = 250;
/** From here on an operator should know. */
const WARN_FROM_MS = 1_000;
const FIRST_QUESTIONS = 3;
const ASK_EVERY_MS = 10_000;

/**
 * The time by which leases are reckoned: the database's, which all processes share. A process whose machine has the wrong time
 * would otherwise take others' work for abandoned, or begin work that others take for abandoned.
 */
interface DatabaseClock {
  /** This machine's time, corrected where it is not in step with the database's. */
  readonly now: Clock;
  /** Compares the clocks, and does so again every 10 seconds until it is stopped. @throws {DatabaseUnavailableError} */
  follow(session: Session): Promise<void>;
  /** Compares the clocks once. @throws {DatabaseUnavailableError} */
  compare(session: Session): Promise<void>;
  stop(): void;
}

/** @param machineClock for tests. */
export function createDatabaseClock(log: Pick<Log, "warn">, machineClock: Clock = Date.now): DatabaseClock {
  let offsetMs = 0;
  let timer: NodeJS.Timeout | undefined;

  async function compare(session: Session, questions = FIRST_QUESTIONS): Promise<void> {
    const measured = await bestMeasurement(session, machineClock, questions);
    if (Math.abs(measured.offsetMs - offsetMs) <= TOLERANCE_MS + measured.uncertaintyMs) return;
    offsetMs = Math.abs(measured.offsetMs) <= TOLERANCE_MS + measured.uncertaintyMs ? 0 : measured.offsetMs;
    if (Math.abs(offsetMs) < WARN_FROM_MS) return;
    const words = `${Math.round(Math.abs(offsetMs) / 1_000)} s ${offsetMs > 0 ? "behind" : "ahead of"}`;
    log.warn({ offsetMs }, `this machine's clock is ${words} the database's, which the shop goes by`);
  }

  return {
    now: () => machineClock() + offsetMs,
    compare: (session) => compare(session),
    async follow(session) {
      await compare(session);
      // While the database does not answer, the last comparison holds.
      timer = setInterval(() => void compare(session, 1).catch(() => {}), ASK_EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

interface Measurement {
  /** What is to be added to this machine's time. */
  readonly offsetMs: number;
  readonly uncertaintyMs: number;
}

/** Of several questions the one that was answered fastest tells most. */
async function bestMeasurement(session: Session, clock: Clock, questions: number): Promise<Measurement> {
  let best: Measurement | null = null;
  for (let question = 1; question <= questions; question += 1) {
    const askedAtMs = clock();
    const thereMs = await databaseTimeMs(session);
    const answeredAtMs = clock();
    const uncertaintyMs = Math.ceil((answeredAtMs - askedAtMs) / 2);
    if (best !== null && best.uncertaintyMs <= uncertaintyMs) continue;
    best = { offsetMs: Math.round(thereMs - (askedAtMs + answeredAtMs) / 2), uncertaintyMs };
  }
  return best ?? { offsetMs: 0, uncertaintyMs: 0 };
}
