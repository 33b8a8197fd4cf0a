import { isIP } from "node:net";
import type { Request } from "express";
import { cookiesOf } from "../../http/cookies.ts";
import { addressAskedAt, trustedProxies } from "../../http/service-address.ts";
import type { Origin } from "../../people/session.ts";
import { CrossSiteError } from "./refusals.ts";

const COOKIE = "account-session";
/** Browsers take a cookie of such a name only with TLS, for one host and for all of its paths. */
const PREFIX = "__Host-";
/** As long as a session lasts at most. */
const MAX_AGE_SECONDS = 14 * 24 * 60 * 60;
const SAFE_METHODS = new Set(["GET", "HEAD"]);
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Where a request comes from, and how its browser keeps the session's cookie. */
export interface Visit extends Origin {
  /** The cookie that holds a token; null has the browser forget it. */
  cookieOf(token: string | null): string;
}

/** How the service is reached. */
interface VisitOptions {
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly string[];
}

/** What of a request its browser says, or a proxy that is trusted. */
export function createVisits({ publicUrl, trustedProxies: networks }: VisitOptions) {
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
      return cookies.get(PREFIX + COOKIE) ?? (isPlainLoopback(req) ? (cookies.get(COOKIE) ?? null) : null);
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
            `${isPlain ? "" : PREFIX}${COOKIE}=${token ?? ""}`,
            "Path=/",
            "HttpOnly",
            ...(isPlain ? [] : ["Secure"]),
            "SameSite=Strict",
            `Max-Age=${token === null ? 0 : MAX_AGE_SECONDS}`,
          ].join("; "),
      };
    },
  };
}
