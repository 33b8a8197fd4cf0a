import type { SentAnswer } from "./sent.ts";

/** How a simulator is started; everything has a default. */
export interface UpstreamSimulatorOptions {
  /** 0 (the default) takes any free one. */
  readonly port?: number;
  /** The only key that it accepts; made at random when not given. */
  readonly apiKey?: string;
  /** Whether `answered` keeps requests; true by default. A load of millions would fill the memory. */
  readonly remember?: boolean;
}

/** Lets requests be answered as if they named another model. */
export interface FaultRule {
  /** The model whose behaviour they get, such as `sim-overloaded` or `sim-cut-17`. */
  readonly as: string;
  /** How many requests; 1 by default, null for all. */
  readonly times?: number | null;
  /** Only requests for this model; any when not given. */
  readonly model?: string;
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
  /** Replaces all rules; the first one that fits a request is used up by it. They change `POST /v1/messages` only. */
  setFaults(rules: readonly FaultRule[]): void;
  /** Stops listening and cuts every connection. Nothing when it is down already. */
  down(): Promise<void>;
  /** Listens on the same port again. Nothing when it is up already. */
  up(): Promise<void>;
  close(): Promise<void>;
}

/** Starts an upstream that speaks the vendor's wire format and answers from the request alone. */
export declare function startUpstreamSimulator(options?: UpstreamSimulatorOptions): Promise<UpstreamSimulator>;
