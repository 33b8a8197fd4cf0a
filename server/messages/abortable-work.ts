import { setTimeout as delay } from "node:timers/promises";
import type { DomainError } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import { UpstreamUnavailableError } from "./errors.ts";
import { CLIENT_DISCONNECTED } from "./forward-message.ts";
import type { UpstreamAlarms } from "./upstream-alarms.ts";

/** Whom work is done for. */
interface Asked {
  readonly caller: { readonly accountId: AccountId };
  readonly requestId: string;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** Work that can be broken off: some time after its client has gone, by itself, and by this service when it stops. */
export interface AbortableWork {
  /**
   * Does the work, and notes why it failed. A client that goes away before it begins gets none; later it goes on for
   * `readOnMs` at most. Throws what the work throws, unless nobody is there any more to be told.
   */
  run(asked: Asked, readOnMs: number, work: Work): Promise<void>;
  /** Resolves when all work has ended; at the deadline what has not is broken off. */
  stopAll(deadlineMs: number): Promise<void>;
}

/** What is done until the signal is aborted; it may break itself off. */
type Work = (signal: AbortSignal, breakOff: (reason: DomainError) => void) => Promise<void>;

const STOPPING_RETRY_SECONDS = 1;

export function createAbortableWork(alarms: Pick<UpstreamAlarms, "note">): AbortableWork {
  const live = new Map<AbortController, Promise<void>>();
  return {
    async run({ signal: client, requestId, caller: { accountId } }, readOnMs, work) {
      const controller = new AbortController();
      const forgetClient = abortAfterLeaving(client, controller, readOnMs);
      const working = work(controller.signal, (reason) => controller.abort(reason));
      live.set(controller, working);
      try {
        await working;
      } catch (error) {
        if (error === CLIENT_DISCONNECTED) return;
        alarms.note(error, { requestId, accountId });
        if (!client.aborted) throw error;
      } finally {
        live.delete(controller);
        forgetClient();
      }
    },

    async stopAll(deadlineMs) {
      const deadline = performance.now() + deadlineMs;
      const patience = new AbortController();
      while (live.size > 0 && performance.now() < deadline) {
        const rest = delay(deadline - performance.now(), undefined, patience).catch(() => {});
        await Promise.race([Promise.allSettled(live.values()), rest]);
      }
      patience.abort();
      for (const controller of live.keys()) controller.abort(stopping());
      while (live.size > 0) await Promise.allSettled(live.values());
    },
  };
}

/** Breaks work off when its client is gone already, or some time after it has gone. @returns what ends the watch. */
function abortAfterLeaving(client: AbortSignal, controller: AbortController, readOnMs: number): () => void {
  const abort = () => controller.abort(CLIENT_DISCONNECTED);
  let timer: NodeJS.Timeout | undefined;
  const leave = () => {
    if (readOnMs === 0) abort();
    else timer = setTimeout(abort, readOnMs);
  };
  client.addEventListener("abort", leave);
  if (client.aborted) abort();
  return () => {
    clearTimeout(timer);
    client.removeEventListener("abort", leave);
  };
}

function stopping(): DomainError {
  return new UpstreamUnavailableError("The service is being restarted. Retry.", {
    retryAfterSeconds: STOPPING_RETRY_SECONDS,
  });
}
