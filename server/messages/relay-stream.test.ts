import type { IncomingMessage } from "node:http";
import { PassThrough, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MessageAnswer } from "./message-answer.ts";
import { type RelayEnd, relayStream } from "./relay-stream.ts";
import { StreamReader } from "./usage-reader.ts";

const IDLE_MS = 1_000;
const START =
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":1}}}\n\n';
const TEXT = 'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"abcd"}}\n\n';
const STOP = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A client that takes everything, or nothing once it has taken so many bytes. */
class Client extends Writable {
  received = "";
  readonly #most: number;

  constructor(most = Number.POSITIVE_INFINITY) {
    super({ highWaterMark: 16 });
    this.#most = most;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.received += chunk.toString();
    if (this.received.length <= this.#most) done();
  }

  onDrain(listener: () => void): void {
    this.on("drain", listener);
  }

  offDrain(listener: () => void): void {
    this.removeListener("drain", listener);
  }
}

function relay(client = new Client()) {
  const upstream = new PassThrough();
  const breaker = new AbortController();
  const leaver = new AbortController();
  const begin = vi.fn();
  let end: RelayEnd | Error | undefined;
  relayStream(upstream as unknown as IncomingMessage, client as unknown as MessageAnswer, {
    clientStallMs: 600_000,
    reader: new StreamReader(),
    idleMs: IDLE_MS,
    signal: breaker.signal,
    client: leaver.signal,
    begin,
  }).then(
    (value) => {
      end = value;
    },
    (error: Error) => {
      end = error;
    },
  );
  return {
    upstream,
    client,
    breaker,
    begin,
    /** What has become of it, when everything that can happen now has happened. */
    async ended() {
      await nextTurn();
      await nextTurn();
      return end;
    },
  };
}

test("events pass, and the head is asked for once, before the first", async () => {
  const { upstream, client, begin, ended } = relay();
  upstream.write(START.slice(0, 20));
  await nextTurn();
  expect(begin).not.toHaveBeenCalled();
  upstream.write(START.slice(20) + TEXT);
  await nextTurn();
  expect(begin).toHaveBeenCalledOnce();
  expect(client.received).toBe(START + TEXT);
  upstream.end(STOP);
  expect(await ended()).toEqual({ outcome: "completed", betweenEvents: true, clientLeft: false });
  expect(client.received).toBe(START + TEXT + STOP);
  expect(begin).toHaveBeenCalledOnce();
});

test("a stream that is complete ends even if its connection does not", async () => {
  const { upstream, ended } = relay();
  upstream.write(START + STOP);
  expect(await ended()).toBeUndefined();
  vi.advanceTimersByTime(1_000);
  expect(await ended()).toMatchObject({ outcome: "completed" });
  expect(upstream.destroyed).toBe(true);
});

test("an upstream that sends nothing for too long has failed", async () => {
  const { upstream, ended } = relay();
  upstream.write(START);
  await nextTurn();
  vi.advanceTimersByTime(IDLE_MS - 1);
  upstream.write(TEXT);
  await nextTurn();
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect(await ended()).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(await ended()).toMatchObject({ outcome: "upstream_failed" });
  expect(upstream.destroyed).toBe(true);
});

test("an upstream that waits for the client has all the time, and a client that never reads has ten minutes", async () => {
  const { upstream, ended } = relay(new Client(0));
  upstream.write(START + TEXT.repeat(100));
  await nextTurn();
  expect(upstream.isPaused()).toBe(true);
  vi.advanceTimersByTime(599_999);
  expect(await ended()).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(await ended()).toMatchObject({ outcome: "aborted" });
});

test("a cut passes whole events only, and says when it could not", async () => {
  const small = relay();
  small.upstream.write(START + TEXT + TEXT.slice(0, 30));
  await nextTurn();
  small.upstream.destroy(new Error("cut"));
  expect(await small.ended()).toEqual({ outcome: "upstream_failed", betweenEvents: true, clientLeft: false });
  expect(small.client.received).toBe(START + TEXT);
  const large = relay();
  large.upstream.write(`${START}data: ${"x".repeat(40_000)}`);
  await nextTurn();
  large.upstream.end();
  expect(await large.ended()).toEqual({
    outcome: "upstream_failed",
    betweenEvents: false,
    clientLeft: false,
  });
});

test("nothing is written of a stream that ends, or goes on and on, without message_start", async () => {
  const short = relay();
  short.upstream.end(TEXT);
  expect(await short.ended()).toMatchObject({ outcome: "upstream_failed" });
  const long = relay();
  for (let times = 0; times < 20; times += 1) {
    long.upstream.write(TEXT.repeat(200));
    await nextTurn();
  }
  expect(await long.ended()).toMatchObject({ outcome: "upstream_failed" });
  expect(short.client.received + long.client.received).toBe("");
});

test("a stream is broken off at once, unless it is complete", async () => {
  const going = relay();
  going.upstream.write(START);
  await nextTurn();
  going.breaker.abort();
  expect(await going.ended()).toMatchObject({ outcome: "aborted" });
  expect(going.upstream.destroyed).toBe(true);
  const complete = relay();
  complete.upstream.write(START + STOP);
  await nextTurn();
  complete.breaker.abort();
  expect(await complete.ended()).toMatchObject({ outcome: "completed" });
});

test("a fault in passing on ends this stream and not the process", async () => {
  const { upstream, begin, ended } = relay();
  begin.mockImplementation(() => {
    throw new Error("no head");
  });
  upstream.write(START);
  expect(await ended()).toEqual(new Error("no head"));
  expect(upstream.destroyed).toBe(true);
});
