import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Contract, INTERFACES, type Operation, openContract } from "../contract.ts";
import { type Exchange, forwardAnswer, forwardRequest, sendWhole } from "./exchange.ts";
import { closeNow, originOf, serveLocally } from "./local-server.ts";
import { type PrismServer, startPrismProxy } from "./prism-server.ts";

/**
 * Prism's proxies, one for each interface, in front of services.
 *
 * Prism rewrites what it passes on: it takes JSON apart and puts it together again, reads a stream to its end before it
 * sends the first byte, and takes no body of more than 10 MB. Tests are about these very bytes. So a request goes from the
 * near end, which the client has called, through Prism to the far end, which asks the service what the client has asked;
 * the answer goes back through Prism, and when Prism has let it pass, the client gets it as the service wrote it. The
 * events of a stream reach the client as they come, and Prism judges the stream when it is complete.
 *
 * Past Prism goes only what it does not ask the service for: methods (HEAD and OPTIONS among them) and paths that no
 * document knows. They have to be refused. What Node cannot read as HTTP goes past it, too. An answer that breaks off is
 * not judged, because neither Prism nor the client has all of it.
 */
export interface PrismFront {
  /** @returns the root under which the service that is at `serviceUrl` is reached through Prism. */
  open(serviceUrl: string): Promise<string>;
  /** Waits for what is being judged. @returns in words what broke the contract since the last time. */
  takeFaults(): Promise<string[]>;
  /** @returns how many answers there were since the last time. */
  takeTally(): Tally;
  close(): Promise<void>;
}

/** How many answers there were, by what was said. */
export interface Tally {
  /** Those that Prism has judged, as `ordering createOrder 200`. */
  readonly judged: Record<string, number>;
  /** The others, by the reason in words. */
  readonly unjudged: Record<string, number>;
}

interface JudgedExchange extends Exchange {
  /** The answer when it is complete; a stream has been passed on already, and has no body here. */
  answer: { readonly head: IncomingMessage; readonly body: Buffer | null } | null;
  /** Whether Prism has asked for it. */
  reached: boolean;
  /** Resolves when the client has got all that it gets. */
  readonly done: PromiseWithResolvers<void>;
}

interface State {
  readonly interfaces: readonly {
    readonly name: string;
    readonly contract: Contract;
    readonly prism: PrismServer;
  }[];
  /** By the name under which Prism brings them to the far end. */
  readonly exchanges: Map<string, JudgedExchange>;
  /** Exchanges whose answer is complete and not yet judged. */
  readonly judging: Set<Promise<void>>;
  readonly faults: string[];
  tally: Tally;
}

const NAME_HEADER = "x-exchange";

/** Starts Prism for every interface, and the far end behind it. */
export async function startPrismFront(): Promise<PrismFront> {
  const exchanges: State["exchanges"] = new Map();
  const judging: State["judging"] = new Set();
  const farEnd = await serveLocally((asked, reply) => {
    const exchange = exchanges.get(String(asked.headers[NAME_HEADER]));
    if (exchange === undefined || exchange.reply.destroyed) reply.destroy();
    else void answerPrism(exchange, reply, judging);
  });
  const interfaces = await Promise.all(
    longestBasePathFirst().map(async (name) => ({
      name,
      contract: openContract(name),
      prism: await startPrismProxy(name, new URL(originOf(farEnd))),
    })),
  );
  const state: State = { interfaces, exchanges, judging, faults: [], tally: { judged: {}, unjudged: {} } };
  const servers = [farEnd];
  return {
    async open(serviceUrl) {
      const nearEnd = await serveLocally((asked, reply) => {
        const exchange = { asked, reply, serviceUrl: new URL(serviceUrl), answer: null, reached: false };
        void answerClient({ ...exchange, done: Promise.withResolvers() }, state);
      });
      nearEnd.on("clientError", ({ rawPacket = "" }: { rawPacket?: Buffer | "" }, socket) => {
        const { hostname, port } = new URL(serviceUrl);
        const service = connect(Number(port), hostname, () => service.end(rawPacket));
        service.on("error", () => socket.destroy()).pipe(socket);
      });
      servers.push(nearEnd);
      return originOf(nearEnd);
    },
    async takeFaults() {
      while (judging.size > 0) await Promise.all(judging);
      return state.faults.splice(0);
    },
    takeTally() {
      const { tally } = state;
      state.tally = { judged: {}, unjudged: {} };
      return tally;
    },
    async close() {
      for (const server of servers) closeNow(server);
      await Promise.all(interfaces.map(({ prism }) => prism.close()));
    },
  };
}

/** An interface at the root of the server has what the others leave. */
function longestBasePathFirst(): string[] {
  const length = (name: string) => openContract(name).basePath.length;
  return INTERFACES.toSorted((one, other) => length(other) - length(one));
}

