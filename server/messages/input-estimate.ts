/** What is reckoned with for a picture, of any size, and for a document that is only referred to. */
const IMAGE_TOKENS = 5_000;
const REFERRED_DOCUMENT_TOKENS = 50_000;
/** What upstreams add of their own, such as instructions for the use of tools. */
const ADDED_TOKENS = 500;
const BYTES_PER_TOKEN = 2;

/** What the input of a request may come to. */
export interface InputEstimate {
  readonly tokens: number;
  /** Whether the request asks for some of it to be written into the upstream's prompt cache. */
  readonly cached: boolean;
}

/**
 * The most input tokens that a request is reckoned with before it is sent. One for every 2 bytes of its body (text has 3
 * to 4 bytes a token, in few languages less than 2), 5,000 for each picture in place of its bytes, 50,000 for each document
 * that is given by its address or id, and 500 more. The charge goes by what the upstream counts.
 * @param body as it came. @param json the same, parsed.
 */
export function estimateInput(body: Pick<Buffer, "length">, json: unknown): InputEstimate {
  let tokens = ADDED_TOKENS;
  let pictureBytes = 0;
  let cached = false;
  for (const value of objectsIn(json)) {
    if (value.cache_control !== undefined && value.cache_control !== null) cached = true;
    const source = value.source as { data?: unknown } | null | undefined;
    if (typeof source !== "object" || source === null) continue;
    const data = typeof source.data === "string" ? source.data.length : null;
    if (value.type === "image") {
      tokens += IMAGE_TOKENS;
      pictureBytes += data ?? 0;
    }
    if (value.type === "document" && data === null) tokens += REFERRED_DOCUMENT_TOKENS;
  }
  return { tokens: tokens + Math.ceil(Math.max(0, body.length - pictureBytes) / BYTES_PER_TOKEN), cached };
}

/** Every object in a JSON value. Without recursion, for callers choose how deep it is. */
function* objectsIn(json: unknown): Generator<Readonly<Record<string, unknown>>> {
  const waiting = [json];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) yield value as Record<string, unknown>;
    for (const inner of Object.values(value)) if (typeof inner === "object") waiting.push(inner);
  }
}
