import { isIP } from "node:net";
import type { Request } from "express";
import { cookiesOf } from "../http/cookies.ts";
import { addressAskedAt, trustedProxies } from "../http/service-address.ts";
import { type Audience, type Origin, SESSION_LIMITS } from "../people/session.ts";
import { CrossSiteError } from "./session-refusals.ts";

/** Browsers take a cookie of such a name only with TLS, for one host and for all of its paths. */
const PREFIX = "__Host-";
const SAFE_METHODS = new Set(["GET", "HEAD"]);
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Where a request comes from, and how its browser keeps the session's cookie. */
export interface Visit extends Origin {
  /** The cookie that holds a token; null has the browser forget it. */
  cookieOf(token: string | null): string;
}

/** Whose page it is, and how it is reached. */
interface VisitOptions {
  readonly audience: Audience;
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly string[];
}

/** What of a request its browser says, or a proxy that is trusted. */
export function createVisits({ audience, publicUrl, trustedProxies: networks }: VisitOptions) {
  // Cookies do not tell ports apart, so each page has one of its own.
  const cookie = `${audience}-session`;
  const maxAgeSeconds = SESSION_LIMITS[audience].lifeMs / 1000;
  const isTrusted = trustedProxies(networks);
  const ownOrigin = (req: Request) =>
    publicUrl === null ? addressAskedAt(req, isTrusted) : new URL(publicUrl).origin;
  /** On this machine alone and without TLS a browser takes no cookie with the prefix. */
  const isPlainLoopback = (req: Request) => LOOPBACK.test(ownOrigin(req) ?? "");

  /** The nearest address that is none of a trusted proxy. */
  function addressOf(req: Request): string {
    const passed = (req.get("x-forwarded-for") ?? "").split(",").map((address) => address.trim());
    const { remoteAddress = "" } = req.socket;
    const addresses = [...passed.filter((address) => isIP(address) !== 0), remoteAddress];
    return addresses.findLast((address) => !isTrusted(address)) ?? remoteAddress;
  }

  return {
    /** The session's token; null when there is none. */
    tokenOf(req: Request): string | null {
      const cookies = cookiesOf(req);
      return cookies.get(PREFIX + cookie) ?? (isPlainLoopback(req) ? (cookies.get(cookie) ?? null) : null);
    },

    /** @throws {CrossSiteError} it may change something, and comes from elsewhere than from a page of the service. */
    checkOrigin(req: Request): void {
      if (SAFE_METHODS.has(req.method)) return;
      const site = req.get("sec-fetch-site");
      const isOwn = site === undefined ? req.get("origin") === ownOrigin(req) : site === "same-origin";
      if (!isOwn) throw new CrossSiteError();
    },

    of(req: Request): Visit {
      const isPlain = isPlainLoopback(req);
      return {
        address: addressOf(req),
        userAgent: req.get("user-agent") ?? "",
        cookieOf: (token) =>
          [
            `${isPlain ? "" : PREFIX}${cookie}=${token ?? ""}`,
            "Path=/",
            "HttpOnly",
            ...(isPlain ? [] : ["Secure"]),
            "SameSite=Strict",
            `Max-Age=${token === null ? 0 : maxAgeSeconds}`,
          ].join("; "),
      };
    },
  };
}
