/** What a request has beside its path. */
export interface RequestOptions {
  readonly key?: string | null;
  readonly method?: string;
  /** Sent as JSON; a string or buffer as it is. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** After how long it is broken off; never when not given. */
  readonly timeoutMs?: number;
  /** Breaks it off instead. */
  readonly signal?: AbortSignal;
}

/** An HTTP answer, read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it came. */
  readonly text: string;
  /** The body as JSON; null when there is none, undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on whatever came.
  readonly body: any;
}

/** One request to a shop, or to what speaks like one; a body makes it a POST. Rejects when the connection breaks. */
export async function requestShop(
  baseUrl: string,
  path: string,
  { key, method, body, headers, timeoutMs, signal }: RequestOptions,
): Promise<Answer> {
  const raw = typeof body === "string" || Buffer.isBuffer(body);
  const response = await fetch(baseUrl + path, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    signal: signal ?? (timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs)),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
