import { NotFoundError } from "../../errors.ts";
import { type PasskeyId, parseId } from "../../ids.ts";
import { actorOf } from "../visitor.ts";
import { toApiPasskey } from "./convert-passkey.ts";
import { operation } from "./operation.ts";

export const renamePasskey = operation("renamePasskey", async ({ path, body, principal }, { people }) =>
  toApiPasskey(await people.passkeys.rename(passkeyIdOf(path), body.name, actorOf(principal))),
);

/** @throws {NotFoundError} it can be no passkey's. */
export function passkeyIdOf({ passkeyId: text }: { readonly passkeyId: string }): PasskeyId {
  const passkeyId = parseId("psk", text);
  if (passkeyId === null) throw new NotFoundError("passkey", text);
  return passkeyId;
}
