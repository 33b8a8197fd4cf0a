import { setTimeout as delay } from "node:timers/promises";
import type { Figure } from "../bench-context.ts";
import { CONNECTIONS } from "../load.ts";
import { messageCall, offerModel, type Question } from "../message-call.ts";
import { absolute } from "../result.ts";
import { type Service, startService } from "../service.ts";
import type { Caller } from "../shop.ts";
import { type OpenStream, openStream, sendStreams } from "../stream-load.ts";

const STREAMS = 2_000;
const FIRST_STREAMS = 500;
/** What a service takes once, such as its compiled code and its statements, is there after some seconds of these. */
const WARM_UP = { model: "sim-events-100", stream: true, text: "Count for the bench." };
const WARM_UP_SECONDS = 2;
/** As many are opened at once. */
const OPENED_TOGETHER = 50;
/** A word each second, for as long as the streams are being opened and measured. */
const QUESTION = { model: "sim-slow-tokens-1000", stream: true, text: "word ".repeat(40) };
const MEASURED_MS = 5_000;
const SAMPLE_MS = 100;
const TARGET = { atMost: 60 };
const BYTES_PER_KB = 1_000;

/**
 * The memory that the service takes for each of 2,000 slow streams that are open at once: what the last 1,500 add to the
 * first 500. The service is a new one, for one that has worked for long has room that it does not give back.
 */
export const openStreams: Figure = async ({ shop, upstream, progress }) => {
  for (const { model } of [WARM_UP, QUESTION]) await offerModel(shop, model);
  const service = await startService({
    ...shop.environment,
    UPSTREAM_URL: upstream.url,
    UPSTREAM_API_KEY: upstream.apiKey,
  });
  const callers = await shop.callers();
  const callOf = (index: number, question: Question) => {
    const { headers } = callers[index % callers.length] as Caller;
    return messageCall({ url: service.proxyUrl, headers }, question);
  };
  progress("warming up");
  await sendStreams(CONNECTIONS, WARM_UP_SECONDS, (connection) => callOf(connection, WARM_UP));
  let ended = 0;
  const streams: OpenStream[] = [];
  const noteEnd = () => {
    ended += 1;
  };
  const openUpTo = async (count: number) => {
    progress(`opening ${count.toLocaleString("en")} streams`);
    while (streams.length < count) {
      const begin = streams.length;
      const opening = Array.from({ length: OPENED_TOGETHER }, (_, index) =>
        openStream(callOf(begin + index, QUESTION)),
      );
      const opened = await Promise.all(opening);
      for (const stream of opened) stream.ended.then(noteEnd, noteEnd);
      streams.push(...opened);
    }
    return mostBytes(service);
  };
  const firstBytes = await openUpTo(FIRST_STREAMS);
  const bytes = await openUpTo(STREAMS);
  if (ended > 0) throw new Error(`${ended} streams ended before their memory was measured.`);
  progress("waiting for their ends");
  await Promise.all(streams.map((stream) => stream.ended));
  await service.stop();
  return [
    absolute({
      name: `open streams, memory of each of ${STREAMS.toLocaleString("en")}`,
      unit: "KB",
      measured: (bytes - firstBytes) / (STREAMS - FIRST_STREAMS) / BYTES_PER_KB,
      target: TARGET,
      notes: { firstMB: Math.round(firstBytes / BYTES_PER_KB / 1_000) },
    }),
  ];
};

/** The most memory that the service has during some seconds. */
async function mostBytes(service: Service): Promise<number> {
  let most = 0;
  for (const end = performance.now() + MEASURED_MS; performance.now() < end; await delay(SAMPLE_MS))
    most = Math.max(most, await service.residentBytes());
  return most;
}
