import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Delays } from "../shared/delays.ts";
import { readBody } from "../shared/http.ts";
import { answerCount } from "./answer-count.ts";
import { answerMessage } from "./answer-message.ts";
import { BEHAVIOUR_NAMES, behaviourOf } from "./behaviour.ts";
import type { FaultRules } from "./fault-rules.ts";
import { faultOf, type MessageRequest } from "./message-request.ts";
import { type Exchange, sendBody, sendError } from "./send.ts";
import { noteRequest, type SentAnswer } from "./sent.ts";

/** What the upstream's interface works on. */
export interface ApiParts {
  readonly apiKey: string;
  readonly versionHeader: string;
  readonly delays: Delays;
  readonly faults: FaultRules;
  /** An id that was not given before. */
  newId(prefix: string): string;
  /** Called with every request as soon as it has come; what is sent to it is noted there. */
  onRequest(sent: SentAnswer): void;
}

const BODY_LIMIT_BYTES = 32 * 1024 * 1024;
const PATHS: Readonly<Record<string, string>> = {
  "/v1/messages": "POST",
  "/v1/messages/count_tokens": "POST",
  "/v1/models": "GET",
};
const MODEL_NAMES = ["sim-echo", ...BEHAVIOUR_NAMES];
const MODELS_CREATED_AT = "2026-01-01T00:00:00Z";

/** Answers one request in the vendor's wire format. */
export async function answerUpstreamRequest(
  parts: ApiParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const sent = noteRequest(request, response, parts.newId("req_"));
  parts.onRequest(sent);
  const exchange = { response, sent, delays: parts.delays };
  const [path = ""] = sent.path.split("?");
  const method = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined;
  if (method === undefined) return sendError(exchange, 404, "Not found");
  if (keyOf(request.headers) !== parts.apiKey) return sendError(exchange, 401, "invalid x-api-key");
  if (method !== request.method) return sendError(exchange, 405, "Method Not Allowed", { Allow: method });
  if (request.headers[parts.versionHeader] === undefined) {
    return sendError(exchange, 400, `${parts.versionHeader}: header is required`);
  }
  if (path === "/v1/models") return sendBody(exchange, 200, JSON.stringify(listModels()));
  const body = await readBody(request, BODY_LIMIT_BYTES);
  if (body === null) return sendError(exchange, 413, "Request exceeds the maximum size");
  sent.body = body;
  const isMessage = path === "/v1/messages";
  const json = parse(body);
  const fault = faultOf(json, isMessage);
  if (fault !== null) return sendError(exchange, 400, fault);
  await answerBody(parts, exchange, json as MessageRequest, isMessage);
}

async function answerBody(
  { faults, newId }: ApiParts,
  exchange: Exchange & { sent: { model: string | null; stream: boolean } },
  request: MessageRequest,
  isMessage: boolean,
): Promise<void> {
  const { model } = request;
  const stream = request.stream ?? false;
  exchange.sent.model = model;
  exchange.sent.stream = isMessage && stream;
  const rule = faults.take(model);
  const behaviour = { ...behaviourOf(rule?.as ?? model), usage: rule?.usage };
  if (isMessage) return answerMessage(exchange, request, behaviour, newId("msg_"));
  return answerCount(exchange, request, behaviour);
}

/** The key is given in either of two ways; the vendor's clients have used both. */
function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["x-api-key"] ?? headers.authorization?.replace(/^Bearer /i, "");
  return typeof key === "string" ? key : undefined;
}

function listModels() {
  const data = MODEL_NAMES.map((id) => ({
    type: "model",
    id,
    display_name: id,
    created_at: MODELS_CREATED_AT,
  }));
  return { data, has_more: false, first_id: MODEL_NAMES[0], last_id: MODEL_NAMES.at(-1) };
}

/** undefined: it is no JSON. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
