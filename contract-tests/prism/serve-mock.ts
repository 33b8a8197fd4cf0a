import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { forwardAnswer } from "./exchange.ts";
import { closeNow, originOf, serveLocally } from "./local-server.ts";
import { type PrismServer, startPrismMock } from "./prism-server.ts";

/**
 * Serves one interface from its examples, with Prism, and with what Prism lacks for it: a body that is no JSON is refused
 * as one that is missing (Prism would never answer), and a request with `"stream": true` is answered with a stream unless
 * it asks for an error (Prism goes by `Accept` alone, and finds no errors for clients that accept only streams).
 * @param port 0 takes a free one
 * @param dynamic whether answers are made up from the schemas instead
 * @param isQuiet whether what is wrong with requests is not printed
 */
export async function serveMock(
  name: string,
  port: number,
  dynamic: boolean,
  isQuiet = false,
): Promise<PrismServer> {
  const prism = await startPrismMock(name, dynamic, isQuiet);
  const prismUrl = new URL(prism.origin);
  const front = await serveLocally((asked, reply) => void handOn(asked, reply, prismUrl), port);
  return {
    origin: originOf(front),
    basePath: prism.basePath,
    async close() {
      closeNow(front);
      await prism.close();
    },
  };
}

async function handOn(asked: IncomingMessage, reply: ServerResponse, { hostname, port }: URL): Promise<void> {
  const body = await buffer(asked).catch(() => null);
  if (body === null) return;
  const { method, url } = asked;
  const json = jsonOf(asked, body);
  const isReadable = json !== undefined;
  const { connection, "transfer-encoding": _, "content-length": __, ...headers } = asked.headers;
  if (isReadable && body.length > 0) headers["content-length"] = String(body.length);
  if (wantsStream(json)) headers.accept = "text/event-stream, application/json";
  request({ host: hostname, port, method, path: url, headers, agent: false })
    .on("error", () => reply.destroy())
    .on("response", (answer) => forwardAnswer(answer, reply))
    .end(isReadable ? body : undefined);
}

/** @returns null for what does not call itself JSON, undefined for what cannot be read as what it calls itself. */
function jsonOf({ headers }: IncomingMessage, body: Buffer): unknown {
  if (!/^application\/(?:[^;]+\+)?json\b/i.test(headers["content-type"] ?? "")) return null;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function wantsStream(json: unknown): boolean {
  return typeof json === "object" && json !== null && "stream" in json && json.stream === true;
}
