import { type Interceptor, startInterceptor } from "./interceptor.ts";

/** What makes a connection ready, and is not asked for on one that was used before. */
export const MAKES_READY = /^prepare|SET SESSION|@@in_transaction/;

/**
 * Counts the messages (requests and answers alike) between a program and the servers that it uses, and does something
 * at a chosen one. So a test can end a program at every step that it takes: first a run that only counts, then one run
 * per step. The handshake of a database connection is no step; the statements that set it up, and that prepare others
 * ({@link MAKES_READY}), are some, so that a program which has been used before takes fewer steps than a new one.
 */
export interface MessageBreakpoint {
  /**
   * Puts an interceptor before one more server; all share one count.
   * @param url `mysql://…` over TCP, or `http://…`.
   * @returns the server's address through the interceptor.
   */
  before(url: string): Promise<string>;
  /**
   * At this message (the first is 1), before any of it is passed on, calls `action` synchronously and cuts the
   * message's connection; it never arrives. Happens once.
   */
  fireAt(step: number, action: () => void): void;
  /** Whether the message that fireAt named has come. */
  hasFired(): boolean;
  /** How many messages there were since the start or the last reset. */
  count(): number;
  /** What the messages were, such as `→ query COMMIT` and `← query COMMIT`, for a failed test to show. */
  steps(): readonly string[];
  /** Counts from 0 again and forgets what fireAt asked for. */
  reset(): void;
  /** Cuts every connection and every new one: to the servers behind it, the program has crashed. */
  shut(): void;
  close(): void;
}

/**
 * A breakpoint with no server behind it yet; see `before`.
 * @param isStep which requests, as `steps` shows them without their arrow, are counted with their answers: what the
 * program does from time to time by itself would make the count differ from run to run.
 */
export function createMessageBreakpoint(
  isStep: (request: string) => boolean = () => true,
): MessageBreakpoint {
  const interceptors: Interceptor[] = [];
  let steps: string[] = [];
  let armed: { step: number; action: () => void } | null = null;
  let fired = false;
  return {
    async before(url) {
      const interceptor = await startInterceptor(url, ({ from, request }) => {
        if (!isStep(request)) return "pass";
        steps.push(`${from === "client" ? "→" : "←"} ${request}`);
        if (steps.length !== armed?.step) return "pass";
        const { action } = armed;
        armed = null;
        fired = true;
        action();
        return "cut";
      });
      interceptors.push(interceptor);
      return interceptor.url;
    },
    fireAt(step, action) {
      armed = { step, action };
      fired = false;
    },
    hasFired: () => fired,
    count: () => steps.length,
    steps: () => steps,
    reset() {
      steps = [];
      armed = null;
      fired = false;
    },
    shut() {
      for (const interceptor of interceptors) interceptor.shut();
    },
    close() {
      for (const interceptor of interceptors) interceptor.close();
    },
  };
}
