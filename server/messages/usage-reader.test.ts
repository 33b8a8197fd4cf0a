import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAnswerUsage, type SeenUsage, StreamReader } from "./usage-reader.ts";

const event = (type: string, rest: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
const start = (usage: object) => event("message_start", { message: { id: "msg_1", usage } });
const text = (words: string) =>
  event("content_block_delta", { index: 0, delta: { type: "text_delta", text: words } });
const delta = (usage?: object | null) =>
  event("message_delta", { delta: { stop_reason: "end_turn" }, ...(usage === undefined ? {} : { usage }) });
const STOP = event("message_stop");

function read(...chunks: (string | Buffer)[]): StreamReader {
  const reader = new StreamReader();
  for (const chunk of chunks) reader.feed(Buffer.from(chunk));
  return reader;
}

function tokens(seen: SeenUsage | null) {
  if (seen === null) return null;
  const { inputTokens, outputTokens, cacheWriteTokens, cacheReadTokens } = seen.usage;
  return [inputTokens, outputTokens, cacheWriteTokens, cacheReadTokens, seen.estimated];
}

describe("usage of a stream", () => {
  test("is nothing before message_start", () => {
    const reader = read(event("ping"), ": comment\n\n", "event: message_start\ndata: {");
    expect(reader.seen()).toBeNull();
    expect(reader.started).toBe(false);
  });

  test("is that of message_start, with message_delta in its place and not added to it", () => {
    const reader = read(
      start({
        input_tokens: 10,
        output_tokens: 1,
        cache_creation_input_tokens: 3,
        cache_read_input_tokens: 4,
      }),
      text("hello"),
      delta({ output_tokens: 20 }),
      delta({ output_tokens: 30, input_tokens: 12 }),
      STOP,
    );
    expect(tokens(reader.seen())).toEqual([12, 30, 3, 4, false]);
    expect(reader.complete).toBe(true);
  });

  test("keeps a counter that is absent or null, and takes a zero for a zero", () => {
    const first = start({ input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 3 });
    const nulls = { input_tokens: null, output_tokens: null, cache_creation_input_tokens: null };
    expect(tokens(read(first, delta(nulls), delta(null), delta()).seen())).toEqual([10, 5, 3, 0, false]);
    const zeros = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0 };
    expect(tokens(read(first, delta(zeros)).seen())).toEqual([0, 0, 0, 0, false]);
  });

  test("is said to be new with each event that tells some", () => {
    const seen: (number | undefined)[] = [];
    const reader = new StreamReader(() => seen.push(reader.seen()?.usage.inputTokens));
    for (const part of [
      start({ input_tokens: 10 }),
      text("hello"),
      delta({ input_tokens: 5_000_000 }),
      delta({ output_tokens: 7 }),
      STOP,
    ]) {
      reader.feed(Buffer.from(part));
    }
    expect(seen).toEqual([10, 5_000_000, 5_000_000]);
  });

  test.each([-1, 1.5, "7", 1e300, true, {}])("does not take %j for a count", (count) => {
    const reader = read(start({ input_tokens: 10, output_tokens: 5 }), delta({ output_tokens: count }));
    expect(tokens(reader.seen())).toEqual([10, 5, 0, 0, false]);
  });

  test("that is cut is estimated from the output since the last count", () => {
    const begun = start({ input_tokens: 10, output_tokens: 1 });
    expect(tokens(read(begun).seen())).toEqual([10, 1, 0, 0, false]);
    expect(tokens(read(begun, text("abcd")).seen())).toEqual([10, 1, 0, 0, false]);
    expect(tokens(read(begun, text("abcd"), text("e")).seen())).toEqual([10, 2, 0, 0, true]);
    const counted = delta({ output_tokens: 7 });
    expect(tokens(read(begun, text("x".repeat(400)), counted).seen())).toEqual([10, 7, 0, 0, false]);
    expect(tokens(read(begun, text("x"), counted, text("abcde")).seen())).toEqual([10, 9, 0, 0, true]);
  });

  test.each([
    ["plain", '{"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"12345678"}}'],
    [
      "with room at its end",
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"12345678"}   }',
    ],
    [
      "in another order",
      '{"delta":{"text":"12345678","type":"text_delta"},"type":"content_block_delta","index":0}',
    ],
    [
      "escaped",
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\\"2\\n4\\u0035678"}}',
    ],
    [
      "thinking",
      '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"12345678"}}',
    ],
  ])("counts a piece of 8 bytes the same however it is written: %s", (_how, data) => {
    const begun = start({ input_tokens: 1, output_tokens: 0 });
    const reader = read(begun, `event: content_block_delta\ndata: ${data}\n\n`);
    expect(tokens(reader.seen())).toEqual([1, 2, 0, 0, true]);
  });

  test("counts thinking, tool input and every byte of UTF-8 as output", () => {
    const block = (content: object) => event("content_block_delta", { index: 0, delta: content });
    const reader = read(
      start({ input_tokens: 1, output_tokens: 0 }),
      block({ type: "thinking_delta", thinking: "1234" }),
      block({ type: "input_json_delta", partial_json: '{"a"' }),
      block({ type: "text_delta", text: "€€€€" }),
      block({ type: "signature_delta", signature: "x".repeat(100) }),
    );
    expect(tokens(reader.seen())).toEqual([1, 5, 0, 0, true]);
  });

  test("knows an error that the stream tells", () => {
    expect(read(event("error", { error: { type: "overloaded_error", message: "" } })).errorType).toBe(
      "overloaded_error",
    );
    expect(read(event("error", { error: null })).errorType).toBe("api_error");
    expect(read(STOP).errorType).toBeNull();
  });

  test("is the same however the bytes are cut", () => {
    const part = fc.oneof(
      fc.record({ input_tokens: count(), output_tokens: count() }).map(start),
      fc.string({ unit: "grapheme" }).map(text),
      fc.record({ output_tokens: count(), cache_read_input_tokens: count() }).map(delta),
      fc.constantFrom(event("ping"), ": note\n\n", "data: no json\n\n", "\n", delta(), STOP),
      // Around the size from which on an event is no longer kept whole.
      fc.integer({ min: 65_300, max: 65_800 }).map((length) => text("x".repeat(length))),
    );
    const stream = fc.record({ parts: fc.array(part, { maxLength: 12 }), crlf: fc.boolean() });
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 20 }), ({ parts, crlf }, places) => {
        const whole = Buffer.from(crlf ? parts.join("").replaceAll("\n", "\r\n") : parts.join(""));
        const expected = read(whole);
        for (const reader of [read(...cutAt(whole, places)), read(...cutAt(whole, everyPlaceNear(whole)))]) {
          expect(reader.seen()).toEqual(expected.seen());
          expect(reader.complete).toBe(expected.complete);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("is found behind an event of 250 MB, which is not kept", () => {
    const reader = read(
      start({ input_tokens: 5, output_tokens: 1 }),
      'event: content_block_start\ndata: {"x": "',
    );
    const piece = Buffer.alloc(64 * 1024, "x");
    const before = process.memoryUsage().rss;
    for (let times = 0; times < 4_000; times += 1) reader.feed(piece);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    reader.feed(Buffer.from(`"}\n\n${delta({ output_tokens: 9 })}${STOP}`));
    expect(tokens(reader.seen())).toEqual([5, 9, 0, 0, false]);
  });

  test("counts large pieces of output that are not kept", () => {
    const reader = read(start({ input_tokens: 5, output_tokens: 1 }), text("x".repeat(400_000)));
    const seen = reader.seen();
    expect(seen?.estimated).toBe(true);
    expect(seen?.usage.outputTokens).toBeGreaterThan(99_999);
    expect(seen?.usage.outputTokens).toBeLessThan(100_100);
  });

  test("survives an event of endless lines", () => {
    const reader = read(start({ input_tokens: 5, output_tokens: 1 }));
    const lines = Buffer.from("data: and so on\n".repeat(1_000));
    for (let times = 0; times < 500; times += 1) reader.feed(lines);
    reader.feed(Buffer.from(`\n\n${delta({ output_tokens: 9 })}`));
    expect(tokens(reader.seen())).toEqual([5, 9, 0, 0, false]);
  });
});

