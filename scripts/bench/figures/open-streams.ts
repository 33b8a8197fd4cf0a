import { setTimeout as delay } from "node:timers/promises";
import type { Figure } from "../bench-context.ts";
import { messageCall, offerModel } from "../message-call.ts";
import { absolute } from "../result.ts";
import type { Caller } from "../shop.ts";
import { type OpenStream, openStream } from "../stream-load.ts";

const STREAMS = 2_000;
/** As many are opened at once. */
const OPENED_TOGETHER = 50;
/** A word each second, for as long as the streams are being opened and measured. */
const QUESTION = { model: "sim-slow-tokens-1000", stream: true, text: "word ".repeat(25) };
const MEASURED_MS = 5_000;
const SAMPLE_MS = 100;
const TARGET = { atMost: 60 };
const BYTES_PER_KB = 1_000;

/** The memory that the service takes for each of 2,000 slow streams that are open at once. */
export const openStreams: Figure = async ({ shop, service, progress }) => {
  await offerModel(shop, QUESTION.model);
  const callers = await shop.callers();
  const idleBytes = await service.residentBytes();
  progress(`opening ${STREAMS} streams`);
  const streams: OpenStream[] = [];
  while (streams.length < STREAMS) {
    const opening = Array.from({ length: OPENED_TOGETHER }, (_, index) => {
      const { headers } = callers[(streams.length + index) % callers.length] as Caller;
      return openStream(messageCall({ url: service.proxyUrl, headers }, QUESTION));
    });
    streams.push(...(await Promise.all(opening)));
  }
  progress(`${STREAMS} streams are open`);
  let ended = 0;
  for (const stream of streams) stream.ended.finally(() => (ended += 1)).catch(() => {});
  let peakBytes = 0;
  for (const end = performance.now() + MEASURED_MS; performance.now() < end; await delay(SAMPLE_MS)) {
    peakBytes = Math.max(peakBytes, await service.residentBytes());
  }
  if (ended > 0) throw new Error(`${ended} streams ended before their memory was measured.`);
  progress("waiting for their ends");
  await Promise.all(streams.map((stream) => stream.ended));
  return [
    absolute({
      name: `open streams, memory of each of ${STREAMS.toLocaleString("en")}`,
      unit: "KB",
      measured: (peakBytes - idleBytes) / STREAMS / BYTES_PER_KB,
      target: TARGET,
      notes: { idleMB: Math.round(idleBytes / BYTES_PER_KB / 1_000) },
    }),
  ];
};
