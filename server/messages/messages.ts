import type { CallOutcome } from "../calls/call.ts";
import type { Calls } from "../calls/calls.ts";
import type { Caller } from "../keys/api-key.ts";
import type { Keys } from "../keys/keys.ts";
import type { Log } from "../log.ts";
import type { Model } from "../models/model.ts";
import type { Models } from "../models/models.ts";
import { createAbortableWork } from "./abortable-work.ts";
import { askedTermsOf } from "./asked-terms.ts";
import { boundsOf } from "./call-bounds.ts";
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
import { withModelId } from "./model-name.ts";
import { readRequest } from "./read-request.ts";
import { createRunningStreams } from "./running-streams.ts";
import type { CallerHeaders, SentBody, Upstream } from "./upstream.ts";
import { createUpstreamAlarms, type UpstreamAlarm } from "./upstream-alarms.ts";

/** What messages need. */
export interface MessagesDependencies {
  readonly models: Pick<Models, "findOffered">;
  readonly calls: Pick<Calls, "begin" | "record" | "end">;
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
}

/** The body of a request, byte for byte as it came and as what it says, until the upstream has it. */
export interface MessageBody extends SentBody {
  readonly json: unknown;
}

/** A request whose body fits the contract, and where its answer goes. */
export interface MessageRequest {
  readonly caller: Pick<Caller, "accountId" | "keyId">;
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
   * @throws {InsufficientBalanceError} @throws {UpstreamUnavailableError} @throws {UpstreamRefusedError}
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
  const { models, calls, upstream, log, leaseMs, readOnMs, clientStallMs } = dependencies;
  const streams = createRunningStreams(dependencies);
  const alarms = createUpstreamAlarms(log);
  const { run, stopAll } = createAbortableWork(alarms);

  async function findModel(body: MessageBody): Promise<Model> {
    const { model: modelId } = body.json as { model: string };
    const model = await models.findOffered(modelId);
    if (model === null) throw new UnknownModelError(modelId);
    return model;
  }

  return {
    async create(request) {
      const { caller, requestId, body } = request;
      const model = await findModel(body);
      const { max_tokens: maxTokens } = body.json as { max_tokens: number };
      const most = boundsOf(readRequest(body, body.json), { model, maxTokens });
      const call = await calls.begin({ caller, model, requestId, most, asked: askedTermsOf(body.json) });
      const meter = new Meter(call, { calls, log, leaseMs });
      await run(request, readOnMs, async (signal, breakOff) => {
        let unwatch = () => {};
        const begun = () => {
          unwatch = streams.watch(caller.keyId, () => breakOff(new KeyUnusableError()));
        };
        try {
          const sent = bodyFor(body, model);
          const forwarded = { ...request, body: sent, signal, client: request.signal, clientStallMs, begun };
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
    },

    async countTokens(request) {
      const model = await findModel(request.body);
      readRequest(request.body, request.body.json);
      const body = bodyFor(request.body, model);
      await run(request, 0, (signal) => forwardCount({ ...request, body, signal }, required(upstream)));
    },

    async stop(deadlineMs) {
      await stopAll(deadlineMs);
      upstream?.close();
    },

    upstreamAlarms: alarms.counts,
  };
}

/** The body as the upstream understands it: it knows models by their ids, and not by the shop's aliases. */
function bodyFor(body: MessageBody, { modelId }: Model): SentBody {
  if ((body.json as { model: string }).model === modelId) return body;
  const named = withModelId(Buffer.concat(body.pieces), modelId);
  return { length: named.length, pieces: [named], release: () => body.release() };
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
