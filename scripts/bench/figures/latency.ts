import type { Figure } from "../bench-context.ts";
import { afterSeconds, type Step, timeInTurn } from "../load.ts";
import { median } from "../measure.ts";
import { type MessageCall, messageCall, offerModel } from "../message-call.ts";
import { absolute } from "../result.ts";
import type { Caller } from "../shop.ts";

const QUESTION = { model: "sim-echo", stream: false, text: "Say hello to the bench, in a few words." };
const TARGET = { atMost: 1.5 };

/** What the service adds to a call that comes alone, its two commits included: its time less that of the upstream. */
export const latency: Figure = async ({ shop, service, upstream, rounds, seconds, progress }) => {
  await offerModel(shop, QUESTION.model);
  const [{ headers }] = (await shop.callers()) as readonly [Caller, ...Caller[]];
  const steps = {
    straight: step(messageCall({ url: upstream.url, headers: { "x-api-key": upstream.apiKey } }, QUESTION)),
    service: step(messageCall({ url: service.proxyUrl, headers }, QUESTION)),
  };
  const times: { straight: number; service: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    progress("one call at a time");
    const measured = await timeInTurn(steps, afterSeconds(seconds));
    // The first round warms up.
    if (round > 0) times.push(measured);
  }
  const added = times.map(({ straight, service }) => service - straight);
  const ratios = times.map(({ straight, service }) => service / straight);
  return [
    absolute({
      name: "latency added to a message, one connection",
      unit: "ms",
      measured: median(added),
      target: TARGET,
      notes: { straightMs: median(times.map(({ straight }) => straight)), timesStraight: median(ratios) },
    }),
  ];
};

function step({ url, headers, body }: MessageCall): Step {
  return { url, method: "POST", headers, next: () => body };
}
