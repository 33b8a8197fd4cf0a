import type { Request, Response } from "express";
import type { Config } from "../../config.ts";
import { createInterface, type Interface } from "../../http/interface.ts";
import type { InterfaceDefinition, InterfaceOptions } from "../../http/interface-definition.ts";
import type { RateLimit, RateLimitStatus } from "../../http/rate-limit.ts";
import type { Caller } from "../../keys/api-key.ts";
import type { Keys } from "../../keys/keys.ts";
import { InsufficientBalanceError } from "../../ledger/errors.ts";
import { UnknownModelError } from "../../messages/errors.ts";
import { admitByApiKey, bearerSecret } from "../api-key-admission.ts";
import { readDocument } from "../read-document.ts";
import { toProxyErrorAnswer } from "./errors.ts";
import { PROXY_HANDLERS } from "./handlers.ts";
import { toProxyPath, unknownProxyPath } from "./paths.ts";
import type { ProxyServices } from "./services.ts";

/** The names that the operator may choose. */
export interface ProxyHeaderNames {
  /** The third header that a key may be in, in lower case. */
  readonly token: string;
  /** What the names of the headers about the rate limit begin with. */
  readonly rateLimitPrefix: string;
}

/** What this interface is made of. */
interface ProxyParts {
  readonly services: ProxyServices & { readonly keys: Pick<Keys, "authenticate"> };
  readonly rateLimit: RateLimit;
  /** As the document names them when not given. */
  readonly proxyHeaders?: ProxyHeaderNames | undefined;
  /** The origins whose pages may call. */
  readonly proxyCorsOrigins?: Config["proxyCorsOrigins"];
}

const DOCUMENTED_HEADERS: ProxyHeaderNames = {
  token: "proxy-token",
  rateLimitPrefix: "anthropic-ratelimit",
};

/** The AI proxy: it answers everything that no other interface owns, since its base is the root. */
export function proxyInterface(
  { services, rateLimit, proxyHeaders: names = DOCUMENTED_HEADERS, proxyCorsOrigins }: ProxyParts,
  options: InterfaceOptions,
): Interface {
  const definition: InterfaceDefinition<ProxyServices> = {
    name: "proxy",
    document: readDocument("proxy"),
    bodyLimits: { json: "32mb" },
    admit: admitByApiKey({
      keys: services.keys,
      rateLimit,
      presentedKeys: (req) => presentedKeys(req, names.token),
      howToAuthenticate: "Send a valid API key: x-api-key: <API_KEY>.",
      countsForbiddenKeys: false,
      setRateLimitHeaders: (res, rateLimitStatus) =>
        setRateLimitHeaders(res, rateLimitStatus, names.rateLimitPrefix),
    }),
    async admitLargeBody(principal) {
      const { accountId } = principal as Caller;
      const { balanceMicrocents, reservedMicrocents } = await services.accounts.get(accountId);
      if (balanceMicrocents <= reservedMicrocents) throw InsufficientBalanceError.ofLargeRequest();
    },
    earlyField: {
      name: "model",
      async admit(modelId) {
        if ((await services.models.findOffered(modelId)) === null) throw new UnknownModelError(modelId);
      },
    },
    judgingThread: new URL("./judging-thread.ts", import.meta.url),
    // Vendor SDKs read the name of a request here.
    extraHeaders: (requestId) => ({ "Request-Id": requestId }),
    handlers: PROXY_HANDLERS,
    services,
    toErrorAnswer: toProxyErrorAnswer,
    toOwnPath: toProxyPath,
    unknownPath: unknownProxyPath,
    corsOrigins: proxyCorsOrigins,
    toOwnHeader: (name) => name.replace(DOCUMENTED_HEADERS.rateLimitPrefix, names.rateLimitPrefix),
  };
  return createInterface(definition, options);
}

/** A header that is empty carries no key. */
function presentedKeys(req: Request, tokenHeader: string): string[] {
  const [apiKey, token] = [req.get("x-api-key"), req.get(tokenHeader)];
  return [apiKey, ...bearerSecret(req), token].filter((secret) => secret !== undefined).filter(Boolean);
}

function setRateLimitHeaders(
  res: Response,
  { limit, remaining, resetMs }: RateLimitStatus,
  rateLimitPrefix: string,
): void {
  res.setHeader(`${rateLimitPrefix}-requests-limit`, limit);
  res.setHeader(`${rateLimitPrefix}-requests-remaining`, remaining);
  res.setHeader(`${rateLimitPrefix}-requests-reset`, new Date(Date.now() + resetMs).toISOString());
}
