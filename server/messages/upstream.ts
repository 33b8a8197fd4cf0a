import type { IncomingMessage } from "node:http";

/** How long the upstream may take. */
export interface UpstreamTimeouts {
  /** To take the connection; 10 s when not given. */
  readonly connectMs?: number;
  /** From the request to the head of the answer. */
  readonly headMs: number;
  /** From one piece of an answer to the next; 2 minutes when not given. */
  readonly idleMs?: number;
}

/** Where the upstream is and how it is called. */
export interface UpstreamOptions {
  /** Its root, such as `https://upstream.example`: paths begin with /v1. */
  readonly url: string;
  readonly apiKey: string;
  /** The name of the header that carries the version of the interface; it is passed on. */
  readonly versionHeader: string;
  readonly timeouts: UpstreamTimeouts;
}

/** The service that answers the calls. */
export interface Upstream {
  /** Sends a request and waits for the head of the answer. */
  send(request: UpstreamRequest): Promise<IncomingMessage>;
  /** Lets go of the connections that are kept. */
  close(): void;
}

/** A request as it is passed on. */
export interface UpstreamRequest {
  /** Path and query, such as `/v1/messages?beta=true`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

export declare function createUpstream(options: UpstreamOptions): Upstream;
