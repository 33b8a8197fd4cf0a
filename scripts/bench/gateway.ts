import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../../server/testing/free-port.ts";
import { pidOf, startProcess, stopProcess } from "./child-process.ts";
import type { UpstreamReady } from "./processes/upstream.ts";

const PROGRAM = new URL(import.meta.resolve("@portkey-ai/gateway/build/start-server.js"));
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** What it is called in the results. */
export const GATEWAY_DESCRIPTION = "Portkey's gateway in front of the same upstream";

/** Another gateway in front of the upstream, in a process of its own. */
export interface Gateway {
  /** Without the `/v1` of the paths. */
  readonly url: string;
  /** What its requests carry, beside the vendor's version: the upstream that it forwards to, and the key for it. */
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts Portkey's gateway as from its own command line. It has no account anywhere, and so reports nowhere. */
export async function startGateway({ url: upstreamUrl, apiKey }: UpstreamReady): Promise<Gateway> {
  const port = await findFreePort();
  const child = startProcess(PROGRAM, {
    // Headless: without its console, which it would otherwise offer to a browser.
    arguments: [`--port=${port}`, "--headless"],
    env: { NODE_ENV: "production" },
    isSilent: true,
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error("Portkey's gateway did not start.");
    await sleep(POLL_MS);
  }
  return {
    url,
    headers: {
      "x-portkey-provider": "anthropic",
      "x-portkey-custom-host": `${upstreamUrl}/v1`,
      Authorization: `Bearer ${apiKey}`,
    },
    pid: pidOf(child),
    stop: () => stopProcess(child),
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