describe("usage of a JSON answer", () => {
  test("is read with every counter apart", () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      cache_creation_input_tokens: 3,
      cache_read_input_tokens: null,
    };
    expect(readAnswerUsage(Buffer.from(JSON.stringify({ type: "message", usage })))).toEqual({
      usage: { inputTokens: 1, outputTokens: 2, cacheWriteTokens: 3, cacheReadTokens: 0 },
      estimated: false,
    });
  });

  test.each([["many"], [-1], [1.5], [1e300], [undefined]])("is estimated where its output is %j", (count) => {
    const content = [
      { type: "text", text: "äää" },
      { type: "thinking", thinking: "abcd" },
      { type: "tool_use", input: { a: 1 } },
      { type: "server" },
      null,
    ];
    const body = { content, usage: { input_tokens: 1, output_tokens: count } };
    const seen = readAnswerUsage(Buffer.from(JSON.stringify(body)));
    expect(tokens(seen)).toEqual([1, Math.ceil((6 + 4 + 7) / 4), 0, 0, true]);
    expect(seen?.usage.further?.unknown ?? []).toEqual(count === undefined ? [] : ["output_tokens"]);
  });

  test("is named where it is none", () => {
    const seen = readAnswerUsage(Buffer.from('{"content": [], "usage": "much"}'));
    expect(seen).toMatchObject({ estimated: true, usage: { further: { unknown: ["usage"] } } });
  });

  test.each(["", "{", "null", "[]", "7", "{}", '{"usage": null}', '{"usage": {"speed": "fast"}}'])(
    "is not known of %j",
    (body) => {
      expect(readAnswerUsage(Buffer.from(body))).toBeNull();
    },
  );
});

function count() {
  return fc.option(fc.nat({ max: 1_000_000 }));
}

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : cuts[index - 1], end));
}

/** Every place of a short stream; of a long one those around each line's end. */
function everyPlaceNear(bytes: Buffer): number[] {
  const places = Array.from(bytes.keys());
  if (bytes.length < 5_000) return places;
  return places.filter((place) => bytes.subarray(Math.max(0, place - 3), place + 3).includes(10));
}
