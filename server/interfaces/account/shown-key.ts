import type { components } from "../../../generated/account/types.ts";
import { NotFoundError } from "../../errors.ts";
import { parseId } from "../../ids.ts";
import type { ApiKey, KeyProperties } from "../../keys/api-key.ts";
import type { Visitor } from "../visitor.ts";
import { actorOf } from "../visitor.ts";
import { toApiKey } from "./convert-key.ts";
import type { AccountServices } from "./services.ts";
import { membershipOf } from "./session-admission.ts";

/** A key as it is told, with what it has spent today. */
export async function shownKey(
  { keys, clock }: Pick<AccountServices, "keys" | "clock">,
  key: ApiKey,
): Promise<components["schemas"]["Key"]> {
  return toApiKey(key, await keys.spentToday(key.keyId), clock());
}

/** What may be done with the key that a path names. @throws {NotFoundError} it is none of an account of the visitor's. */
export function ownKey(
  { keys }: Pick<AccountServices, "keys">,
  visitor: Visitor,
  path: { readonly accountId: string; readonly keyId: string },
) {
  const { accountId } = membershipOf(visitor.signedIn.memberships, path.accountId);
  const keyId = parseId("key", path.keyId);
  if (keyId === null) throw new NotFoundError("key", path.keyId);
  const own = keys.ofAccount(accountId, actorOf(visitor));
  return {
    get: () => own.get(keyId),
    change: (properties: Partial<KeyProperties>) => own.change(keyId, properties),
    rotate: (overlapMs: number) => own.rotate(keyId, overlapMs),
    endOverlap: () => own.endOverlap(keyId),
    revoke: () => own.revoke(keyId),
  };
}
