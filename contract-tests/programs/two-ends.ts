import { strict as assert } from "node:assert";
import { costOf } from "../../server/calls/token-usage.ts";
import type { SentAnswer } from "../../server/simulators/upstream/sent.ts";
import {
  addCallingAccount,
  addModels,
  type CallingAccount,
  DISTINCT_PRICES,
  startTestAiProxy,
  type TestAiProxy,
} from "../../server/testing/test-ai-proxy.ts";

/** Where a program sends its calls, and with which key: all that differs between the two ends. */
export interface End {
  /** Without the `/v1` of the paths. */
  readonly root: string;
  readonly key: string;
}

/** What came of a program: its result, or what it threw. */
export type ProgramEnd = { readonly result: unknown } | { readonly thrown: unknown };

/** A shop and its upstream, of which programs can ask either. */
export interface TwoEnds {
  /**
   * Runs a program against the upstream itself and then through the shop.
   * @returns what came of it
   * @throws when it gets something else, or asks more or less often, or when the shop's books are not what the upstream said
   */
  runBoth(program: (end: End) => Promise<unknown>): Promise<ProgramEnd>;
  /** The shop alone, with a key of a new account. */
  addEnd(): Promise<End>;
  stop(): Promise<void>;
}

/** Ids of messages, tools and requests, which no two answers share. */
const IDS = /\b(?:msg|toolu|req)_01[0-9a-z]+\b/g;

/** Starts both, with these models. */
export async function startTwoEnds(models: readonly string[]): Promise<TwoEnds> {
  const shop = await startTestAiProxy();
  await addModels(shop, models);
  const { upstream } = shop;
  return {
    async runBoth(program) {
      upstream.forget();
      const direct = await run(program, { root: upstream.url, key: upstream.apiKey });
      const directAnswers = upstream.answered();
      upstream.forget();
      const caller = await addCallingAccount(shop);
      const through = await run(program, { root: shop.proxyUrl, key: caller.key });
      assert.deepEqual(comparable(through), comparable(direct));
      assert.deepEqual(upstream.answered().map(asked), directAnswers.map(asked));
      await compareBooks(shop, caller);
      return through;
    },
    addEnd: async () => ({ root: shop.proxyUrl, key: (await addCallingAccount(shop)).key }),
    stop: () => shop.stop(),
  };
}

async function run(program: (end: End) => Promise<unknown>, end: End): Promise<ProgramEnd> {
  try {
    return { result: await program(end) };
  } catch (thrown) {
    return { thrown };
  }
}

/** What a program gets, without what no two runs share. */
function comparable(end: ProgramEnd): unknown {
  const seen = "thrown" in end ? { thrown: shownError(end.thrown) } : end;
  return JSON.parse(JSON.stringify(seen ?? null).replace(IDS, "ID"));
}

/** What programs look at: class, status, and the body, of which the shop leaves out the request's id. */
function shownError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const { name, status, statusCode, lc_error_code, error } = thrown as Error & Record<string, unknown>;
  const body = (error as { error?: unknown } | undefined)?.error;
  const classes = classesOf(thrown);
  return { name, classes, status: status ?? statusCode, code: lc_error_code, body };
}

function classesOf(value: object): string[] {
  const proto: object | null = Object.getPrototypeOf(value);
  return proto === null ? [] : [proto.constructor.name, ...classesOf(proto)];
}

/** An attempt as the upstream saw it, without what the shop leaves out of it. */
function asked({ method, path, body, status, end, stream, model }: SentAnswer): unknown {
  return { method, path, body: body.toString().replace(IDS, "ID"), status, end, stream, model };
}

/** Compares answers, usage records and charges: every call that the upstream answered is charged as it said, and nothing else is. */
async function compareBooks({ upstream }: TestAiProxy, caller: CallingAccount): Promise<void> {
  const records = await caller.settled();
  const told = upstream
    .answered()
    .filter(({ path }) => /^\/v1\/messages(?:\?|$)/.test(path))
    .map(({ requestId, usage, usageIsFinal }) => {
      assert.ok(usage === null || usageIsFinal);
      return { requestId, usage, amount: usage === null ? 0n : costOf(usage, DISTINCT_PRICES) };
    });
  const charged = records.map(({ upstreamRequestId, usage, amountMicrocents, outcome }) => ({
    requestId: upstreamRequestId,
    usage: outcome === "completed" ? usage : null,
    amount: amountMicrocents,
  }));
  const inOrder = (rows: readonly { requestId: string | null }[]) =>
    rows.toSorted((one, other) => ((one.requestId ?? "") < (other.requestId ?? "") ? -1 : 1));
  assert.deepEqual(inOrder(charged), inOrder(told));
  const spent = told.reduce((sum, { amount }) => sum + amount, 0n);
  assert.equal(await caller.balance(), 100n * 100_000_000n - spent);
}
