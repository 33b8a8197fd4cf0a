import type { CallSettings } from "../accounts/account.ts";
import type { CallOutcome } from "../calls/call.ts";
import type { Calls } from "../calls/calls.ts";
import type { Caller } from "../keys/api-key.ts";
import type { Keys } from "../keys/keys.ts";
import type { Log } from "../log.ts";
import type { Model } from "../models/model.ts";
import type { Models } from "../models/models.ts";
import { createAbortableWork } from "./abortable-work.ts";
import { beginCall } from "./begin-call.ts";
import { mostInputOf } from "./call-bounds.ts";
import { createCallsInFlight } from "./calls-in-flight.ts";
import {
  KeyUnusableError,
  UnknownModelError,
  UpstreamMisconfiguredError,
  UpstreamRefusedError,
  UpstreamUnavailableError,
} from "./errors.ts";
import { CLIENT_DISCONNECTED, forwardCount, forwardMessage } from "./forward-message.ts";
import type { MessageAnswer } from "./message-answer.ts";
import { Meter } from "./meter.ts";
import { countedOf, factsOf, type RequestExtract } from "./request-extract.ts";
import type { RequestFacts } from "./request-facts.ts";
import { createRunningStreams } from "./running-streams.ts";
import type { CallerHeaders, SentBody, Upstream } from "./upstream.ts";
import { createUpstreamAlarms, type UpstreamAlarm } from "./upstream-alarms.ts";
import { withField } from "./with-field.ts";

/** What messages need. */
export interface MessagesDependencies {
  readonly models: Pick<Models, "findOffered">;
  readonly calls: Pick<Calls, "begin" | "exceedsHold" | "record" | "end">;
  readonly keys: Pick<Keys, "findUnusable">;
  /** Null: there is none, and every call says so. */
  readonly upstream: Upstream | null;
  readonly log: Log;
  /** How long a call lives in the books without a word from its process. */
  readonly leaseMs: number;
  /** How long the upstream is read on after a client has gone, for its last count; 0: not at all. */
  readonly readOnMs: number;
  /** How long a client may take nothing of a stream. */
  readonly clientStallMs: number;
  /** The most calls that an account may have under way at once, where it has no limit of its own. */
  readonly callsInFlightLimit: number;
}

/** The body of a request, byte for byte as it came and as what it says, until the upstream has it. */
export interface MessageBody extends SentBody {
  readonly json: unknown;
  /** What was kept of a body that was read in a thread; null or undefined: `json` is all of it. */
  readonly extract?: RequestExtract | null;
}

