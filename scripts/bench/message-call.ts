import { MICROCENTS_PER_USD, type Microcents, microcents } from "../../server/money/microcents.ts";
import type { BenchShop } from "./shop.ts";

const VERSION_HEADERS = { "anthropic-version": "2023-06-01", "Content-Type": "application/json" };

/** A message call as a client sends it. */
export interface MessageCall {
  /** With the path. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is asked. */
export interface Question {
  readonly model: string;
  readonly stream: boolean;
  readonly text: string;
}

/** A call with that question at a service, a gateway or the upstream itself. */
export function messageCall(
  { url, headers }: { url: string; headers: Readonly<Record<string, string>> },
  { model, stream, text }: Question,
): MessageCall {
  const body = JSON.stringify({
    model,
    max_tokens: 100,
    messages: [{ role: "user", content: text }],
    ...(stream ? { stream } : {}),
  });
  return { url: `${url}/v1/messages`, headers: { ...VERSION_HEADERS, ...headers }, body };
}

/** Lets calls name a model, at 3 USD per million tokens of input and 15 USD of output. */
export async function offerModel({ services }: BenchShop, modelId: string): Promise<void> {
  const prices = {
    inputMicrocents: usd(3n),
    outputMicrocents: usd(15n),
    cacheWriteMicrocents: usd(4n),
    cacheReadMicrocents: usd(1n),
  };
  await services.models.set({ modelId, name: modelId, prices, maxOutputTokens: null });
}

function usd(amount: bigint): Microcents {
  return microcents(amount * MICROCENTS_PER_USD);
}
