import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import autocannon, { type Client, type Request } from "autocannon";
import type { Load } from "./cpu-time.ts";
import { median } from "./measure.ts";

/** As many connections as every load uses, over HTTP as well as to the database. */
export const CONNECTIONS = 32;

const SAMPLE_MS = 100;
/** A load ends by hanging up; what it left under way is over after this and burdens no other measurement. */
const COOL_DOWN_MS = 300;

/**
 * Sends requests over 32 connections, or as many as are asked for, for some seconds, each connection its own, one after the other.
 * @param requestsOf gives the requests that a connection repeats
 * @returns the answers. @throws when an answer is not a 200 or a connection breaks.
 */
export async function sendLoad(
  url: string,
  seconds: number,
  requestsOf: (connection: number) => Request[],
  connections = CONNECTIONS,
): Promise<Load> {
  let connected = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: SAMPLE_MS,
    setupClient: (client: Client) => client.setRequests(requestsOf(connected++).map(withOwnHeaders)),
  });
  if (result.non2xx > 0 || result.errors > 0 || result.timeouts > 0) {
    const statuses = Object.entries(result.statusCodeStats ?? {}).map(
      ([status, { count }]) => `${count} × ${status}`,
    );
    throw new Error(`The load was not all answered: ${result.errors} errors, ${statuses.join(", ")}.`);
  }
  await delay(COOL_DOWN_MS);
  return { count: result["2xx"], perSecond: result["2xx"] / result.duration };
}

// autocannon writes the length of each body into the headers that it is given.
function withOwnHeaders(request: Request): Request {
  return { ...request, headers: { ...request.headers } };
}

/** One request of a comparison; `next` is called for every repetition. */
export interface Step {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly next?: () => string;
}

/**
 * Sends some requests one at a time over one connection, in turn, until `enough` says so, and times each.
 * @returns the median time of each in milliseconds
 */
export async function timeInTurn<Name extends string>(
  steps: Readonly<Record<Name, Step>>,
  enough: (repetitions: number) => boolean,
): Promise<Record<Name, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const names = Object.keys(steps) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let repetitions = 0; !enough(repetitions); repetitions += 1) {
    for (const name of names) times[name].push(await timeOne(steps[name], agent));
  }
  agent.destroy();
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>;
}

/** Whether some seconds have passed since this was called. */
export function afterSeconds(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() >= end;
}

function timeOne({ url, method = "GET", headers, next }: Step, agent: Agent): Promise<number> {
  const body = next?.();
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      response.resume();
      response.once("error", reject);
      response.once("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - begin);
        else reject(new Error(`${method} ${url} was answered with ${response.statusCode}.`));
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
