import type { Requests } from "./requests.ts";

/** What a running proxy must offer so that every answer below can be asked for; its upstream is the simulator. */
interface ProxyFacts {
  generalKey: string;
  /** See {@link Requests}. */
  exhaustedKey: string;
  /** A key of an account that has no money. */
  poorKey: string;
}

/** The models that must be offered: the simulator fails by their names. */
export const NEEDED_MODELS = ["sim-echo", "sim-auth", "sim-error", "sim-overloaded"];

/** The requests of the AI proxy. */
export function proxyRequests({ generalKey: key, exhaustedKey, poorKey }: ProxyFacts): Requests {
  const body = { model: "sim-echo", max_tokens: 10, messages: [{ role: "user", content: "Hello" }] };
  const { max_tokens: _, ...countable } = body;
  return {
    exhaustedKey,
    usual: {
      createMessage: { key, body },
      countTokens: { key, body: countable },
      listModels: { key },
      getAccount: { key },
      listUsage: { key, query: "limit=1" },
      listLedger: { key, query: "limit=1" },
    },
    changes: {
      "createMessage 200 text/event-stream": { body: { stream: true } },
      "createMessage 400": { body: { max_tokens: 0 } },
      "createMessage 402": { key: poorKey },
      "createMessage 500": { body: { model: "sim-auth" } },
      "createMessage 502": { body: { model: "sim-error" } },
      "createMessage 529": { body: { model: "sim-overloaded" } },
      "countTokens 400": { body: { messages: [] } },
      "listModels 400": { query: "limit=0" },
      "listUsage 400": { query: "limit=201" },
      "listLedger 400": { query: "limit=201" },
    },
  };
}
