import { type IncomingMessage, type RequestOptions, request, type ServerResponse } from "node:http";

/** A request of a client that is sent on to a service, and the place for its answer. */
export interface Exchange {
  readonly asked: IncomingMessage;
  readonly reply: ServerResponse;
  readonly serviceUrl: URL;
}

/** Headers that are about one connection and not about the message. */
const CONNECTION_HEADERS = ["connection", "keep-alive", "transfer-encoding"];

/**
 * Asks the service what the client asks, byte for byte, and stops asking when the client goes away.
 * @returns the answer, whose body is still to be read; null when there is none because a connection broke.
 */
export function forwardRequest({ asked, reply, serviceUrl }: Exchange): Promise<IncomingMessage | null> {
  const { method, url, rawHeaders } = asked;
  const asking = request({
    host: serviceUrl.hostname,
    port: serviceUrl.port,
    method,
    path: url,
    // As a list they are sent as they were written, and twice where they came twice.
    headers: without(rawHeaders, ["connection", "keep-alive"]),
    agent: false,
  } satisfies RequestOptions);
  // Without a length there is no body.
  asking.useChunkedEncodingByDefault = false;
  reply.once("close", () => {
    if (!reply.writableFinished) asking.destroy();
  });
  asked.on("error", () => {}).pipe(asking);
  return new Promise((resolve) => {
    // What follows the answer, such as a body that the service does not want, breaks nothing any more.
    asking.on("error", () => resolve(null)).on("close", () => resolve(null));
    asking.once("response", (answer) => resolve(answer.on("error", () => {})));
  });
}

/** Gives an answer on to the client as it comes, and breaks off where it breaks off. */
export function forwardAnswer(
  answer: IncomingMessage,
  reply: ServerResponse,
  leftOut: readonly string[] = [],
): void {
  reply.writeHead(answer.statusCode ?? 0, without(answer.rawHeaders, [...CONNECTION_HEADERS, ...leftOut]));
  reply.flushHeaders();
  answer.pipe(reply);
  answer.once("close", () => {
    if (!answer.complete) reply.destroy();
  });
}

/** Gives an answer whose body has been read to the client. */
export function sendWhole(
  { statusCode = 0, rawHeaders }: IncomingMessage,
  body: Buffer,
  reply: ServerResponse,
) {
  reply.writeHead(statusCode, without(rawHeaders, CONNECTION_HEADERS));
  reply.end(body);
}

/** Names and values in turn, without those of some names. */
function without(rawHeaders: readonly string[], names: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => !names.includes(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ""),
  );
}
