import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Calls } from "../calls/calls.ts";
import type { Clock } from "../clock.ts";
import type { Caller } from "../keys/api-key.ts";
import type { Log } from "../log.ts";
import type { Models } from "../models/models.ts";
import type { Upstream } from "./upstream.ts";

/** What messages need. */
export interface MessagesOptions {
  readonly models: Pick<Models, "findOffered">;
  readonly calls: Pick<Calls, "begin" | "record" | "end">;
  /** Null: there is none, and every call says so. */
  readonly upstream: Upstream | null;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a call lives in the books without a word from its process. */
  readonly leaseMs: number;
}

/** A request whose body fits the contract, and where its answer goes. */
export interface MessageRequest {
  readonly caller: Caller;
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw query with its "?", or "". */
  readonly query: string;
  /** The body, byte for byte as it came. */
  readonly body: Buffer;
  /** The same, parsed. */
  readonly json: unknown;
  readonly response: ServerResponse;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** Forwards message calls to the upstream and charges them. */
export interface Messages {
  /** Generates a message, charged by what it took. Writes the answer itself; throws only before its head is written. */
  create(request: MessageRequest): Promise<void>;
  /** Counts tokens, free. Writes the answer itself; throws only before its head is written. */
  countTokens(request: MessageRequest): Promise<void>;
  /** Resolves when all calls under way have ended and are settled; those that have not by the deadline are broken off. */
  stop(deadlineMs: number): Promise<void>;
}

export declare function createMessages(options: MessagesOptions): Messages;
