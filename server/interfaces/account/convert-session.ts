import type { components } from "../../../generated/account/types.ts";
import type { ShownInvitation } from "../../people/invitations.ts";
import type { Proof, SignedIn } from "../../people/session.ts";
import { toSessionFields } from "../convert-session.ts";
import { toApiTime } from "../convert-time.ts";

type Schemas = components["schemas"];

export function toApiSession(signedIn: SignedIn, nowMs: number): Schemas["Session"] {
  const { memberships } = signedIn;
  return {
    ...toSessionFields(signedIn, nowMs),
    memberships: memberships.map(({ accountId, accountName, role }) => ({ accountId, accountName, role })),
  };
}

export function toApiInvitation(invitation: ShownInvitation): Schemas["Invitation"] {
  const { email, accountName, membership, hasPassword, expiresAtMs } = invitation;
  return {
    email,
    accountName,
    role: membership?.role ?? null,
    hasPassword,
    expiresAt: toApiTime(expiresAtMs),
  };
}

export function toProof({ kind, value }: Schemas["Proof"]): Proof {
  return kind === "password" ? { kind, password: value } : { kind, code: value };
}
