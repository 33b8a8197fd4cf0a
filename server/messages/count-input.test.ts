import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { countInput } from "./count-input.ts";
import type { UpstreamRequest } from "./upstream.ts";

/** An upstream that answers so, and what it was sent. */
function upstreamThat(statusCode: number, answer: string) {
  const sent: { path: string; json: unknown }[] = [];
  return {
    sent,
    upstream: {
      idleMs: 60_000,
      async send({ path, body }: UpstreamRequest) {
        sent.push({ path, json: JSON.parse(Buffer.concat(body.pieces).toString()) });
        const stream = Readable.from([Buffer.from(answer)]);
        return Object.assign(stream, { statusCode, complete: true }) as unknown as IncomingMessage;
      },
      close() {},
    },
  };
}

const { signal } = new AbortController();

test("all of a request that is read as input is counted, and nothing else is sent", async () => {
  const read = {
    model: "m",
    messages: [{ role: "user", content: "hello" }],
    system: "be brief",
    tools: [{ name: "look", input_schema: {} }],
    tool_choice: { type: "auto" },
    thinking: { type: "adaptive" },
    output_config: { effort: "low" },
    output_format: { type: "json_schema", schema: {} },
    cache_control: { type: "ephemeral" },
    context_management: { edits: [] },
  };
  const { upstream, sent } = upstreamThat(200, '{"input_tokens": 1}');
  const json = { max_tokens: 5, ...read, stream: true, metadata: { user_id: "u" }, temperature: 1 };
  await countInput(upstream, { headers: {}, json, signal });
  expect(sent).toEqual([{ path: "/v1/messages/count_tokens", json: read }]);
  await countInput(upstream, { headers: {}, json: { ...json, system: null }, signal });
  expect(sent[1]?.json).not.toHaveProperty("system");
});

test.each([
  [0, 100],
  [1, 102],
  [1_000, 1_150],
])("a count of %i is taken for %i, of which it may be short", async (count, taken) => {
  const { upstream } = upstreamThat(200, JSON.stringify({ input_tokens: count }));
  expect(await countInput(upstream, { headers: {}, json: {}, signal })).toBe(taken);
});

test.each([
  [500, '{"input_tokens": 1}'],
  [200, "{"],
  [200, "{}"],
  [200, '{"input_tokens": -1}'],
  [200, '{"input_tokens": 1.5}'],
])("an answer with the status %i and the body %s is no count", async (status, answer) => {
  const { upstream } = upstreamThat(status, answer);
  expect(await countInput(upstream, { headers: {}, json: {}, signal })).toBeNull();
});
