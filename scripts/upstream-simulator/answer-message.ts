import type { Behaviour } from "./behaviour.ts";
import type { MessageRequest } from "./message-request.ts";
import { replyTo } from "./reply.ts";
import { cut, type Exchange, hangUp, sendBody, sendError, sendEvents, sendHead } from "./send.ts";
import { errorEvent, eventsOf, messageBody, type StreamEvent, usageSaid } from "./wire.ts";

/** Answers a message call in the way that its model's name, or a rule, asks for. */
export async function answerMessage(
  exchange: Exchange,
  request: MessageRequest,
  behaviour: Behaviour,
  messageId: string,
): Promise<void> {
  const { kind, number } = behaviour;
  if (kind === "sim-slow-start") await exchange.delays.wait(number);
  if (exchange.response.destroyed) return;
  if (refuse(exchange, behaviour)) return;
  if (request.stream) return stream(exchange, request, behaviour, messageId);
  return answerWhole(exchange, request, behaviour, messageId);
}

/** Answers with what is no message. @returns whether the behaviour is such a one. */
function refuse(exchange: Exchange, { kind, number }: Behaviour): boolean {
  switch (kind) {
    case "sim-overloaded":
      sendError(exchange, 529, "Overloaded", { "x-should-retry": "true", ...retryAfter(number) });
      return true;
    case "sim-rate-limited":
      sendError(exchange, 429, "This request would exceed your account's rate limit.", retryAfter(number));
      return true;
    case "sim-error":
      sendError(exchange, 500, "Internal server error");
      return true;
    case "sim-auth":
      sendError(exchange, 401, "invalid x-api-key");
      return true;
    case "sim-invalid":
      sendError(exchange, 400, "messages.0: this is a request that the model cannot take");
      return true;
    case "sim-status":
      sendError(exchange, number, `This is status ${number}.`);
      return true;
    case "sim-gateway":
      sendBody(exchange, 502, "<html><body><h1>502 Bad Gateway</h1></body></html>", "text/html");
      return true;
    case "sim-redirect":
      sendHead(exchange, 307, { Location: "/v1/redirected", "Content-Length": "0" });
      exchange.response.end();
      return true;
    case "sim-no-answer":
      hangUp(exchange);
      return true;
    default:
      return false;
  }
}

async function answerWhole(
  exchange: Exchange,
  request: MessageRequest,
  behaviour: Behaviour,
  messageId: string,
): Promise<void> {
  const { response, sent } = exchange;
  const { kind } = behaviour;
  if (kind === "sim-garbage") return sendBody(exchange, 200, "{ this is no JSON");
  if (kind === "sim-error-event") return sendError(exchange, 529, "Overloaded");
  const reply = replyTo(request, behaviour, messageId);
  const body = JSON.stringify(messageBody(reply, behaviour));
  if (kind === "sim-cut" || kind === "sim-cut-early") {
    const bytes = Buffer.from(body);
    sendHead(exchange, 200, { "Content-Type": "application/json", "Content-Length": String(bytes.length) });
    if (kind === "sim-cut") response.write(bytes.subarray(0, bytes.length / 2));
    return cut(exchange);
  }
  sendBody(exchange, 200, body);
  sent.contentBytes = reply.blocks.reduce((sum, { pieces }) => sum + Buffer.byteLength(pieces.join("")), 0);
  if (kind === "sim-no-usage") return;
  sent.usage = usageSaid(reply.usage, kind);
  sent.usageIsFinal = true;
}

async function stream(
  exchange: Exchange,
  request: MessageRequest,
  behaviour: Behaviour,
  messageId: string,
): Promise<void> {
  const { kind, number } = behaviour;
  sendHead(exchange, 200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache",
  });
  if (kind === "sim-cut-early") return cut(exchange);
  if (kind === "sim-garbage") {
    exchange.response.end("event: message_start\ndata: { this is no JSON\n\n");
    return;
  }
  const reply = replyTo(request, behaviour, messageId);
  const events = eventsOf(reply, behaviour);
  await sendEvents(
    exchange,
    kind === "sim-error-event" ? withError(events, number, exchange.sent.requestId) : events,
    {
      pauseMs: kind === "sim-slow-tokens" ? number : null,
      cutAfter: kind === "sim-cut" ? number : null,
    },
  );
}

function* withError(events: Iterable<StreamEvent>, after: number, requestId: string): Generator<StreamEvent> {
  let count = 0;
  for (const event of events) {
    if (count === after) break;
    yield event;
    count += 1;
  }
  yield errorEvent(requestId);
}

function retryAfter(seconds: number): Record<string, string> {
  return seconds === 0 ? {} : { "Retry-After": String(seconds) };
}
