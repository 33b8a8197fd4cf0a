import type { Figure } from "../bench-context.ts";
import { timeLoad } from "../cpu-time.ts";
import { GATEWAY_DESCRIPTION, startGateway } from "../gateway.ts";
import { CONNECTIONS } from "../load.ts";
import { interleave } from "../measure.ts";
import { type MessageCall, messageCall, offerModel } from "../message-call.ts";
import { compareLoads } from "../result.ts";
import type { Caller } from "../shop.ts";
import { sendStreams } from "../stream-load.ts";

const EVENTS = 100;
const QUESTION = { model: `sim-events-${EVENTS}`, stream: true, text: "Count for the bench." };
const TARGET = { atLeast: 4 };

/** Streams of 100 events, held, forwarded and charged, against another gateway that only forwards. */
export const streams: Figure = async ({ shop, service, upstream, rounds, seconds, progress }) => {
  await offerModel(shop, QUESTION.model);
  const callers = await shop.callers();
  const gateway = await startGateway(upstream);
  const send = (pid: number, callOf: (connection: number) => MessageCall) =>
    timeLoad(pid, () => sendStreams(CONNECTIONS, seconds, callOf));
  const measured = await interleave(rounds, {
    floor: () => {
      progress("streams through Portkey's gateway");
      return send(gateway.pid, () => messageCall(gateway, QUESTION));
    },
    service: () => {
      progress("streams through the service");
      return send(service.pid, (connection) => {
        const { headers } = callers[connection % callers.length] as Caller;
        return messageCall({ url: service.proxyUrl, headers }, QUESTION);
      });
    },
  });
  await gateway.stop();
  return [
    compareLoads({
      name: `streams of ${EVENTS} events`,
      unit: "streams/s",
      measured: measured.service,
      floor: measured.floor,
      floorDescription: GATEWAY_DESCRIPTION,
      target: TARGET,
      notes: { connections: CONNECTIONS, events: EVENTS },
    }),
  ];
};
