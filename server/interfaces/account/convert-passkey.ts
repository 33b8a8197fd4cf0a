import type { components } from "../../../generated/account/types.ts";
import type { Passkey, PasskeyProof } from "../../people/passkey.ts";
import type { PasskeyChallenge } from "../../people/passkeys.ts";
import { toApiTime } from "../convert-time.ts";

type Schemas = components["schemas"];

export function toApiPasskey({
  passkeyId,
  name,
  createdAtMs,
  lastUsedAtMs,
}: Omit<Passkey, "userId">): Schemas["Passkey"] {
  return {
    passkeyId,
    name,
    createdAt: toApiTime(createdAtMs),
    lastUsedAt: lastUsedAtMs === null ? null : toApiTime(lastUsedAtMs),
  };
}

export function toApiPasskeyChallenge({
  challenge,
  allowedCredentials,
}: PasskeyChallenge): Schemas["PasskeyChallenge"] {
  return { challenge, allowedCredentials: [...allowedCredentials] };
}

export function toPasskeyProof({
  credentialId,
  clientDataJSON,
  authenticatorData,
  signature,
  userHandle = null,
}: Schemas["PasskeyProof"]): PasskeyProof {
  return { credentialId, clientDataJSON, authenticatorData, signature, userHandle };
}
