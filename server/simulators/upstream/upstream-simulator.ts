import { randomBytes } from "node:crypto";
import { createDelays } from "../shared/delays.ts";
import { startServer } from "../shared/http.ts";
import { answerUpstreamRequest } from "./api.ts";
import { createFaultRules, type FaultRule } from "./fault-rules.ts";
import type { SentAnswer } from "./sent.ts";

/** How a simulator is started; everything has a default. */
export interface UpstreamSimulatorOptions {
  /** 0 (the default) takes any free one. */
  readonly port?: number;
  /** The only key that it accepts; made at random when not given. */
  readonly apiKey?: string;
  /** The header without which it refuses requests, in lower case; `anthropic-version` when not given. */
  readonly versionHeader?: string;
  /** Whether `answered` keeps requests; true by default. A load of millions would fill the memory. */
  readonly remember?: boolean;
}

/** An upstream that runs. */
export interface UpstreamSimulator {
  /** `http://host:port`, without the `/v1` of the paths. */
  readonly url: string;
  readonly apiKey: string;
  /** Every request so far, in the order in which they came, with what was sent to it until now. */
  answered(): readonly SentAnswer[];
  /** Forgets the requests so far. */
  forget(): void;
  /** Replaces all rules; the first one that fits a request is used up by it. */
  setFaults(rules: readonly FaultRule[]): void;
  /** Sends at once what the answers under way would send after their next pause. */
  endDelays(): void;
  /** Stops listening and cuts every connection. Nothing when it is down already. */
  down(): Promise<void>;
  /** Listens on the same port again. Nothing when it is up already. */
  up(): Promise<void>;
  close(): Promise<void>;
}

/** Starts an upstream that speaks the vendor's wire format and answers from the request alone. */
export async function startUpstreamSimulator({
  port = 0,
  apiKey = `sk-simulated-${randomBytes(12).toString("hex")}`,
  versionHeader = "anthropic-version",
  remember = true,
}: UpstreamSimulatorOptions = {}): Promise<UpstreamSimulator> {
  const delays = createDelays();
  const faults = createFaultRules();
  const newId = createIds();
  let answered: SentAnswer[] = [];
  const onRequest = (sent: SentAnswer) => {
    if (remember) answered.push(sent);
  };
  const parts = { apiKey, versionHeader, delays, faults, newId, onRequest };
  const server = await startServer(port, (request, response) => {
    answerUpstreamRequest(parts, request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  return {
    url: server.origin,
    apiKey,
    answered: () => [...answered],
    forget() {
      answered = [];
    },
    setFaults: faults.set,
    endDelays: () => delays.endAll(),
    down: server.down,
    up: server.up,
    async close() {
      delays.cancelAll();
      await server.down();
    },
  };
}

/** Ids as the vendor's look, of which no two are the same, also not those of two simulators. */
function createIds(): (prefix: string) => string {
  const own = randomBytes(6).toString("hex");
  let given = 0;
  return (prefix) => {
    given += 1;
    return `${prefix}01${own}${String(given).padStart(10, "0")}`;
  };
}