/** The near end: asks Prism, and gives the client what comes of it. */
async function answerClient(exchange: JudgedExchange, state: State): Promise<void> {
  const { exchanges, judging, faults } = state;
  const name = randomUUID();
  exchanges.set(name, exchange);
  const { method = "", url = "" } = exchange.asked;
  const owner = state.interfaces.find(({ contract }) => url.startsWith(`${contract.basePath}/`));
  const operation = owner && (operationNameOf(owner, method, url) ?? headOf(owner, method, url));
  const verdict = owner && (await askPrism(owner.prism, exchange, name));
  const { answer, reply } = exchange;
  if (!exchange.reached) {
    await answerPastPrism(exchange, operation, state);
  } else if (answer === null) {
    count(state.tally.unjudged, reply.destroyed ? "left by the client" : "broken off by the service");
    reply.destroy();
  } else {
    const said = `${operation} ${answer.head.statusCode}`;
    count(state.tally.judged, said);
    const violations = [
      ...(verdict?.violations ?? ["Prism gave no verdict"]),
      ...meaningFaultsOf(owner?.contract, exchange),
    ];
    faults.push(...violations.map((violation) => `${said}: ${violation}`));
    if (answer.body !== null) {
      if (verdict && verdict.violations.length > 0) sendWhole(verdict.head, verdict.body, reply);
      else sendWhole(answer.head, answer.body, reply);
    }
  }
  exchanges.delete(name);
  judging.delete(exchange.done.promise);
  exchange.done.resolve();
}

/** The far end: asks the service, and gives Prism the answer, and the client at once if it is a stream. */
async function answerPrism(
  exchange: JudgedExchange,
  reply: Exchange["reply"],
  judging: State["judging"],
): Promise<void> {
  exchange.reached = true;
  const head = await forwardRequest(exchange);
  if (head === null) return void reply.destroy();
  const isStream = head.headers["content-type"]?.startsWith("text/event-stream");
  const chunks: Buffer[] = [];
  if (!isStream) head.on("data", (chunk: Buffer) => void chunks.push(chunk));
  head.once("end", () => {
    exchange.answer = { head, body: isStream ? null : Buffer.concat(chunks) };
    judging.add(exchange.done.promise);
  });
  // Prism would follow a redirection.
  forwardAnswer(head, reply, ["location"]);
  if (isStream) forwardAnswer(head, exchange.reply);
}

/** For requests that Prism does not ask the service for: they are no part of the contract and must be refused. */
async function answerPastPrism(
  exchange: Exchange,
  operation: string | undefined,
  { tally, faults }: State,
): Promise<void> {
  const head = await forwardRequest(exchange);
  if (head === null) return void exchange.reply.destroy();
  const { statusCode = 0 } = head;
  count(tally.unjudged, `of a path or method that no document knows, answered ${statusCode}`);
  const { method } = exchange.asked;
  // Asked for its head alone, an operation answers as it does otherwise.
  if (operation?.startsWith("HEAD ")) return forwardAnswer(head, exchange.reply);
  const isRefusal = statusCode >= 400 && statusCode <= 499;
  if (operation !== undefined) faults.push(`${operation} ${statusCode}: Prism has not asked for it`);
  else if (!isRefusal)
    faults.push(`${method} of what no document knows was answered ${statusCode}, and not refused`);
  forwardAnswer(head, exchange.reply);
}

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

/** What Prism makes of an answer. */
interface Verdict {
  readonly head: IncomingMessage;
  readonly body: Buffer;
  /** Empty when it lets the answer pass. */
  readonly violations: readonly string[];
}

/** Sends the line of a request to Prism; the far end knows the rest. @returns null when Prism breaks off. */
async function askPrism({ origin }: PrismServer, { asked }: Exchange, name: string): Promise<Verdict | null> {
  const { hostname, port } = new URL(origin);
  const { method, url } = asked;
  const headers = { [NAME_HEADER]: name };
  const asking = request({ host: hostname, port, method, path: url, headers, agent: false });
  asking.end();
  try {
    const [head]: IncomingMessage[] = await once(asking, "response");
    if (head === undefined) return null;
    const body = await buffer(head);
    return { head, body, violations: violationsIn(head) };
  } catch {
    return null;
  }
}

/** Of an undocumented error status Prism only warns; it says so in the header that has all violations. */
function violationsIn({ headers }: IncomingMessage): string[] {
  // No JSON any more when it is too long.
  const told = String(headers["sl-violations"] ?? "").matchAll(/"message":("(?:[^"\\]|\\.)*")/g);
  const violations = [...told].map(([, message]) => JSON.parse(message ?? ""));
  const isProblem = headers["content-type"] === "application/problem+json";
  return isProblem && violations.length === 0 ? ["Prism cannot read the answer"] : violations;
}

/** What Prism does not look at: headers that are not documented, and what the values of a body mean. */
function meaningFaultsOf(contract: Contract | undefined, { asked, answer }: JudgedExchange): string[] {
  const operation = contract && operationOf(contract, asked.method ?? "", asked.url ?? "");
  if (operation === undefined || answer === null) return [];
  const { statusCode: status = 0, headers } = answer.head;
  const told = Object.entries(headers).map(([name, value]) => [name, value?.toString()]);
  const body = answer.body && String(answer.body);
  return contract?.meaningFaultsOf(operation, { status, headers: Object.fromEntries(told), body }) ?? [];
}

/** The operation that a request is for, as `ordering createOrder`. */
function operationNameOf(
  { name, contract }: State["interfaces"][number],
  method: string,
  url: string,
): string | undefined {
  const found = operationOf(contract, method, url);
  return found && `${name} ${found.operationId}`;
}

function operationOf({ basePath, operations }: Contract, method: string, url: string): Operation | undefined {
  const path = url.slice(basePath.length).replace(/\?.*/, "");
  return operations.find(
    (operation) =>
      operation.method === method &&
      new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
}

/** What the head of an operation is asked for, as `HEAD ordering getPricing`. */
function headOf(owner: State["interfaces"][number], method: string, url: string): string | undefined {
  const operation = method === "HEAD" ? operationNameOf(owner, "GET", url) : undefined;
  return operation && `HEAD ${operation}`;
}
