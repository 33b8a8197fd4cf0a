import type { Request, RequestHandler, Response, Router } from "express";
import type { OpenAPIV3 } from "express-openapi-validator/dist/framework/types.js";
import { createInterface, type InterfaceOptions } from "../../http/interface.ts";
import type { RateStanding } from "../../http/rate-limit.ts";
import { contextOf } from "../../http/request-context.ts";
import { bearerSecret } from "../api-key-admission.ts";
import { toProxyErrorAnswer } from "./errors.ts";
import { PROXY_HANDLERS, PROXY_RAW_HANDLERS } from "./handlers.ts";

/** The names that the operator may choose. */
export interface ProxyHeaderNames {
  /** The third header that a key may be in, in lower case. */
  readonly token: string;
  /** What the names of the headers about the rate limit begin with. */
  readonly rateLimitPrefix: string;
}

/** Answers everything that no other interface owns: its base is the root. */
export function createProxyInterface(options: InterfaceOptions, names: ProxyHeaderNames): Router {
  return createInterface(
    {
      name: "proxy",
      owns: () => true,
      adapt: nameOneKey,
      first: requestIdOfVendor,
      body: { limit: "32mb", keepsBytes: true },
      admission: {
        secretsOf: (req) => secretsOf(req, names.token),
        countsWrongKinds: false,
        tellStanding: (res, standing) => tellStanding(res, standing, names.rateLimitPrefix),
      },
      handlers: PROXY_HANDLERS,
      rawHandlers: PROXY_RAW_HANDLERS,
      toErrorAnswer: toProxyErrorAnswer,
    },
    options,
  );
}

/**
 * Tells the validator of one way to give a key in place of three. It looks for each by itself and makes an error, with its
 * stack, for each that a request does not use, which took a twentieth of a message's time. The security handler looks in all.
 */
function nameOneKey({ components, paths }: OpenAPIV3.DocumentV3_1): void {
  components.securitySchemes = { key: { type: "http", scheme: "any" } };
  for (const path of Object.values(paths ?? {})) {
    for (const operation of [path.get, path.post]) {
      if (operation?.security?.length) operation.security = [{ key: scopesOf(operation.security) }];
    }
  }
}

function scopesOf(ways: readonly OpenAPIV3.SecurityRequirementObject[]): string[] {
  const [scopes = [], ...others] = ways.map((way) => Object.values(way).flat());
  if (others.some((other) => other.join() !== scopes.join()))
    throw new Error("The ways to give a key must ask for the same scopes.");
  return scopes;
}

/** Names the request under the header that vendor SDKs read. */
const requestIdOfVendor: RequestHandler = (_req, res, next) => {
  res.setHeader("Request-Id", contextOf(res).requestId);
  next();
};

function secretsOf(req: Request, tokenHeader: string): string[] {
  const [apiKey, token] = [req.get("x-api-key"), req.get(tokenHeader)];
  return [apiKey, ...bearerSecret(req), token].filter((secret) => secret !== undefined);
}

function tellStanding(
  res: Response,
  { limit, remaining, resetMs }: RateStanding,
  rateLimitPrefix: string,
): void {
  res.setHeader(`${rateLimitPrefix}-requests-limit`, limit);
  res.setHeader(`${rateLimitPrefix}-requests-remaining`, remaining);
  res.setHeader(`${rateLimitPrefix}-requests-reset`, new Date(Date.now() + resetMs).toISOString());
}
