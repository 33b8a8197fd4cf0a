import type { Request } from "express";

const NAME = /^[a-z0-9._-]{1,253}(?::\d{1,5})?$/i;
const IPV6 = /^\[[0-9a-f:.]{2,45}\](?::\d{1,5})?$/i;

/**
 * Where the request has reached the service: `http://host:port`, as its Host says. null where that is no host.
 *
 * Anybody can send any Host, so what is made of it goes to the one who asked and into no shared cache. A proxy that ends
 * TLS says so in X-Forwarded-Proto; all that it can do here is to make https of http.
 */
export function addressAskedAt(req: Request): string | null {
  const host = req.get("host") ?? "";
  if (!NAME.test(host) && !IPV6.test(host)) return null;
  const isSecure = req.secure || req.get("x-forwarded-proto")?.toLowerCase() === "https";
  return `${isSecure ? "https" : "http"}://${host.toLowerCase()}`;
}
