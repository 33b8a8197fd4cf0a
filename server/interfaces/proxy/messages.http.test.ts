import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { UsageRecord } from "../../calls/call.ts";
import { costOf, type TokenUsage } from "../../calls/token-usage.ts";
import type { SentAnswer } from "../../simulators/upstream/sent.ts";
import { startServerProcess } from "../../testing/server-process.ts";
import { servicesValidateResponses } from "../../testing/service-front.ts";
import {
  addCallingAccount,
  addModels,
  ask,
  type CallingAccount,
  DISTINCT_PRICES,
  startTestAiProxy,
  type TestAiProxy,
} from "../../testing/test-ai-proxy.ts";

/** Each piece of content is sent when the test ends the pause before it. */
const HELD_BACK = "sim-slow-tokens-600000";
const MODELS = ["sim-echo", "sim-slow-tokens-200", HELD_BACK, "sim-slow-start-600000", "sim-events-2000"];
const NOTHING: TokenUsage = { inputTokens: 0, outputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 0 };

let shop: TestAiProxy;
let caller: CallingAccount;

beforeAll(async () => {
  shop = await startTestAiProxy({ callReadOnMs: 0 });
  await addModels(shop, MODELS);
  await addModels(shop, ["sim-small"], { maxOutputTokens: 50 });
});

beforeEach(async () => {
  shop.upstream.setFaults([]);
  shop.upstream.forget();
  caller = await addCallingAccount(shop);
});

afterAll(() => shop.stop());

interface PostOptions {
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
  readonly path?: string;
  /** Of another process of the shop. */
  readonly root?: string;
}

