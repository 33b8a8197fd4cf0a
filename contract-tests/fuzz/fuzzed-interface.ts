import type fc from "fast-check";
import type { SupplierSimulator } from "../../server/simulators/supplier/supplier-simulator.ts";
import type { TestAiProxy } from "../../server/testing/test-ai-proxy.ts";
import type { OpenAsk } from "./ask.ts";
import { API_KEY_CALLERS, type Caller, keyName } from "./callers.ts";
import { type FaultKind, REFUSALS_BY_CODE, type Refusal } from "./expectations.ts";
import type { RequestParts, ShopNames } from "./request.ts";
import type { Spec, SpecOperation } from "./spec.ts";
import type { KnownValues, ValueOptions } from "./values.ts";

/** What the requests to one interface find in a shop, and how they have to be answered. */
export interface FuzzedInterface {
  /** By the name of a schema or of a field, what the running shop has. */
  readonly byName: Readonly<Record<string, KnownValues>>;
  /** The same by operation and parameter, such as `getOrder id`. */
  readonly byParameter: Readonly<Record<string, KnownValues>>;
  /** Which texts bodies may hold; see {@link ValueOptions}. */
  readonly bodyText: ValueOptions["text"];
  /** Those who are let in, with what they may do. */
  readonly callers: readonly Caller[];
  /** The name of a credential that was good once. */
  readonly revoked: string;
  /** By operation, the caller who alone asks for it, where it ends who asks: whoever comes after gets a 401. */
  readonly endsCaller: Readonly<Record<string, string>>;
  /** By operation, statuses that tell of what only the running shop can know, such as whether a code is right. */
  readonly furtherStatuses: Readonly<Record<string, readonly number[]>>;
  /** Times that no answer has, though they are in its schema, such as `endKeyOverlap replacedAt`. */
  readonly neverTold: readonly string[];
  /** Whether a slash at the end of a path is none, so that without its last parameter it is the path before that. */
  readonly ignoresSlashes?: boolean;
  /** Whether what a path names is looked for before it is checked: a fault in it is then a 404, also where there is a 400. */
  readonly findsPathsFirst?: boolean;
  /** How requests with a fault are refused. */
  readonly refusals: Readonly<Record<FaultKind, Refusal>>;
  /** Whether a request that the document allows may get a 400, because of what only the running shop can know. */
  mayBeRefused(operation: SpecOperation, parts: RequestParts): boolean;
  /** Fills a shop. @returns what names in requests stand for, beside those of the API keys. */
  prepare(shop: ShopToFill): Promise<ShopNames>;
  /** Requests that follow each other; null when there are none. */
  readonly sequence: FuzzedSequence<unknown> | null;
}

/** A shop before requests made from the documents are sent to it. */
export interface ShopToFill extends TestAiProxy {
  readonly supplier: SupplierSimulator;
  /** API keys of all kinds, by {@link keyName}; their accounts have plenty of money. */
  readonly apiKeys: ShopNames;
  /** How many requests there will be, about. */
  readonly requests: number;
}

/** Requests that follow each other, and a model that knows how each of them has to be answered. */
export interface FuzzedSequence<Plan> {
  /** Fills the shop for all of them. */
  prepare(shop: TestAiProxy): Promise<void>;
  plans(spec: Spec): fc.Arbitrary<Plan>;
  /** @throws when an answer is not as it should be. */
  runPlan(plan: Plan, shop: TestAiProxy, openAsk: OpenAsk): Promise<void>;
  /** A plan as a person reads it. */
  describe(plan: Plan): string;
}

/** An interface of which nothing special is known: API keys let in, and errors are told by a code. */
export const NOTHING_SPECIAL: FuzzedInterface = {
  byName: {},
  byParameter: {},
  bodyText: "plain",
  callers: API_KEY_CALLERS,
  endsCaller: {},
  furtherStatuses: {},
  neverTold: [],
  revoked: keyName("revoked"),
  refusals: REFUSALS_BY_CODE,
  // Cursors are the service's own.
  mayBeRefused: (_operation, { query }) => query.some(([name]) => name === "cursor"),
  prepare: async () => ({}),
  sequence: null,
};
