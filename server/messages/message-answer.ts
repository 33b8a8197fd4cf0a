import type { DomainError } from "../errors.ts";

/**
 * Where the answer to a call goes: it is answered whole, or begun, written and ended, or given up. When the caller is gone
 * what is written goes nowhere, and there is always room.
 */
export interface MessageAnswer {
  /** Tells that the call runs with fewer `max_tokens` than it asked for; before anything else. */
  lowered(maxTokens: number): void;
  /** Answers with one JSON value, in the upstream's bytes. */
  whole(json: Buffer, upstreamRequestId: string | null): void;
  /** Begins a stream of events. */
  begin(mediaType: string, upstreamRequestId: string | null): void;
  /** Passes bytes of events on. False: more of them should wait until there is room, which `onDrain` tells. */
  write(events: Buffer): boolean;
  onDrain(listener: () => void): void;
  offDrain(listener: () => void): void;
  /** Ends a stream that is complete, or of which the upstream itself has told that it is not. */
  end(): void;
  /**
   * Ends a stream that is not complete with an event that says so. `betweenEvents`: only whole events were passed on.
   * `cause`: why, where the caller may know; null when it just broke off.
   */
  endBroken(state: { readonly betweenEvents: boolean; readonly cause: DomainError | null }): void;
  /** Gives up: the caller is gone. */
  abort(): void;
}
