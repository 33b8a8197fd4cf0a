import { addModels } from "../../../server/testing/test-ai-proxy.ts";
import type { FuzzedInterface } from "../../fuzz/fuzzed-interface.ts";

/** The models that the shop offers. */
export const MODELS = ["sim-echo", "constructor"] as const;

/** The most output that any model gives. */
const MAX_TOKENS = 100_000_000;
/** Parameters whose values are the service's own. */
const OPAQUE = new Set(["after_id", "before_id"]);

/** Models that requests find in the shop, and the proxy's own ways to answer. */
export const FUZZ_DATA: Partial<FuzzedInterface> = {
  byName: {
    ModelId: { values: MODELS, percent: 90 },
    max_tokens: { values: [1, 7, 1_000], percent: 75 },
  },
  byParameter: {
    "getModel model_id": { values: MODELS, percent: 90 },
    "listModels after_id": { values: MODELS, percent: 90 },
    "listModels before_id": { values: MODELS, percent: 90 },
  },
  // Bodies are passed on as they are.
  bodyText: "any",
  ignoresSlashes: true,
  refusals: {
    "no key": { status: 401, code: "authentication_error" },
    "wrong kind of key": { status: 401, code: "authentication_error" },
    "unreadable body": { status: 400, code: "invalid_request_error" },
    "invalid input": { status: 400, code: "invalid_request_error" },
    "invalid path": { status: 400, code: "invalid_request_error" },
    "no such path": { status: 404, code: "not_found_error" },
  },
  mayBeRefused({ allParameters }, { query, body, headers }) {
    if (query.some(([name]) => OPAQUE.has(name))) return true;
    if (typeof body !== "string") return false;
    const request = JSON.parse(body);
    const { model, max_tokens: maxTokens } = request;
    if (typeof model !== "string") return false;
    if (asksForMore(request)) return true;
    // Upstreams refuse calls without a version.
    const wantsVersion = allParameters.some(({ name }) => name === "anthropic-version");
    const lacksVersion = wantsVersion && !headers["anthropic-version"]?.trim();
    return !MODELS.some((known) => known === model) || maxTokens > MAX_TOKENS || lacksVersion;
  },
  async prepare(shop) {
    await addModels(shop, [...MODELS, "sim-listed"]);
    return {};
  },
};

/** Fields that ask for nothing but text, and have no fields of their own. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set([
  "model",
  "max_tokens",
  "messages",
  "system",
  "stream",
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
]);
const MESSAGE_FIELDS: ReadonlySet<string> = new Set(["role", "content"]);

/** Whether a body has fields, tools or blocks that the service may not know: those are refused. */
function asksForMore(body: Readonly<Record<string, unknown>>): boolean {
  const { messages, system } = body;
  const turns: readonly object[] = Array.isArray(messages) ? messages.map((message) => message ?? {}) : [];
  const contents = turns.map((turn) => ("content" in turn ? turn.content : null));
  const hasBlocks = [...contents, system].some((content) => Array.isArray(content) && content.length > 0);
  const hasMore = turns.some((turn) => Object.keys(turn).some((name) => !MESSAGE_FIELDS.has(name)));
  return hasBlocks || hasMore || Object.keys(body).some((name) => !PLAIN_FIELDS.has(name));
}
