import { BlockList, isIP } from "node:net";
import type { Request } from "express";

const NAME = /^[a-z0-9._-]{1,253}(?::\d{1,5})?$/i;
const IPV6 = /^\[[0-9a-f:.]{2,45}\](?::\d{1,5})?$/i;

/** Whether an address belongs to a proxy that is believed. */
export type IsTrustedProxy = (address: string) => boolean;

/** @param networks addresses and networks, such as `10.0.0.5` and `10.1.0.0/16` */
export function trustedProxies(networks: readonly string[]): IsTrustedProxy {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/**
 * Where the request has reached the service: `http://host:port`, as its Host says. null where that is no host.
 *
 * Anybody can send any Host, so what is made of it goes to the one who asked and into no shared cache. That TLS has ended
 * in front of the service is believed of a trusted proxy alone, which says so in X-Forwarded-Proto.
 */
export function addressAskedAt(req: Request, isTrustedProxy: IsTrustedProxy): string | null {
  const host = req.get("host") ?? "";
  if (!NAME.test(host) && !IPV6.test(host)) return null;
  // No address of the web has a port that is none, or an IPv6 address that is none.
  if (!URL.canParse(`http://${host}`)) return null;
  const isSecure =
    isTrustedProxy(req.socket.remoteAddress ?? "") && req.get("x-forwarded-proto")?.toLowerCase() === "https";
  return `${isSecure ? "https" : "http"}://${host.toLowerCase()}`;
}
