import type { LiveShop } from "./live-shop.ts";
import type { Requests } from "./requests.ts";

/** The requests of the AI proxy. */
export function proxyRequests({ keys }: LiveShop): Requests {
  const { general, proxy, ordering, poor, revoked, suspended, exhausted } = keys;
  const body = { model: "sim-echo", max_tokens: 10, messages: [{ role: "user", content: "Hello" }] };
  const { max_tokens: _, ...countable } = body;
  return {
    exhaustedKey: exhausted,
    usual: {
      createMessage: { key: general, body },
      countTokens: { key: proxy, body: countable },
      listModels: { key: proxy },
      getAccount: { key: general },
      listUsage: { key: general, query: "limit=1" },
      listLedger: { key: proxy, query: "limit=1" },
    },
    changes: {
      "createMessage 200 text/event-stream": { body: { stream: true } },
      "createMessage 400": { body: { max_tokens: 0 } },
      "createMessage 401": { key: revoked },
      "createMessage 402": { key: poor },
      "createMessage 500": { body: { model: "sim-auth" } },
      "createMessage 502": { body: { model: "sim-error" } },
      "createMessage 503": { stage: "no upstream" },
      "createMessage 529": { body: { model: "sim-overloaded" } },
      "countTokens 400": { body: { messages: [] } },
      "countTokens 401": { key: ordering },
      "countTokens 500": { body: { model: "sim-auth" } },
      "countTokens 502": { body: { model: "sim-error" } },
      "countTokens 503": { stage: "no upstream" },
      "countTokens 529": { body: { model: "sim-overloaded" } },
      "listModels 400": { query: "limit=0" },
      "getAccount 401": { key: suspended },
      "listUsage 400": { query: "limit=201" },
      "listLedger 400": { query: "limit=201" },
      "listLedger 401": { key: revoked },
    },
  };
}