function post(
  body: object | string,
  { headers, signal, path = "/v1/messages", root = shop.proxyUrl }: PostOptions = {},
): Promise<Response> {
  return fetch(root + path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: {
      "x-api-key": caller.key,
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      ...headers,
    },
    ...(signal ? { signal } : {}),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on whatever came.
async function read(response: Response): Promise<any> {
  return response.json();
}

const streamed = (content: string, model?: string) => ({ ...ask(content, model), stream: true });

/** Reads a stream until a text has come. @returns all that has come so far. */
function textReader({ body }: Response): (text: string) => Promise<string> {
  const reader = body?.getReader();
  let seen = "";
  return async (text) => {
    while (!seen.includes(text)) {
      const piece = await reader?.read();
      if (piece?.value === undefined) throw new Error(`The stream ended without ${text}:\n${seen}`);
      seen += Buffer.from(piece.value);
    }
    return seen;
  };
}

/** The next request gets this behaviour. */
function failAs(behaviour: string): void {
  shop.upstream.setFaults([{ as: behaviour }]);
}

async function onlyCall(): Promise<UsageRecord> {
  const [call, ...others] = await caller.settled();
  if (call === undefined) throw new Error("There is no call.");
  expect(others).toEqual([]);
  return call;
}

function lastSent(): SentAnswer {
  const sent = shop.upstream.answered().at(-1);
  if (sent === undefined) throw new Error("Nothing was sent.");
  return sent;
}

/** What the billing policy says of an answer that was seen as far as it was sent. */
function policyUsage({ usage, usageIsFinal, contentBytes }: SentAnswer): TokenUsage {
  if (usage === null || usageIsFinal) return usage ?? NOTHING;
  return { ...usage, outputTokens: Math.max(usage.outputTokens, Math.ceil(contentBytes / 4)) };
}

describe("an answer", () => {
  test("that is JSON is passed on with the upstream's request id and none of its other headers", async () => {
    const response = await post(ask("Good morning"), { headers: { "x-request-id": "mine-1" } });
    expect(response.status).toBe(200);
    const { requestId, usage } = lastSent();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/json",
      "request-id": requestId,
      "x-request-id": "mine-1",
    });
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("anthropic-organization-id")).toBeNull();
    expect(response.headers.get("anthropic-ratelimit-requests-limit")).toBe("1000000");
    expect((await read(response)).content).toEqual([{ type: "text", text: "Good morning" }]);
    expect(await onlyCall()).toMatchObject({
      outcome: "completed",
      estimated: false,
      usage,
      amountMicrocents: costOf(usage ?? NOTHING, DISTINCT_PRICES),
      requestId: "mine-1",
      upstreamRequestId: requestId,
    });
  });

  test("that is a stream is passed on byte for byte, and not to be buffered", async () => {
    const response = await post(streamed("one two three"));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      "request-id": lastSent().requestId,
    });
    const text = await response.text();
    const direct = await fetch(`${shop.upstream.url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify(streamed("one two three")),
      headers: { "x-api-key": shop.upstream.apiKey, "anthropic-version": "2023-06-01" },
    });
    const withoutId = (stream: string) => stream.replace(/msg_\w+/, "");
    expect(withoutId(text)).toBe(withoutId(await direct.text()));
  });

  test("begins as soon as the upstream's, and each event comes when it is sent", async () => {
    const response = await post(streamed("one two three", HELD_BACK));
    const readUntil = textReader(response);
    expect(await readUntil("message_start")).not.toContain("one");
    const words = ["one", "two", "three"];
    for (const [index, word] of words.entries()) {
      shop.upstream.endDelays();
      const text = await readUntil(word);
      for (const later of words.slice(index + 1)) expect(text).not.toContain(later);
    }
    await readUntil("message_stop");
  });

  test("takes the body byte for byte as it came", async () => {
    const body =
      '{ "max_tokens":1e1 ,"model": "sim-echo",\n "temperature": 1.0, "messages":[{"role":"user","content":"\\u00e9 é"}]}';
    expect((await post(body, { path: "/v1/messages?beta=true" })).status).toBe(200);
    expect(lastSent().body.toString()).toBe(body);
    expect(lastSent().path).toBe("/v1/messages?beta=true");
  });

  test("is asked for without the caller's key and cookies, with version and beta headers", async () => {
    const headers = {
      authorization: `Bearer ${caller.key}`,
      "proxy-token": caller.key,
      cookie: "session=1",
      "anthropic-beta": "a,b",
      "x-forwarded-for": "10.1.2.3",
      forwarded: "for=10.1.2.3",
      "user-agent": "some-sdk/1.0",
    };
    expect((await post(ask("hello"), { headers })).status).toBe(200);
    const { headers: sent } = lastSent();
    expect(sent["x-api-key"]).toBe(shop.upstream.apiKey);
    expect(sent["anthropic-version"]).toBe("2023-06-01");
    expect(sent["anthropic-beta"]).toBe("a,b");
    expect(JSON.stringify(sent)).not.toContain(caller.key);
    for (const name of [
      "authorization",
      "proxy-token",
      "cookie",
      "x-forwarded-for",
      "forwarded",
      "user-agent",
    ]) {
      expect(sent[name]).toBeUndefined();
    }
  });
});

describe("the charge", () => {
  test.each(["sim-zero-usage", "sim-null-usage", "sim-deltas-2", "sim-events-50"])(
    "of a stream that counts as %s does is by its last counts",
    async (behaviour) => {
      failAs(behaviour);
      await (await post(streamed("one two three four"))).text();
      const { usage, usageIsFinal } = lastSent();
      expect(usageIsFinal).toBe(true);
      expect(await onlyCall()).toMatchObject({
        outcome: "completed",
        estimated: false,
        usage,
        amountMicrocents: costOf(usage ?? NOTHING, DISTINCT_PRICES),
      });
    },
  );

  test("of a stream that gives no count at its end is estimated", async () => {
    failAs("sim-no-usage");
    await (await post(streamed("one two three four"))).text();
    const { usage } = lastSent();
    const estimate = { ...usage, outputTokens: Math.ceil("one two three four".length / 4) };
    expect(await onlyCall()).toMatchObject({ outcome: "completed", estimated: true, usage: estimate });
  });

  // Where Prism stands in front, it keeps back an answer with such counts.
  test.each(servicesValidateResponses() ? [false, true] : [true])(
    "of counts that cannot be read is for what is known, and marked (stream: %j)",
    async (stream) => {
      const usage = { input_tokens: 10, output_tokens: "many", cache_read_input_tokens: -3 };
      shop.upstream.setFaults([{ as: "sim-echo", usage }]);
      const marked = shop.calls.unpricedCalls();
      const response = await post({ ...ask("one two three four"), stream });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("four")]);
      const call = await onlyCall();
      const known = { ...NOTHING, inputTokens: 10, outputTokens: Math.ceil("one two three four".length / 4) };
      expect(call).toMatchObject({ outcome: "completed", estimated: true, usage: known });
      expect(call.amountMicrocents).toBe(costOf(known, DISTINCT_PRICES));
      expect(call.bill?.unpriced.toSorted()).toEqual(["cache_read_input_tokens", "output_tokens"]);
      expect(shop.calls.unpricedCalls()).toBe(marked + 1);
    },
  );

  test("of the prompt cache is by its own prices, and the hold by the dearer", async () => {
    const system = [
      { type: "text", text: "Long instructions. ".repeat(50), cache_control: { type: "ephemeral" } },
    ];
    const gone = new AbortController();
    const request = { ...streamed("one two three", "sim-slow-tokens-200"), system };
    const response = await post(request, { signal: gone.signal });
    const { reservedMicrocents } = await shop.accounts.get(caller.accountId);
    // A token for each byte.
    const cacheWriteTokens = Buffer.byteLength(JSON.stringify(request));
    const most = { inputTokens: 0, outputTokens: 100, cacheWriteTokens, cacheReadTokens: 0 };
    expect(reservedMicrocents).toBe(costOf(most, DISTINCT_PRICES));
    await response.text();
    const { usage } = lastSent();
    expect(usage?.cacheReadTokens).toBeGreaterThan(0);
    expect(usage?.cacheWriteTokens).toBeGreaterThan(0);
    expect(await onlyCall()).toMatchObject({
      usage,
      amountMicrocents: costOf(usage ?? NOTHING, DISTINCT_PRICES),
    });
  });

  test("is made in full beyond the hold and below zero, and then calls are refused", async () => {
    caller = await addCallingAccount(shop, "0.01");
    // The hold covers 1 output token; 1,994 come.
    await (await post({ ...streamed("a", "sim-events-2000"), max_tokens: 1 })).text();
    const { amountMicrocents, holdMicrocents } = { holdMicrocents: 1_000_000n, ...(await onlyCall()) };
    expect(amountMicrocents).toBeGreaterThan(holdMicrocents);
    expect(await caller.balance()).toBe(holdMicrocents - amountMicrocents);
    const refused = await post(ask("a"));
    expect(refused.status).toBe(402);
    expect((await read(refused)).error.type).toBe("billing_error");
  });

  test("is nothing for more than the model gives, and for what is not sold", async () => {
    for (const request of [{ ...ask("a", "sim-small"), max_tokens: 51 }, ask("a", "sim-other")]) {
      const response = await post(request);
      expect(response.status).toBe(400);
      expect((await read(response)).error.type).toBe("invalid_request_error");
    }
    expect((await post({ ...ask("a", "sim-small"), max_tokens: 50 })).status).toBe(200);
    expect(await caller.settled()).toHaveLength(1);
  });
});

describe("a client that goes away", () => {
  test("in the middle of a stream takes the upstream with it, and is charged for what was seen", async () => {
    const gone = new AbortController();
    const response = await post(streamed("one two three four five", HELD_BACK), { signal: gone.signal });
    const readUntil = textReader(response);
    await readUntil("message_start");
    for (const word of ["one ", "two "]) {
      shop.upstream.endDelays();
      await readUntil(word);
    }
    gone.abort();
    const call = await onlyCall();
    expect(lastSent()).toMatchObject({ end: "client_gone", usageIsFinal: false });
    const { inputTokens = 0 } = lastSent().usage ?? {};
    const usage = { ...NOTHING, inputTokens, outputTokens: Math.ceil("one two ".length / 4) };
    expect(call).toMatchObject({
      outcome: "client_aborted",
      estimated: true,
      usage,
      amountMicrocents: costOf(usage, DISTINCT_PRICES),
    });
  });

  test.each([ask("a", "sim-slow-start-600000"), streamed("a", "sim-slow-start-600000")])(
    "before the answer begins is charged nothing",
    async (request) => {
      const gone = new AbortController();
      const posting = post(request, { signal: gone.signal }).catch(() => null);
      await expect.poll(() => shop.upstream.answered().length).toBe(1);
      gone.abort();
      await posting;
      expect(await onlyCall()).toMatchObject({
        outcome: "client_aborted",
        usage: NOTHING,
        amountMicrocents: 0n,
      });
      await expect.poll(() => lastSent().end).toBe("client_gone");
    },
  );
});

describe("an upstream that is read on", () => {
  let reading: TestAiProxy;
  let leaving: CallingAccount;
  beforeAll(async () => {
    reading = await startTestAiProxy({ callReadOnMs: 600_000 });
    await addModels(reading, [...MODELS, "sim-huge-32"]);
  });
  beforeEach(async () => {
    reading.upstream.forget();
    leaving = await addCallingAccount(reading);
  });
  afterAll(() => reading.stop());

  const begin = (body: object, signal: AbortSignal) =>
    post(body, { root: reading.ownUrl, headers: { "x-api-key": leaving.key }, signal });
  const held = async () => (await reading.accounts.get(leaving.accountId)).reservedMicrocents;
  const sentEnd = () => reading.upstream.answered().at(-1)?.end;
  const hangUps = (of: TestAiProxy) => of.log().split("caller hung up").length - 1;
  /** Hangs up, and waits until the service has noticed it. */
  async function leave(gone: AbortController, of = reading): Promise<void> {
    const before = hangUps(of);
    gone.abort();
    await expect.poll(() => hangUps(of)).toBeGreaterThan(before);
  }
  /** Lets the upstream send all of its answer. */
  const endAnswer = () =>
    expect
      .poll(() => {
        reading.upstream.endDelays();
        return sentEnd();
      })
      .toBe("complete");

  /** The call is charged as the upstream has counted it to its end. */
  async function expectFinalCharge(): Promise<void> {
    const { usage, usageIsFinal } = reading.upstream.answered().at(-1) ?? {};
    expect(usageIsFinal).toBe(true);
    expect(await leaving.settled()).toMatchObject([
      {
        outcome: "client_aborted",
        estimated: false,
        usage,
        amountMicrocents: costOf(usage ?? NOTHING, DISTINCT_PRICES),
      },
    ]);
  }

  test("charges a stream whose client has gone by its last count, and not by a guess", async () => {
    const gone = new AbortController();
    const response = await begin(streamed("one two three four five", HELD_BACK), gone.signal);
    await textReader(response)("message_start");
    await leave(gone);
    await endAnswer();
    await expectFinalCharge();
  });

  test("goes on when the client that leaves had stopped reading", async () => {
    const gone = new AbortController();
    await begin(streamed("a", "sim-huge-32"), gone.signal);
    await expect.poll(() => reading.upstream.answered().at(-1)?.contentBytes ?? 0).toBeGreaterThan(0);
    await leave(gone);
    await expect.poll(sentEnd).toBe("complete");
    await expectFinalCharge();
  });

  test.each([ask("one two", "sim-slow-start-600000"), streamed("one two", "sim-slow-start-600000")])(
    "charges a call whose client has gone before the answer for the whole answer",
    async (request) => {
      const gone = new AbortController();
      const posting = begin(request, gone.signal).catch(() => null);
      await expect.poll(() => reading.upstream.answered().length).toBe(1);
      await leave(gone);
      await posting;
      expect(await held()).toBeGreaterThan(0n);
      await endAnswer();
      await expectFinalCharge();
    },
  );

  test("is stopped when its time is over, and then charged for what was seen", async () => {
    const short = await startTestAiProxy({ callReadOnMs: 50 });
    try {
      await addModels(short, MODELS);
      const other = await addCallingAccount(short);
      const options = { root: short.proxyUrl, headers: { "x-api-key": other.key } };
      for (const request of [streamed("one two", HELD_BACK), ask("one two", "sim-slow-start-600000")]) {
        const gone = new AbortController();
        const posting = post(request, { ...options, signal: gone.signal }).catch(() => null);
        if ("stream" in request) await textReader((await posting) as Response)("message_start");
        else await expect.poll(() => short.upstream.answered().length).toBe(2);
        gone.abort();
        await other.settled();
      }
      const [json, stream] = await other.settled();
      expect(json).toMatchObject({ outcome: "client_aborted", usage: NOTHING, amountMicrocents: 0n });
      expect(stream).toMatchObject({ outcome: "client_aborted", usage: { outputTokens: 1 } });
      expect(stream?.usage.inputTokens).toBeGreaterThan(0);
    } finally {
      await short.stop();
    }
  });

  test("is let go when the service stops, and the call is charged for what was seen", async () => {
    const stopping = await startTestAiProxy({ callReadOnMs: 600_000 });
    try {
      await addModels(stopping, MODELS);
      const other = await addCallingAccount(stopping);
      const gone = new AbortController();
      const options = { root: stopping.ownUrl, headers: { "x-api-key": other.key }, signal: gone.signal };
      await textReader(await post(streamed("one two", HELD_BACK), options))("message_start");
      await leave(gone, stopping);
      await stopping.messages.stop(50);
      expect(await other.settled()).toMatchObject([
        { outcome: "client_aborted", usage: { outputTokens: 1 } },
      ]);
    } finally {
      await stopping.stop();
    }
  });
});

describe("an upstream that fails", () => {
  test.each([
    ["sim-error", 502, "true"],
    ["sim-gateway", 502, "true"],
    ["sim-redirect", 502, "true"],
    ["sim-status-503", 502, "true"],
    ["sim-no-answer", 502, "true"],
    ["sim-garbage", 502, "false"],
    ["sim-cut", 502, "false"],
    ["sim-cut-early", 502, "false"],
    ["sim-no-usage", 502, "false"],
  ])(
    "as %s does before it has answered is told as %i and charges nothing",
    async (behaviour, status, shouldRetry) => {
      failAs(behaviour);
      const response = await post(ask("one two three"));
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({
        type: "error",
        error: { type: "api_error", message: expect.any(String) },
      });
      expect(response.headers.get("x-should-retry")).toBe(shouldRetry);
      expect(await onlyCall()).toMatchObject({
        outcome: "upstream_failed",
        usage: NOTHING,
        amountMicrocents: 0n,
      });
      expect(shop.upstream.answered()).toHaveLength(1);
    },
  );

  test.each(["sim-cut-early", "sim-cut-0", "sim-garbage"])(
    "as %s does before message_start is a 502 also for a stream",
    async (behaviour) => {
      failAs(behaviour);
      const response = await post(streamed("one two three"));
      expect(response.status).toBe(502);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await onlyCall()).toMatchObject({ outcome: "upstream_failed", amountMicrocents: 0n });
    },
  );

  test("by an error event before message_start is told by a status", async () => {
    failAs("sim-error-event-0");
    const response = await post(streamed("one two three"));
    expect(response.status).toBe(529);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await read(response)).error.type).toBe("overloaded_error");
    expect(await onlyCall()).toMatchObject({ outcome: "rejected", amountMicrocents: 0n });
  });

  test.each([1, 2, 3, 10, 40])("after %i events of a stream is told by an error event", async (events) => {
    failAs(`sim-cut-${events}`);
    const text = await (await post(streamed("one"))).text();
    expect(text.match(/^event: .*$/gm)).toHaveLength(events + 1);
    expect(text).toMatch(/\n\nevent: error\ndata: \{"type":"error","error":\{"type":"api_error",.*\}\n\n$/);
    expect(text).not.toContain("message_stop");
    const usage = policyUsage(lastSent());
    const estimated = usage.outputTokens > 1;
    expect(await onlyCall()).toMatchObject({
      outcome: "upstream_failed",
      estimated,
      usage,
      amountMicrocents: costOf(usage, DISTINCT_PRICES),
    });
  });

  test("with an error event of its own is not told twice", async () => {
    failAs("sim-error-event-10");
    const text = await (await post(streamed("one"))).text();
    expect(text.match(/event: error/g)).toHaveLength(1);
    expect(text).toContain("overloaded_error");
    expect(await onlyCall()).toMatchObject({ outcome: "upstream_failed", usage: policyUsage(lastSent()) });
  });

  test("to be there is a 503, without a charge", async () => {
    await shop.upstream.down();
    try {
      const response = await post(ask("a"));
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await read(response)).error.type).toBe("api_error");
    } finally {
      await shop.upstream.up();
    }
    expect(await onlyCall()).toMatchObject({ outcome: "upstream_failed", amountMicrocents: 0n });
  });

  test("when tokens are counted is told in the same way, and leaves no call", async () => {
    const count = () => post(ask("a"), { path: "/v1/messages/count_tokens" });
    await shop.upstream.down();
    try {
      expect((await count()).status).toBe(503);
    } finally {
      await shop.upstream.up();
    }
    expect((await count()).status).toBe(200);
    expect(await caller.settled()).toEqual([]);
  });
});

describe("a service", () => {
  test("without an upstream says so", async () => {
    const alone = await startTestAiProxy({ upstreamUrl: null, upstreamApiKey: null });
    try {
      await addModels(alone, ["sim-echo"]);
      for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
        const response = await fetch(alone.proxyUrl + path, {
          method: "POST",
          headers: { "x-api-key": alone.generalKey, "content-type": "application/json" },
          body: JSON.stringify(ask("a")),
        });
        expect(response.status).toBe(503);
        expect((await read(response)).error).toEqual({
          type: "api_error",
          message: "No upstream is configured.",
        });
      }
    } finally {
      await alone.stop();
    }
  });

  test("keeps the hold of a stream that is longer than its lease", async () => {
    const leaseMs = 1_000;
    let nowMs = Date.now();
    const patient = await startTestAiProxy({ callLeaseMs: leaseMs }, () => nowMs);
    const recovery = patient.calls.startRecovery({ intervalMs: 20 });
    try {
      const other = await callerOf(patient);
      const streaming = await other.stream("one two three");
      const leaseEndsAtMs = async () => {
        const [row] = await patient.database.rows<{ ms: number }>(
          "SELECT lease_expires_at_ms AS ms FROM calls",
        );
        return Number(row?.ms);
      };
      for (let renewals = 0; renewals < 3; renewals += 1) {
        nowMs += leaseMs - 1;
        await expect.poll(leaseEndsAtMs).toBe(nowMs + leaseMs);
      }
      expect(await endOf(patient, streaming)).toContain("message_stop");
      const [call] = await other.settled();
      expect(call).toMatchObject({ outcome: "completed", estimated: false, usage: { outputTokens: 3 } });
    } finally {
      await recovery.stop();
      await patient.stop();
    }
  });

  test("that stops lets calls end", async () => {
    const stopping = await startTestAiProxy();
    try {
      const other = await callerOf(stopping);
      const streaming = await other.stream("one two three");
      const stopped = stopping.messages.stop(600_000);
      expect(await endOf(stopping, streaming)).toContain("message_stop");
      await stopped;
      expect(await other.settled()).toMatchObject([{ outcome: "completed" }]);
    } finally {
      await stopping.stop();
    }
  });

  test("that stops breaks off the calls that have not ended at its deadline", async () => {
    const stopping = await startTestAiProxy();
    try {
      const other = await callerOf(stopping);
      const streaming = await other.stream("one two three");
      await stopping.messages.stop(50);
      expect(await streaming.text()).toMatch(/event: error\n.*\n\n$/);
      expect(await other.settled()).toMatchObject([{ outcome: "upstream_failed" }]);
    } finally {
      await stopping.stop();
    }
  });

  /** Somebody who begins streams that are held back, in a shop of its own. */
  async function callerOf(proxy: TestAiProxy) {
    await addModels(proxy, MODELS);
    const other = await addCallingAccount(proxy);
    const headers = { "x-api-key": other.key };
    const stream = (content: string) => post(streamed(content, HELD_BACK), { root: proxy.proxyUrl, headers });
    return { ...other, stream };
  }

  /** Lets the upstream send the rest of a stream. @returns the whole of it. */
  async function endOf({ upstream }: TestAiProxy, streaming: Response): Promise<string> {
    const text = streaming.text();
    await expect
      .poll(() => {
        upstream.endDelays();
        return upstream.answered().at(-1)?.end;
      })
      .toBe("complete");
    return text;
  }
});

test("a process that is told to end ends its streams first", async () => {
  const server = await startServerProcess(shop.databaseUrl, {
    UPSTREAM_URL: shop.upstream.url,
    UPSTREAM_API_KEY: shop.upstream.apiKey,
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  const root = new URL(server.baseUrl).origin;
  const response = await post(streamed("word ".repeat(10), "sim-slow-tokens-200"), { root });
  const ended = server.kill("SIGTERM");
  expect(await response.text()).toContain("message_stop");
  expect(await ended).toBe(0);
  expect(await onlyCall()).toMatchObject({ outcome: "completed", usage: { outputTokens: 10 } });
});

test("no key, prompt or answer is in any log", async () => {
  const canary = "CANARY-OF-A-PROMPT";
  const server = await startServerProcess(shop.databaseUrl, {
    UPSTREAM_URL: shop.upstream.url,
    UPSTREAM_API_KEY: shop.upstream.apiKey,
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  const answered = [
    "sim-echo",
    "sim-cut-5",
    "sim-invalid",
    "sim-auth",
    "sim-overloaded",
    "sim-error-event-4",
  ];
  const failed = ["sim-error", "sim-no-answer", "sim-cut-early", "sim-garbage", "sim-no-usage"];
  for (const behaviour of [...answered, ...failed]) {
    for (const stream of [false, true]) {
      failAs(behaviour);
      const response = await post(
        { ...ask(canary), system: canary, stream },
        { root: new URL(server.baseUrl).origin },
      );
      await response.text();
    }
  }
  await caller.settled();
  await server.kill("SIGTERM");
  const log = server.log();
  expect(log).toContain("the upstream failed");
  expect(log).toContain("the upstream refuses this service");
  for (const secret of [canary, caller.key, shop.upstream.apiKey]) expect(log.includes(secret)).toBe(false);
});
