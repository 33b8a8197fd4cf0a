import type { IncomingHttpHeaders } from "node:http";

/** The upstream's own name for a request, in the headers of its answer. */
export function upstreamRequestIdIn(headers: IncomingHttpHeaders): string | null {
  const given = headers["request-id"] ?? headers["x-request-id"];
  return typeof given === "string" && given !== "" ? given : null;
}
