import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { Call, CallEnding } from "../calls/call.ts";
import { UNIT_PRICES } from "../testing/test-calls.ts";
import type { MessageAnswer } from "./message-answer.ts";
import { createMessages } from "./messages.ts";
import type { Upstream } from "./upstream.ts";

const START =
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":7,"output_tokens":1}}}\n\n';

/** A client's answer that cannot be written. */
const BROKEN_ANSWER: MessageAnswer = {
  lowered: refuse,
  whole: refuse,
  begin: refuse,
  write: refuse,
  onDrain() {},
  offDrain() {},
  end: refuse,
  endBroken: refuse,
  abort() {},
};

function refuse(): never {
  throw new Error("not writable");
}

test("a stream that cannot be written is charged for what was seen of it", async () => {
  const ended: CallEnding[] = [];
  const call = { callId: "call_1" } as unknown as Call;
  const answer = Object.assign(new PassThrough(), {
    statusCode: 200,
    headers: { "content-type": "text/event-stream" },
  });
  const messages = createMessages({
    models: {
      findOffered: async (modelId) => ({
        ...{ modelId, name: modelId, prices: UNIT_PRICES, maxOutputTokens: null, enabled: true },
        createdAtMs: 0,
      }),
    },
    calls: {
      begin: async () => call,
      exceedsHold: () => false,
      record: async () => {},
      end: async (_call, ending) => void ended.push(ending),
    },
    keys: { findUnusable: async () => [] },
    upstream: { idleMs: 60_000, send: async () => answer, close() {} } as unknown as Upstream,
    log: { info() {}, warn() {}, error() {} },
    leaseMs: 60_000,
    callsInFlightLimit: 1,
    readOnMs: 0,
    clientStallMs: 60_000,
  });
  answer.write(START);
  const json = { model: "m", max_tokens: 10, messages: [] };
  const creating = messages.create({
    caller: { accountId: "acc_1", keyId: "key_1", callsInFlightLimit: null, lowersMaxTokens: false },
    requestId: "r",
    headers: {},
    query: "",
    body: { json, length: 0, pieces: [], release() {} },
    answer: BROKEN_ANSWER,
    signal: new AbortController().signal,
  });
  await expect(creating).rejects.toThrow("not writable");
  expect(ended).toMatchObject([{ outcome: "upstream_failed", usage: { inputTokens: 7, outputTokens: 1 } }]);
});
