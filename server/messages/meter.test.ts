import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Call, CallEnding } from "../calls/call.ts";
import { NO_TOKENS, type TokenUsage } from "../calls/token-usage.ts";
import { Meter } from "./meter.ts";

const LEASE_MS = 30_000;
const CALL = { callId: "call_1" } as unknown as Call;
const SEEN = { usage: { ...NO_TOKENS, inputTokens: 7, outputTokens: 1 }, estimated: true };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A meter whose books are kept here; `endings` says what becomes of each attempt at the end. */
function meterWith(endings: readonly (() => Promise<void>)[] = []) {
  const records: [TokenUsage, boolean | undefined][] = [];
  const ends: CallEnding[] = [];
  const errors: unknown[] = [];
  const log = { info() {}, warn() {}, error: (facts: unknown) => void errors.push(facts) };
  const calls = {
    exceedsHold: (_call: Call, { inputTokens }: TokenUsage) => inputTokens > 1_000,
    record: async (_call: Call, usage: TokenUsage, estimated?: boolean) =>
      void records.push([usage, estimated]),
    end: (_call: Call, ending: CallEnding) => {
      ends.push(ending);
      return (endings[ends.length - 1] ?? endings.at(-1) ?? (async () => {}))();
    },
  };
  return { meter: new Meter(CALL, { calls, log, leaseMs: LEASE_MS }), records, ends, errors };
}

const fails = () => Promise.reject(new Error("no database"));

test("a call is recorded with every third of its lease, and not any more when it has ended", async () => {
  const { meter, records } = meterWith();
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(records).toEqual([1, 2, 3].map(() => [NO_TOKENS, undefined]));
  meter.seen = () => SEEN;
  await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
  expect(records.at(-1)).toEqual([SEEN.usage, true]);
  await meter.end("completed", SEEN);
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(records).toHaveLength(4);
});

test("what goes beyond the hold is recorded at once", () => {
  const { meter, records } = meterWith();
  meter.noteUsage();
  meter.seen = () => SEEN;
  meter.noteUsage();
  expect(records).toEqual([]);
  const beyond = { ...SEEN, usage: { ...SEEN.usage, inputTokens: 1_001 } };
  meter.seen = () => beyond;
  meter.noteUsage();
  expect(records).toEqual([[beyond.usage, true]]);
});

test("an answer that has begun is recorded soon, unless it ends before", async () => {
  const long = meterWith();
  long.meter.scheduleFirstRecord();
  await vi.advanceTimersByTimeAsync(200);
  expect(long.records).toHaveLength(1);
  const short = meterWith();
  short.meter.scheduleFirstRecord();
  await short.meter.end("completed", SEEN);
  await vi.advanceTimersByTimeAsync(200);
  expect(short.records).toEqual([]);
});

test("a call ends with its outcome, usage and the upstream's request id", async () => {
  const { meter, ends } = meterWith();
  meter.upstreamRequestId = "req_1";
  await meter.end("completed", SEEN);
  expect(ends).toEqual([
    { outcome: "completed", usage: SEEN.usage, estimated: true, upstreamRequestId: "req_1" },
  ]);
});

test("nobody waits longer than 5 s for the books", async () => {
  const { meter } = meterWith([() => new Promise(() => {})]);
  let ended = false;
  void meter.end("completed", SEEN).then(() => {
    ended = true;
  });
  await vi.advanceTimersByTimeAsync(4_900);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(ended).toBe(true);
});

test("an end that cannot be written is tried on for a lease", async () => {
  const soon = meterWith([fails, fails, async () => {}]);
  await Promise.all([soon.meter.end("completed", SEEN), vi.advanceTimersByTimeAsync(10_000)]);
  expect(soon.ends).toHaveLength(3);
  const never = meterWith([fails]);
  await Promise.all([never.meter.end("completed", SEEN), vi.advanceTimersByTimeAsync(3 * LEASE_MS)]);
  expect(never.ends.length).toBeLessThan(35);
  expect(never.errors).toHaveLength(1);
});
