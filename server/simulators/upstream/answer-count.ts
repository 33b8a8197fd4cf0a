import type { Behaviour } from "./behaviour.ts";
import type { MessageRequest } from "./message-request.ts";
import { refuse } from "./refuse.ts";
import { type Exchange, sendBody } from "./send.ts";
import { inputUsageOf } from "./tokens.ts";

/** Answers a count of tokens, or fails as a message for that model would before its first word. */
export async function answerCount(
  exchange: Exchange,
  request: MessageRequest,
  behaviour: Behaviour,
): Promise<void> {
  if (await refuse(exchange, behaviour)) return;
  if (behaviour.kind === "sim-garbage") return sendBody(exchange, 200, "{ this is no JSON");
  const { inputTokens, cacheWriteTokens, cacheReadTokens } = inputUsageOf(request);
  const total = inputTokens + cacheWriteTokens + cacheReadTokens;
  sendBody(exchange, 200, JSON.stringify({ input_tokens: total }));
}
