import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Services } from "../compose.ts";
import type { Caller } from "../keys/api-key.ts";

/** A request that the contract allows, as it came, for an operation that writes its answer itself. */
export interface RawInput {
  readonly caller: Caller;
  /** Ours: in the log, in the answer's X-Request-Id and in the record of the call. */
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  /** The query with its `?` as it came, or an empty text. */
  readonly query: string;
  /** The body byte for byte as it came. */
  readonly body: Buffer;
  /** The same body, parsed and held against the contract. */
  readonly json: unknown;
  /** The answer, with nothing written yet and only the common headers set. */
  readonly response: ServerResponse;
  /** Aborted when the client goes away before the answer is complete. */
  readonly signal: AbortSignal;
}

/**
 * Answers an operation whose answer is not one JSON value of ours, such as a stream. It throws domain errors only before
 * it has written the head of its answer, and resolves when the answer is written or given up.
 */
export type RawHandler = (input: RawInput, services: Services) => Promise<void>;