/** A request whose body fits the contract, and where its answer goes. */
export interface MessageRequest {
  readonly caller: Pick<Caller, "accountId" | "keyId" | keyof CallSettings>;
  readonly requestId: string;
  readonly headers: CallerHeaders;
  /** The raw query with its "?", or "". */
  readonly query: string;
  readonly body: MessageBody;
  readonly answer: MessageAnswer;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** Forwards message calls to the upstream and charges them. See README.md. */
export interface Messages {
  /**
   * Generates a message, charged by what it took, and writes the answer. Throws only before its head is written.
   * @throws {UnknownModelError} @throws {InvalidInputError} it asks for what is not offered, or for more than the model gives.
   * @throws {TooManyCallsError} @throws {InsufficientBalanceError} @throws {UpstreamUnavailableError} @throws {UpstreamRefusedError}
   * @throws {UpstreamMisconfiguredError}
   */
  create(request: MessageRequest): Promise<void>;
  /** Counts the tokens of a request, free, and writes the answer. Throws as `create` does. */
  countTokens(request: MessageRequest): Promise<void>;
  /** Resolves when every call under way has ended and is settled; at the deadline those that have not are broken off. */
  stop(deadlineMs: number): Promise<void>;
  /** How often each alarm about the upstream was raised since the process began. */
  upstreamAlarms(): Readonly<Record<UpstreamAlarm, number>>;
}

const NO_UPSTREAM_RETRY_SECONDS = 60;

/** Opens the use cases of messages. */
export function createMessages(dependencies: MessagesDependencies): Messages {
  const { models, calls, upstream, log, leaseMs, readOnMs, clientStallMs, callsInFlightLimit } = dependencies;
  const inFlight = createCallsInFlight();
  const streams = createRunningStreams(dependencies);
  const alarms = createUpstreamAlarms(log);
  const { run, stopAll } = createAbortableWork(alarms);

  async function findModel(body: MessageBody): Promise<Model> {
    const { model: modelId } = body.json as { model: string };
    const model = await models.findOffered(modelId);
    if (model === null) throw new UnknownModelError(modelId);
    return model;
  }

  // Apart from what goes on afterwards, which would keep the request for as long as its answer takes.
  const begin = (request: MessageRequest, model: Model, facts: RequestFacts, signal: AbortSignal) => {
    const { caller, requestId, headers, body } = request;
    const counted = countedOf(body, model.modelId);
    const json = namedJson(body, model);
    return beginCall(dependencies, { caller, requestId, headers, json, counted, model, facts, signal });
  };

  /** A call that may cost as much as the caller has: from its hold to its end. */
  const forward = (request: MessageRequest, model: Model, facts: RequestFacts): Promise<void> =>
    run(request, readOnMs, async (signal, breakOff) => {
      const { caller, requestId } = request;
      const { call, maxTokens } = await begin(request, model, facts, signal);
      const meter = new Meter(call, { calls, log, leaseMs });
      let unwatch = () => {};
      const begun = () => {
        unwatch = streams.watch(caller.keyId, () => breakOff(new KeyUnusableError()));
      };
      try {
        const body = bodyFor(request, model, maxTokens);
        const forwarded = { ...request, body, signal, client: request.signal, clientStallMs, begun };
        await forwardMessage(forwarded, required(upstream), meter);
      } catch (error) {
        const outcome = outcomeOf(error);
        if (outcome === "upstream_failed")
          log.warn({ requestId, callId: call.callId }, "the upstream failed");
        await meter.end(outcome, meter.seen());
        throw error;
      } finally {
        unwatch();
      }
    });

  return {
    async create(request) {
      const { caller, body } = request;
      const model = await findModel(body);
      const betas = String(request.headers["anthropic-beta"] ?? "");
      const facts = factsOf(body, mostInputOf({ model, betas }));
      const limit = caller.callsInFlightLimit ?? callsInFlightLimit;
      await inFlight.run(caller.accountId, limit, () => forward(request, model, facts));
    },

    async countTokens(request) {
      const model = await findModel(request.body);
      // It is only checked.
      factsOf(request.body, 0);
      const body = namedBody(request.body, model);
      await run(request, 0, (signal) => forwardCount({ ...request, body, signal }, required(upstream)));
    },

    async stop(deadlineMs) {
      await stopAll(deadlineMs);
      upstream?.close();
    },

    upstreamAlarms: alarms.counts,
  };
}

/** What the body says, with the model's own id. */
function namedJson({ json }: MessageBody, { modelId }: Model): unknown {
  return (json as { model: string }).model === modelId ? json : { ...(json as object), model: modelId };
}

/** The body as the upstream understands it: it knows models by their ids, and not by the shop's aliases. */
function namedBody(body: MessageBody, { modelId }: Model): SentBody {
  if ((body.json as { model: string }).model === modelId) return body;
  return withField(body, "model", JSON.stringify(modelId));
}

/** The same, or with the fewer `max_tokens` that the call runs with, which its answer tells. */
function bodyFor({ body, answer }: MessageRequest, model: Model, maxTokens: number): SentBody {
  const named = namedBody(body, model);
  if (maxTokens === (body.json as { max_tokens: number }).max_tokens) return named;
  answer.lowered(maxTokens);
  return withField(named, "max_tokens", String(maxTokens));
}

function required(upstream: Upstream | null): Upstream {
  if (upstream !== null) return upstream;
  throw new UpstreamUnavailableError("No upstream is configured.", {
    retryAfterSeconds: NO_UPSTREAM_RETRY_SECONDS,
  });
}

function outcomeOf(error: unknown): CallOutcome {
  if (error === CLIENT_DISCONNECTED) return "client_aborted";
  const isRefusal = error instanceof UpstreamRefusedError || error instanceof UpstreamMisconfiguredError;
  return isRefusal ? "rejected" : "upstream_failed";
}
