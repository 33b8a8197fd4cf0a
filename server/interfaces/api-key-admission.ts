import type { Request, Response } from "express";
import { InsufficientScopeError, RateLimitedError, UnauthorizedError } from "../http/errors.ts";
import type { RateLimit, RateStanding } from "../http/rate-limit.ts";
import { contextOf } from "../http/request-context.ts";
import { SCOPES, type Scope } from "../keys/api-key.ts";
import type { Keys } from "../keys/keys.ts";

const BEARER = /^Bearer +([^\s]+)$/i;

/** How an interface lets callers in. */
export interface AdmissionRules {
  /** What a request carries as keys; the first valid one counts. */
  secretsOf(req: Request): readonly string[];
  /** Whether a key of the wrong kind is refused before it is counted, like no key at all, or only afterwards. */
  readonly countsWrongKinds: boolean;
  /** Tells the caller how the account stands, where the interface has headers for it. */
  tellStanding?(res: Response, standing: RateStanding): void;
}

interface Options {
  readonly keys: Keys;
  readonly rateLimit: RateLimit;
  readonly rules: AdmissionRules;
  /** Reads the body of a request that is let in, so that nobody else can make the service read any. */
  readBody(req: Request, res: Response): Promise<void>;
}

/** The key of `Authorization: Bearer <key>`, as a list of none or one. */
export function bearerSecret(req: Request): string[] {
  const secret = BEARER.exec(req.get("authorization") ?? "")?.[1];
  return secret === undefined ? [] : [secret];
}

/**
 * Decides whether a request may pass: key (401), rate (429), scope (403, or 401 before the rate where the interface says
 * so). Called by the validator with the scopes that the document asks for, once for each way to give a key. Why it
 * refused is left in the request's context.
 */
export function createSecurityHandler({ keys, rateLimit, rules, readBody }: Options) {
  async function admit(req: Request, res: Response, scopes: string[]): Promise<void> {
    const context = contextOf(res);
    const caller = await firstCaller(keys, rules.secretsOf(req));
    if (caller === null) throw new UnauthorizedError();
    context.caller = caller;
    const mayCall = scopes.every((scope) => SCOPES[caller.kind].includes(scope as Scope));
    if (!mayCall && !rules.countsWrongKinds) throw new InsufficientScopeError(scopes);
    const standing = await rateLimit.count(caller);
    rules.tellStanding?.(res, standing);
    if (standing.exceeded) throw new RateLimitedError(standing);
    if (!mayCall) throw new InsufficientScopeError(scopes);
    await readBody(req, res);
  }

  return (req: Request, scopes: string[]): Promise<boolean> => {
    if (req.res === undefined) throw new Error("A request has no response.");
    const context = contextOf(req.res);
    context.admission ??= admit(req, req.res, scopes).then(
      () => true,
      (error: unknown) => {
        context.refusal = error;
        return false;
      },
    );
    return context.admission;
  };
}

async function firstCaller(keys: Keys, secrets: readonly string[]) {
  for (const secret of secrets) {
    const caller = await keys.authenticate(secret);
    if (caller !== null) return caller;
  }
  return null;
}
