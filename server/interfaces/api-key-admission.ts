import type { Request, Response } from "express";
import type { Admission } from "../http/admission.ts";
import type { RateLimit, RateLimitStatus } from "../http/rate-limit.ts";
import { contextOf } from "../http/request-context.ts";
import { type Caller, SCOPES, type Scope } from "../keys/api-key.ts";
import type { Keys } from "../keys/keys.ts";
import { InsufficientScopeError, RateLimitedError, UnauthorizedError } from "./admission-errors.ts";

const BEARER = /^Bearer +([^\s]+)$/i;

/** How an interface that is called with API keys lets callers in. */
export interface ApiKeyRules {
  readonly keys: Pick<Keys, "authenticate">;
  readonly rateLimit: RateLimit;
  /** What a request carries as keys. One may come several times; which of two that differ is meant is not guessed. */
  presentedKeys(req: Request): readonly string[];
  /** What a caller without a valid key should do. */
  readonly howToAuthenticate: string;
  /** Whether a key of the wrong kind is refused before it is counted, like no key at all, or only afterwards. */
  readonly countsForbiddenKeys: boolean;
  /** Tells the caller how the account stands, where the interface has headers for it. */
  setRateLimitHeaders?(res: Response, rateLimitStatus: RateLimitStatus): void;
}

/** The key of `Authorization: Bearer <key>`, as a list of none or one. */
export function bearerSecret(req: Request): string[] {
  const secret = BEARER.exec(req.get("authorization") ?? "")?.[1];
  return secret === undefined ? [] : [secret];
}

/**
 * Lets in by an API key: key (401), rate (429), scope (403, or 401 before the rate where the interface says so).
 * Its admission throws {@link UnauthorizedError}, {@link RateLimitedError} or {@link InsufficientScopeError}.
 */
export function admitByApiKey(rules: ApiKeyRules): Admission<Caller> {
  const { keys, rateLimit, countsForbiddenKeys, howToAuthenticate } = rules;
  return async (req, res, scopes) => {
    const [secret, ...others] = new Set(rules.presentedKeys(req));
    if (others.length > 0) throw new UnauthorizedError("The request carries API keys that differ: send one.");
    const caller = secret === undefined ? null : await keys.authenticate(secret);
    if (caller === null) throw new UnauthorizedError(howToAuthenticate);
    const context = contextOf(res);
    context.principalInLog = { keyId: caller.keyId };
    context.account = caller.accountId;
    const mayCall = scopes.every((scope) => SCOPES[caller.kind].includes(scope as Scope));
    if (!mayCall && !countsForbiddenKeys) throw new InsufficientScopeError(scopes);
    const rateLimitStatus = await rateLimit.count(caller);
    rules.setRateLimitHeaders?.(res, rateLimitStatus);
    if (rateLimitStatus.exceeded) throw new RateLimitedError(rateLimitStatus);
    if (!mayCall) throw new InsufficientScopeError(scopes);
    return caller;
  };
}
