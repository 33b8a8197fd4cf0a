import type { Accounts } from "../../accounts/accounts.ts";
import type { Admission } from "../../http/admission.ts";
import { cookiesOf } from "../../http/cookies.ts";
import { contextOf } from "../../http/request-context.ts";
import type { KeyKind } from "../../keys/api-key.ts";
import type { Keys } from "../../keys/keys.ts";
import { InsufficientScopeError, UnauthorizedError } from "../admission-errors.ts";

/** Whom this interface lets in. */
export interface Guest {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** What sessions are looked up in. */
interface SessionSources {
  readonly keys: Pick<Keys, "authenticate">;
  readonly accounts: Pick<Accounts, "get">;
}

const COOKIE = "guestbook-session";
const SCOPES: Readonly<Record<KeyKind, readonly string[]>> = {
  general: ["guest", "host"],
  product_ordering: ["guest"],
  ai_proxy: ["guest"],
};

/**
 * Lets in by the cookie of a session, without a limit of requests. The session is the API key of a buyer, who is the guest:
 * a store of sessions would show nothing more of interfaces.
 * Its admission throws {@link UnauthorizedError} or {@link InsufficientScopeError}.
 */
export function admitBySession({ keys, accounts }: SessionSources): Admission<Guest> {
  return async (req, res, needed) => {
    const caller = await keys.authenticate(cookiesOf(req).get(COOKIE) ?? "");
    if (caller === null) throw new UnauthorizedError("Sign in first.");
    contextOf(res).principalInLog = { keyId: caller.keyId };
    const { name } = await accounts.get(caller.accountId);
    const scopes = SCOPES[caller.kind];
    if (!needed.every((scope) => scopes.includes(scope))) throw new InsufficientScopeError(needed);
    return { name, scopes };
  };
}
