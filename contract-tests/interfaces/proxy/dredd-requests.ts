import { addModel } from "../../../server/testing/test-calls.ts";
import type { LiveShop } from "../../dredd/live-shop.ts";
import type { Requests } from "../../dredd/requests.ts";

/** The simulated upstream fails by the names of models. */
const MODELS = ["sim-echo", "sim-auth", "sim-error", "sim-overloaded"];
/** No request before names it: the service remembers for a moment what it has read, and a model it knows needs no database. */
const UNREAD = "sim-unread";
const REFUSALS = {
  403: "sim-not-allowed",
  404: "sim-thread-not-found",
  408: "sim-body-timeout",
  409: "sim-conflict",
  413: "sim-too-large",
};

/** Fills the shop with what the requests of the AI proxy are about. */
export async function dreddRequests({ services, keys }: LiveShop): Promise<Requests> {
  const { general, ai_proxy: proxy, product_ordering: ordering, revoked, suspended, limited } = keys;
  for (const model of [...MODELS, UNREAD, ...Object.values(REFUSALS)]) await addModel(services, model);
  // The newest, so that it is the first of the list as well.
  await addModel(services, "sim-described", {
    maxOutputTokens: 64_000,
    facts: { lifecycle: "active", maxInputTokens: 200_000, capabilities: {}, aliases: [] },
  });
  const poor = (await services.addKey(await services.addAccount("0"), "general")).key;
  const body = { model: "sim-echo", max_tokens: 10, messages: [{ role: "user", content: "Hello" }] };
  const { max_tokens: _, ...countable } = body;
  return {
    credential: proxy,
    exhausted: limited,
    usual: {
      createMessage: { credential: general, body },
      countTokens: { body: countable },
      getModel: { path: { model_id: "sim-described" } },
      getAccount: { credential: general },
      listUsage: { credential: general, query: "limit=1" },
      listLedger: { query: "limit=1" },
    },
    changes: {
      ...changesOf("createMessage"),
      ...changesOf("countTokens"),
      "createMessage 200 text/event-stream": { body: { stream: true } },
      "createMessage 400": { body: { max_tokens: -1 } },
      "createMessage 401": { credential: revoked },
      "createMessage 402": { credential: poor },
      "createMessage 500": { body: { model: "sim-auth" } },
      "createMessage 502": { body: { model: "sim-error" } },
      "createMessage 503": { stage: "no upstream" },
      "createMessage 529": { body: { model: "sim-overloaded" } },
      "countTokens 400": { body: { messages: [] } },
      "countTokens 401": { credential: ordering },
      "countTokens 402": { credential: poor, body: { system: "x".repeat(70_000) } },
      "countTokens 500": { body: { model: "sim-auth" } },
      "countTokens 502": { body: { model: "sim-error" } },
      "countTokens 503": { stage: "no upstream" },
      "countTokens 529": { body: { model: "sim-overloaded" } },
      "listModels 400": { query: "limit=0" },
      "getModel 500": { path: { model_id: UNREAD }, stage: "broken database" },
      "getModel 503": { path: { model_id: UNREAD }, stage: "no database" },
      "getAccount 401": { credential: suspended },
      "listUsage 400": { query: "limit=0" },
      "listLedger 400": { query: "limit=0" },
      "listLedger 401": { credential: revoked },
    },
  };
}

/** What asks for the refusals of an operation, by its answers. */
function changesOf(operationId: string): Record<string, { body: object }> {
  const changes = Object.entries(REFUSALS).map(([status, model]) => [
    `${operationId} ${status}`,
    { body: { model } },
  ]);
  return Object.fromEntries(changes);
}
