import type { IncomingMessage } from "node:http";

/**
 * The cookies of a request by their names, as they are written; of several of one name the first, which is the one of the
 * longest path.
 */
export function cookiesOf({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (headers.cookie ?? "").split(";")) {
    const separator = pair.indexOf("=");
    const name = pair.slice(0, separator).trim();
    if (separator > 0 && !cookies.has(name)) cookies.set(name, pair.slice(separator + 1).trim());
  }
  return cookies;
}
