import type { ClientOptions } from "openapi-fetch";

/** A request as it is to be sent. */
export interface TransportRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | undefined;
  /** Breaks the request off. */
  readonly signal?: AbortSignal | undefined;
}

/** An answer that was read to its end. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  readonly text: string;
}

/** Sends a request and reads its answer; throws when there is none. */
export type Send = (request: TransportRequest) => Promise<TransportResponse>;

/**
 * Lets a client send in another way than by the global `fetch`, with objects that hold no more than it uses: a `Request`
 * and a `Response` cost more than everything else about a call.
 */
export function minimalTransport(send: Send): Required<Pick<ClientOptions, "Request" | "fetch">> {
  return {
    Request: ClientRequest as unknown as typeof Request,
    fetch: async (request) =>
      new ClientResponse(await send(request as unknown as TransportRequest)) as unknown as Response,
  };
}

class ClientRequest implements TransportRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;

  constructor(url: string, { method, headers, body, signal }: Omit<TransportRequest, "url">) {
    this.url = url;
    this.method = method;
    this.headers = headers;
    this.body = body;
    this.signal = signal;
  }
}

class ClientResponse implements Pick<Response, "ok" | "status" | "text" | "json"> {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: TransportResponse["headers"];
  readonly #text: string;

  constructor({ status, headers, text }: TransportResponse) {
    this.ok = status >= 200 && status < 300;
    this.status = status;
    this.headers = headers;
    this.#text = text;
  }

  async text(): Promise<string> {
    return this.#text;
  }

  async json(): Promise<unknown> {
    return JSON.parse(this.#text);
  }
}
