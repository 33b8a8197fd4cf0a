import createClient, { type Client } from "openapi-fetch";
import type { components, operations, paths } from "../generated/proxy/types.ts";
import { checkAddress } from "./address.ts";
import { type MessageStream, readMessageStream } from "./message-stream.ts";
import { type ProxyError, readProxyError } from "./proxy-errors.ts";
import { type CallOptions, createRequester, type Requester, type Result } from "./requester.ts";

type Schemas = components["schemas"];
type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]["parameters"]["query"]>;

/** What a model answers. */
export type Message = Schemas["Message"];
/** A request for a message; `stream` is set by the way it is sent. */
export type MessageRequest = Schemas["MessageRequest"] & { stream?: never };

/** An answer of the AI proxy. */
export type ProxyResult<Data> = Result<Data, ProxyError>;

/** What a streamed call may set. */
export interface StreamOptions extends CallOptions {
  /** How long the stream may be silent; two minutes without it. */
  readonly idleTimeoutMs?: number;
}

/** Calls of models. Nothing is sent a second time by itself: a call costs money each time. */
export interface Messages {
  /** The whole message at once. */
  create(request: MessageRequest, options?: CallOptions): Promise<ProxyResult<Message>>;
  /**
   * The message as it is made. An error before its beginning is a value, as everywhere; one after it is thrown by the
   * stream. `timeoutMs` is for the beginning; the signal ends the stream at any time.
   */
  stream(request: MessageRequest, options?: StreamOptions): Promise<ProxyResult<MessageStream>>;
  /** Estimates the input's tokens; free. */
  countTokens(
    request: Schemas["TokenCountRequest"],
    options?: CallOptions,
  ): Promise<ProxyResult<Schemas["TokenCountResult"]>>;
}

/**
 * A client of the AI proxy: each call sends one request with an id and a time limit, and gives
 * `{ data, error, response, requestId }`, where `error` is a union on its type. Amounts are in microcents.
 * @throws {NoAnswerError} when there is no answer that can be read. @throws the reason of a signal that is aborted.
 */
export interface ProxyClient {
  readonly messages: Messages;
  listModels(
    query?: QueryOf<"listModels">,
    options?: CallOptions,
  ): Promise<ProxyResult<Schemas["ModelList"]>>;
  /** A model by its id or an alias of it. */
  getModel(modelId: string, options?: CallOptions): Promise<ProxyResult<Schemas["Model"]>>;
  getAccount(options?: CallOptions): Promise<ProxyResult<Schemas["AccountResource"]>>;
  /** The newest calls first. */
  listUsage(query?: QueryOf<"listUsage">, options?: CallOptions): Promise<ProxyResult<Schemas["UsageList"]>>;
  /** The newest movements first. */
  listLedger(
    query?: QueryOf<"listLedger">,
    options?: CallOptions,
  ): Promise<ProxyResult<Schemas["LedgerEntryList"]>>;
}

/** Where the service is and who calls. */
export interface ProxyClientOptions {
  /** The root of the service, without the `/v1` of the paths. */
  readonly baseUrl: string;
  /** A key of kind `general` or `ai_proxy`. Keep it on the server: its holder can spend the balance. */
  readonly apiKey: string;
  /** How long a call waits for its whole answer; ten minutes without it. */
  readonly timeoutMs?: number;
  /** Sent with every call of a model; `2023-06-01` without it. */
  readonly version?: string;
  /** Used instead of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

const DEFAULT_TIMEOUT_MS = 600_000;
const DEFAULT_IDLE_TIMEOUT_MS = 120_000;
const DEFAULT_VERSION = "2023-06-01";

/**
 * Makes a client of the AI proxy. A redirect is not followed: the key is meant for one address.
 * @throws {RangeError} for a base URL or a key that cannot be one.
 */
export function createProxyClient(options: ProxyClientOptions): ProxyClient {
  const { apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, version = DEFAULT_VERSION } = options;
  const client = createClient<paths>({
    baseUrl: checkAddress(options),
    headers: { "x-api-key": apiKey, Accept: "application/json", "anthropic-version": version },
    redirect: "error",
    fetch: options.fetch ?? ((request) => fetch(request)),
  });
  const call = createRequester(timeoutMs, readProxyError);
  return {
    messages: messagesOf(client, call),
    listModels: (query = {}, options = {}) =>
      call(options, (init) => client.GET("/v1/models", { params: { query }, ...init })),
    getModel: (modelId, options) =>
      call(options, (init) =>
        client.GET("/v1/models/{model_id}", { params: { path: { model_id: modelId } }, ...init }),
      ),
    getAccount: (options) => call(options, (init) => client.GET("/v1/me", init)),
    listUsage: (query = {}, options = {}) =>
      call(options, (init) => client.GET("/v1/usage", { params: { query }, ...init })),
    listLedger: (query = {}, options = {}) =>
      call(options, (init) => client.GET("/v1/ledger", { params: { query }, ...init })),
  };
}

function messagesOf(client: Client<paths>, call: Requester<ProxyError>): Messages {
  return {
    create: (request, options) =>
      call(options, async (init) => {
        const body = { ...request, stream: false };
        const { data, error, response } = await client.POST("/v1/messages", { body, ...init });
        // Only a stream is a text.
        return { data: data as Message | undefined, error, response };
      }),
    stream: (request, { idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS, ...options } = {}) =>
      call(options, async ({ signal, headers }) => {
        const controller = new AbortController();
        const forward = () => controller.abort(signal.reason);
        signal.throwIfAborted();
        signal.addEventListener("abort", forward, { once: true });
        const { data, error, response } = await client.POST("/v1/messages", {
          body: { ...request, stream: true },
          headers: { ...headers, Accept: "text/event-stream, application/json" },
          signal: controller.signal,
          parseAs: "stream",
        });
        // From here on the time limit of the call is over; the caller's own signal is not.
        signal.removeEventListener("abort", forward);
        if (data === undefined || data === null) return { error, response };
        options.signal?.addEventListener("abort", () => controller.abort(options.signal?.reason), {
          signal: controller.signal,
        });
        return { data: readMessageStream({ body: data, controller, idleTimeoutMs }), response };
      }),
    countTokens: (body, options) =>
      call(options, (init) => client.POST("/v1/messages/count_tokens", { body, ...init })),
  };
}
