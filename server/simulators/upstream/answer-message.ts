import type { Behaviour } from "./behaviour.ts";
import type { MessageRequest } from "./message-request.ts";
import { refuse } from "./refuse.ts";
import { replyTo } from "./reply.ts";
import { cut, type Exchange, sendBody, sendError, sendEvents, sendHead } from "./send.ts";
import { errorEvent, eventsOf, messageBody, reportedUsage, type StreamEvent, toldWhole } from "./wire.ts";

/** Answers a message call in the way that its model's name, or a rule, asks for. */
export async function answerMessage(
  exchange: Exchange,
  request: MessageRequest,
  behaviour: Behaviour,
  messageId: string,
): Promise<void> {
  if (await refuse(exchange, behaviour)) return;
  if (request.stream) return stream(exchange, request, behaviour, messageId);
  return answerWhole(exchange, request, behaviour, messageId);
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
  sent.usage = reportedUsage(reply.usage, kind);
  sent.told = toldWhole(reply, kind);
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
