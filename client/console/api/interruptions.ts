import { useSyncExternalStore } from "react";
import type { ErrorCode, Fault } from "./fault.ts";

/** What the person is asked for before a request can go on. */
export type Interruption = Extract<ErrorCode, "unauthorized" | "second_factor_required" | "step_up_required">;

interface Asked {
  readonly kind: Interruption;
  readonly fault: Fault;
  readonly given: PromiseWithResolvers<void>;
}

const KINDS: ReadonlySet<string> = new Set<Interruption>([
  "unauthorized",
  "second_factor_required",
  "step_up_required",
]);

let asked: Asked | null = null;
/** Aborted when the pages that are shown are left. */
let leaving = new AbortController();
const listeners = new Set<() => void>();

function become(next: Asked | null): void {
  asked = next;
  for (const listener of listeners) listener();
}

export function isInterruption(code: string): code is Interruption {
  return KINDS.has(code);
}

/**
 * Asks the person for what the fault wants, over the page that they are on, and waits for it; requests that come meanwhile wait
 * for the same, and ask for their own when they are repeated.
 * @throws {Fault} that it was given, when the person declines
 */
export function interrupt(kind: Interruption, fault: Fault): Promise<void> {
  if (asked === null) become({ kind, fault, given: Promise.withResolvers<void>() });
  return (asked as unknown as Asked).given.promise;
}

/** The person has given what was asked for: what waits goes on. */
export function endInterruption(): void {
  const ended = asked;
  become(null);
  ended?.given.resolve();
}

/** The person does not give it: what waits fails as it would have without asking. */
export function declineInterruption(): void {
  const ended = asked;
  become(null);
  ended?.given.reject(ended.fault);
}

/** Tells whoever asks for a page whether the pages that are shown now have been left meanwhile. */
export function whileShown(): AbortSignal {
  return leaving.signal;
}

/** The pages are left, and others begin: nobody is asked over these for what a request of those lacks. */
export function leavePages(): void {
  declineInterruption();
  leaving.abort();
  leaving = new AbortController();
}

/** What the person is asked for at the moment. */
export function useInterruption(): Interruption | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked?.kind ?? null,
  );
}
