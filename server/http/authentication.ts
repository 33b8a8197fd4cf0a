import type { Request } from "express";
import { SCOPES, type Scope } from "../keys/api-key.ts";
import type { Keys } from "../keys/keys.ts";
import { InsufficientScopeError, UnauthorizedError } from "./errors.ts";
import type { RateLimit } from "./rate-limit.ts";
import { contextOf } from "./request-context.ts";

const BEARER = /^Bearer +([^\s]+)$/i;

/**
 * Decides whether a request may pass, in the order that the interface promises: key (401), rate (429), scope (403).
 * Called by the validator with the scopes that the document asks for. Why it refused is left in the request's context.
 */
export function createSecurityHandler({ keys, rateLimit }: { keys: Keys; rateLimit: RateLimit }) {
  return async (req: Request, scopes: string[]): Promise<boolean> => {
    if (req.res === undefined) throw new Error("A request has no response.");
    const context = contextOf(req.res);
    try {
      const secret = BEARER.exec(req.get("authorization") ?? "")?.[1];
      const caller = secret === undefined ? null : await keys.authenticate(secret);
      if (caller === null) throw new UnauthorizedError();
      context.caller = caller;
      await rateLimit.count(caller);
      if (!scopes.every((scope) => SCOPES[caller.kind].includes(scope as Scope))) {
        throw new InsufficientScopeError(scopes);
      }
      return true;
    } catch (error) {
      context.refusal = error;
      return false;
    }
  };
}
