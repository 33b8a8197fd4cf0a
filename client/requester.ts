import { NoAnswerError } from "./no-answer-error.ts";

/** What a single call may set. */
export interface CallOptions {
  /** Breaks the call off; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the whole answer. */
  readonly timeoutMs?: number | undefined;
  /** Sent as `X-Request-Id`, up to 128 letters, digits, `.`, `_` and `-`; without it, a new UUID. */
  readonly requestId?: string | undefined;
}

/** An answer: either what was asked for or an error, never both. */
export type Result<Data, Failure> = { readonly response: Response; readonly requestId: string } & (
  | { readonly data: Data; readonly error?: never }
  | { readonly data?: never; readonly error: Failure }
);

/** What each request is sent with; no interface, since openapi-fetch wants it open to more fields. */
export type SendInit = {
  readonly signal: AbortSignal;
  readonly headers: Record<string, string>;
};

interface Answer<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

type Send<Data> = (init: SendInit) => Promise<Answer<Data>>;

/** Makes calls with a request id and a time limit, and reads their errors. */
export type Requester<Failure> = <Data>(
  options: CallOptions | undefined,
  send: Send<Data>,
) => Promise<Result<Data, Failure>>;

/**
 * @param timeoutMs for calls that name none.
 * @param readError makes an error of everything that is no 200 with a body.
 */
export function createRequester<Failure>(
  timeoutMs: number,
  readError: (body: unknown, response: Response) => Failure,
): Requester<Failure> {
  return async (options = {}, send) => {
    const sentId = options.requestId ?? crypto.randomUUID();
    const timeout = AbortSignal.timeout(options.timeoutMs ?? timeoutMs);
    const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
    try {
      const { data, error, response } = await send({ signal, headers: { "X-Request-Id": sentId } });
      const requestId = response.headers.get("X-Request-Id") ?? sentId;
      if (response.status === 200 && data !== undefined) return { data, response, requestId };
      return { error: readError(error, response), response, requestId };
    } catch (cause) {
      options.signal?.throwIfAborted();
      // A parser's error shows part of what it was given, which may be a code.
      if (cause instanceof SyntaxError) throw new NoAnswerError("unreadable", sentId, null);
      throw new NoAnswerError(timeout.aborted ? "timeout" : "connection", sentId, cause);
    }
  };
}
