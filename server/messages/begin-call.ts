import type { Call } from "../calls/call.ts";
import type { Calls } from "../calls/calls.ts";
import { highestChargeOf, type UsageBounds } from "../calls/highest-charge.ts";
import type { Caller } from "../keys/api-key.ts";
import { InsufficientBalanceError, type LackingFunds } from "../ledger/errors.ts";
import type { Model } from "../models/model.ts";
import type { Microcents } from "../money/microcents.ts";
import { askedTermsOf } from "./asked-terms.ts";
import { boundsOf } from "./call-bounds.ts";
import { type CountedRequest, countInput } from "./count-input.ts";
import type { RequestFacts } from "./request-facts.ts";
import type { CallerHeaders, Upstream } from "./upstream.ts";

/** What beginning a call needs. */
export interface BeginDependencies {
  readonly calls: Pick<Calls, "begin">;
  readonly upstream: Upstream | null;
}

/** A call that is to begin. */
export interface WantedCall {
  readonly caller: Pick<Caller, "accountId" | "keyId" | "lowersMaxTokens">;
  readonly requestId: string;
  readonly headers: CallerHeaders;
  readonly json: unknown;
  /** As in a {@link CountedRequest}. */
  readonly counted?: CountedRequest["counted"];
  readonly model: Model;
  readonly facts: RequestFacts;
  readonly signal: AbortSignal;
}

/** A call that has begun, and the `max_tokens` that it may use. */
export interface BegunCall {
  readonly call: Call;
  readonly maxTokens: number;
}

interface AskedOutput {
  readonly max_tokens: number;
  readonly thinking?: { readonly budget_tokens?: unknown } | null;
}

/**
 * Begins a call. What no text of that length can exceed is held; where the balance does not cover that, the upstream is asked
 * for the exact count, and where it does not cover that either, the call begins with as many `max_tokens` as the balance pays
 * for, if the account allows it.
 * @throws {InvalidInputError} as {@link boundsOf}. @throws {InsufficientBalanceError} @throws the signal's reason.
 */
export async function beginCall(dependencies: BeginDependencies, wanted: WantedCall): Promise<BegunCall> {
  const { max_tokens: maxTokens } = wanted.json as AskedOutput;
  try {
    return await beginWith(dependencies, wanted, maxTokens);
  } catch (error) {
    if (!(error instanceof InsufficientBalanceError)) throw error;
    const { funds } = error;
    if (funds === null || funds.availableMicrocents <= 0n) throw error;
    return beginForLess(dependencies, wanted, funds);
  }
}

async function beginWith(
  { calls }: BeginDependencies,
  wanted: WantedCall,
  maxTokens: number,
): Promise<BegunCall> {
  const { caller, requestId, json, model } = wanted;
  const most = mostUsage(wanted, maxTokens);
  const call = await calls.begin({ caller, model, requestId, most, asked: askedTermsOf(json) });
  return { call, maxTokens };
}

async function beginForLess(
  dependencies: BeginDependencies,
  wanted: WantedCall,
  funds: LackingFunds,
): Promise<BegunCall> {
  const { availableMicrocents: available } = funds;
  const { max_tokens: maxTokens } = wanted.json as AskedOutput;
  const least = wanted.caller.lowersMaxTokens ? leastMaxTokens(wanted) : maxTokens;
  const nothing = { ...wanted.facts, inputTokens: 0, hasDocuments: false };
  // Without a look at the upstream: no count would make it fit.
  if (mostCost({ ...wanted, facts: nothing }, least) > available) {
    throw InsufficientBalanceError.ofCall(mostCost(wanted, maxTokens), funds);
  }
  const counted = { ...wanted, facts: await countedFacts(dependencies, wanted) };
  const payable = mostPayable(counted, { least, most: maxTokens, available });
  if (payable === null) throw InsufficientBalanceError.ofCall(mostCost(counted, maxTokens), funds);
  return beginWith(dependencies, counted, payable);
}

/** The same with the upstream's count of the input, where it is one that holds. */
async function countedFacts({ upstream }: BeginDependencies, wanted: WantedCall): Promise<RequestFacts> {
  const { facts } = wanted;
  // What is at an address may be short when it is counted, and long when it is read.
  if (upstream === null || facts.hasAddresses) return facts;
  const inputTokens = await countInput(upstream, wanted);
  if (inputTokens === null || (!facts.hasDocuments && inputTokens >= facts.inputTokens)) return facts;
  return { ...facts, inputTokens, hasDocuments: false };
}

/** The most `max_tokens` that the available balance pays for; null when it does not pay for the least. */
function mostPayable(
  wanted: WantedCall,
  { least, most, available }: { least: number; most: number; available: Microcents },
): number | null {
  const fits = (maxTokens: number) => mostCost(wanted, maxTokens) <= available;
  if (fits(most)) return most;
  if (least > most || !fits(least)) return null;
  let [payable, unpayable] = [least, most];
  while (unpayable - payable > 1) {
    const middle = Math.floor((payable + unpayable) / 2);
    if (fits(middle)) payable = middle;
    else unpayable = middle;
  }
  return payable;
}

function mostCost(wanted: WantedCall, maxTokens: number): Microcents {
  return highestChargeOf(mostUsage(wanted, maxTokens), wanted.model.prices);
}

function mostUsage({ facts, model, headers }: WantedCall, maxTokens: number): UsageBounds {
  return boundsOf(facts, { model, maxTokens, betas: String(headers["anthropic-beta"] ?? "") });
}

/** An answer has at least a token, and more than its budget for thinking. */
function leastMaxTokens({ json }: WantedCall): number {
  const { max_tokens: maxTokens, thinking } = json as AskedOutput;
  const budget = thinking?.budget_tokens;
  const least = typeof budget === "number" && Number.isInteger(budget) ? budget + 1 : 1;
  return Math.min(Math.max(1, least), Math.max(1, maxTokens));
}
