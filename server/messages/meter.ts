import type { Call, CallOutcome } from "../calls/call.ts";
import type { Calls } from "../calls/calls.ts";
import { NO_TOKENS } from "../calls/token-usage.ts";
import type { Log } from "../log.ts";
import type { SeenUsage } from "./usage-reader.ts";

/** What a meter needs. */
export interface MeterDependencies {
  readonly calls: Pick<Calls, "exceedsHold" | "record" | "end">;
  readonly log: Log;
  readonly leaseMs: number;
}

/** How long a caller waits for the books; the commit takes milliseconds unless the database is in trouble. */
const COMMIT_WAIT_MS = 5_000;
const RETRY_PAUSE_MS = 1_000;

// A short answer ends before, and so costs the database two transactions instead of three.
const FIRST_RECORD_MS = 200;

/** Keeps the books informed of one call while it is forwarded. */
export class Meter {
  /** Asked for the call's usage so far, whenever that is recorded. */
  seen: () => SeenUsage | null = () => null;
  /** The upstream's name for the request, as soon as it is known. */
  upstreamRequestId: string | null = null;

  readonly #call: Call;
  readonly #dependencies: MeterDependencies;
  readonly #renewal: NodeJS.Timeout;
  #firstRecord: NodeJS.Timeout | undefined;

  constructor(call: Call, dependencies: MeterDependencies) {
    this.#call = call;
    this.#dependencies = dependencies;
    this.#renewal = setInterval(() => this.#record(), dependencies.leaseMs / 3);
  }

  /** Lets the call's usage so far be recorded in a moment, unless it has ended by then. The caller does not wait for it. */
  scheduleFirstRecord(): void {
    this.#firstRecord = setTimeout(() => this.#record(), FIRST_RECORD_MS);
  }

  /**
   * To be called when the upstream has told more of the usage. What goes beyond the hold is held at once, so that it counts
   * before another call begins.
   */
  noteUsage(): void {
    const seen = this.seen();
    if (seen !== null && this.#dependencies.calls.exceedsHold(this.#call, seen.usage)) this.#record();
  }

  #record(): void {
    const seen = this.seen();
    void this.#dependencies.calls.record(this.#call, seen?.usage ?? NO_TOKENS, seen?.estimated);
  }

  /**
   * Ends the call, charged for what was seen. Resolves when that is committed, or when the database has taken too long for
   * the caller to wait: then it is tried on in the background.
   */
  async end(outcome: CallOutcome, seen: SeenUsage | null): Promise<void> {
    clearInterval(this.#renewal);
    clearTimeout(this.#firstRecord);
    const written = this.#write(outcome, seen);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, COMMIT_WAIT_MS);
      void written.then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  // Once the lease has run out, recovery ends the call for what was recorded.
  async #write(outcome: CallOutcome, seen: SeenUsage | null): Promise<void> {
    const { calls, log, leaseMs } = this.#dependencies;
    const ending = {
      outcome,
      usage: seen?.usage ?? null,
      estimated: seen?.estimated ?? false,
      upstreamRequestId: this.upstreamRequestId,
    };
    const startedMs = performance.now();
    for (;;) {
      try {
        return await calls.end(this.#call, ending);
      } catch (error) {
        const { callId } = this.#call;
        if (performance.now() - startedMs > leaseMs) {
          log.error(
            { callId, outcome, err: error },
            "call was not ended; recovery charges what was recorded",
          );
          return;
        }
        log.warn({ callId, outcome, err: error }, "call is not ended yet");
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
    }
  }
}
