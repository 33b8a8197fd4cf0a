import type { TokenUsage } from "../../calls/token-usage.ts";
import type { Behaviour } from "./behaviour.ts";
import type { MessageRequest } from "./message-request.ts";
import type { ServerWork } from "./server-work.ts";
import { countsTold, type ToldUsage } from "./told-usage.ts";

/** The whole usage of an answer. */
export function wholeUsage(
  usage: TokenUsage,
  { request, behaviour, work }: { request: MessageRequest; behaviour: Behaviour; work: ServerWork },
): ToldUsage {
  const hourTokens = usage.further?.cacheWriteHourTokens ?? 0;
  const { speed, inference_geo: region } = request;
  const { kind, number } = behaviour;
  return {
    ...countsTold(usage),
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWriteTokens - hourTokens,
      ephemeral_1h_input_tokens: hourTokens,
    },
    service_tier: kind === "sim-priority" ? "priority" : "standard",
    ...(typeof speed === "string" && kind !== "sim-silent" ? { speed } : {}),
    ...(typeof region === "string" && kind !== "sim-silent" ? { inference_geo: region } : {}),
    ...(Object.keys(work.toolUses).length === 0 ? {} : { server_tool_use: usesTold(work) }),
    ...(work.iterations.length === 0 ? {} : { iterations: work.iterations }),
    ...(kind === "sim-unknown-usage" ? { moon_tokens: number } : {}),
  };
}

function usesTold({ toolUses }: ServerWork): ToldUsage {
  return Object.fromEntries(Object.entries(toolUses).map(([tool, uses]) => [`${tool}_requests`, uses]));
}
