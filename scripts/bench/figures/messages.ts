import type { Figure } from "../bench-context.ts";
import { timeLoad } from "../cpu-time.ts";
import { GATEWAY_DESCRIPTION, startGateway } from "../gateway.ts";
import { CONNECTIONS, sendLoad } from "../load.ts";
import { interleave } from "../measure.ts";
import { type MessageCall, messageCall, offerModel } from "../message-call.ts";
import { compareLoads } from "../result.ts";
import type { Caller } from "../shop.ts";

const QUESTION = { model: "sim-echo", stream: false, text: "Say hello to the bench, in a few words." };
const TARGET = { atLeast: 2 };

/** POST /v1/messages, held, forwarded and charged, against another gateway that only forwards. */
export const messages: Figure = async ({ shop, service, upstream, rounds, seconds, progress }) => {
  await offerModel(shop, QUESTION.model);
  const callers = await shop.callers();
  const gateway = await startGateway(upstream);
  const send = (pid: number, callOf: (connection: number) => MessageCall) =>
    timeLoad(pid, () =>
      sendLoad(callOf(0).url, seconds, (connection) => [{ method: "POST", ...callOf(connection) }]),
    );
  const measured = await interleave(rounds, {
    floor: () => {
      progress("messages through Portkey's gateway");
      return send(gateway.pid, () => messageCall(gateway, QUESTION));
    },
    service: () => {
      progress("messages through the service");
      return send(service.pid, (connection) => {
        const { headers } = callers[connection % callers.length] as Caller;
        return messageCall({ url: service.proxyUrl, headers }, QUESTION);
      });
    },
  });
  await gateway.stop();
  return [
    compareLoads({
      name: "messages",
      unit: "messages/s",
      measured: measured.service,
      floor: measured.floor,
      floorDescription: GATEWAY_DESCRIPTION,
      target: TARGET,
      notes: { connections: CONNECTIONS },
    }),
  ];
};
