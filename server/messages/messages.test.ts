import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Call, CallEnding } from "../calls/call.ts";
import { UNIT_PRICES } from "../testing/test-calls.ts";
import type { MessageAnswer } from "./message-answer.ts";
import { createMessages } from "./messages.ts";
import type { Upstream } from "./upstream.ts";

const START =
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":7,"output_tokens":1}}}\n\n';

/** A client's answer that can be written, and tells nobody. */
const ANSWER: MessageAnswer = {
  lowered() {},
  whole() {},
  begin() {},
  write: () => true,
  onDrain() {},
  offDrain() {},
  end() {},
  endBroken() {},
  abort() {},
};

/** A client's answer that cannot be written. */
const BROKEN_ANSWER: MessageAnswer = {
  ...ANSWER,
  lowered: refuse,
  whole: refuse,
  begin: refuse,
  write: refuse,
  end: refuse,
  endBroken: refuse,
};

function refuse(): never {
  throw new Error("not writable");
}

/** What the upstream sends. */
function sentAs(mediaType: string): IncomingMessage {
  const headers = { "content-type": mediaType };
  return Object.assign(new PassThrough(), {
    statusCode: 200,
    headers,
    complete: true,
  }) as unknown as IncomingMessage;
}

/** Forwards one call. @param end is told how it ended, and resolves when that is in the books. */
function createMessage(
  sent: IncomingMessage,
  answer: MessageAnswer,
  end: (ending: CallEnding) => Promise<void>,
): Promise<void> {
  const call = { callId: "call_1" } as unknown as Call;
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
      end: (_call, ending) => end(ending),
    },
    keys: { findUnusable: async () => [] },
    upstream: { idleMs: 60_000, send: async () => sent, close() {} } as unknown as Upstream,
    log: { info() {}, warn() {}, error() {} },
    leaseMs: 60_000,
    callsInFlightLimit: 1,
    readOnMs: 0,
    clientStallMs: 60_000,
  });
  const json = { model: "m", max_tokens: 10, messages: [] };
  return messages.create({
    caller: { accountId: "acc_1", keyId: "key_1", callsInFlightLimit: null, lowersMaxTokens: false },
    requestId: "r",
    headers: {},
    query: "",
    body: { json, length: 0, pieces: [], release() {} },
    answer,
    signal: new AbortController().signal,
  });
}

test("a stream that cannot be written is charged for what was seen of it", async () => {
  const ended: CallEnding[] = [];
  const sent = sentAs("text/event-stream");
  sent.push(START);
  const creating = createMessage(sent, BROKEN_ANSWER, async (ending) => void ended.push(ending));
  await expect(creating).rejects.toThrow("not writable");
  expect(ended).toMatchObject([{ outcome: "upstream_failed", usage: { inputTokens: 7, outputTokens: 1 } }]);
});

test.each([
  ["in one piece", "application/json", '{"content":[],"usage":{"input_tokens":7,"output_tokens":1}}'],
  ["as a stream", "text/event-stream", `${START}event: message_stop\ndata: {"type":"message_stop"}\n\n`],
])("an answer %s is complete for its client only when it is charged", async (_how, mediaType, body) => {
  const told: string[] = [];
  const answered = () => void told.push("answered");
  const sent = sentAs(mediaType);
  sent.push(body);
  sent.push(null);
  await createMessage(sent, { ...ANSWER, whole: answered, end: answered }, async ({ outcome }) => {
    await nextTurn();
    told.push(outcome);
  });
  expect(told).toEqual(["completed", "answered"]);
});
