import { readBody } from "./read-body.ts";
import type { CallerHeaders, SentBody, Upstream } from "./upstream.ts";

/** What the upstream takes of a message request when it only counts. */
const COUNTED_FIELDS = [
  "model",
  "messages",
  "system",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "output_format",
  "cache_control",
  "context_management",
];
const MAX_ANSWER_BYTES = 64 * 1024;
/** The vendor calls its count an estimate that may differ by a small amount. */
const MARGIN_PER_CENT = 5;
const MARGIN_TOKENS = 100;

/** A request as it is counted. */
export interface CountedRequest {
  readonly headers: CallerHeaders;
  readonly json: unknown;
  /** What is counted, where `json` is not all of the request. */
  readonly counted?: SentBody | null | undefined;
  readonly signal: AbortSignal;
}

/** The names of the fields of a request that count. */
export function countedFieldsOf(json: unknown): string[] {
  const request = json as Readonly<Record<string, unknown>>;
  return COUNTED_FIELDS.filter((name) => (request[name] ?? null) !== null);
}

/**
 * Asks the upstream, which does it for nothing, how many input tokens a request comes to.
 * @returns the count with what it may be short of; null when the upstream does not say. @throws the signal's reason.
 */
export async function countInput(
  upstream: Upstream,
  { headers, json, counted, signal }: CountedRequest,
): Promise<number | null> {
  const body = counted ?? countedBodyOf(json);
  try {
    const answer = await upstream.send({ path: "/v1/messages/count_tokens", headers, body, signal });
    const { idleMs } = upstream;
    const text = await readBody(answer, { mostBytes: MAX_ANSWER_BYTES, idleMs, signal });
    if (answer.statusCode !== 200 || text === null) return null;
    const { input_tokens: tokens } = JSON.parse(text.toString());
    if (!Number.isInteger(tokens) || tokens < 0) return null;
    return Math.ceil((tokens * (100 + MARGIN_PER_CENT)) / 100) + MARGIN_TOKENS;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

function countedBodyOf(json: unknown): SentBody {
  const request = json as Readonly<Record<string, unknown>>;
  const counted = Object.fromEntries(countedFieldsOf(json).map((name) => [name, request[name]]));
  const bytes = Buffer.from(JSON.stringify(counted));
  return { length: bytes.length, pieces: [bytes], release() {} };
}
