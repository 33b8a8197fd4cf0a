import type { components } from "../../../generated/account/types.ts";
import type { InvitationLink } from "../../people/invitations.ts";
import type { Role, UserWithMemberships } from "../../people/person.ts";
import { toApiTime } from "../convert-time.ts";

type Schemas = components["schemas"];

/** @param users each with its membership of the one account */
export function toApiMembers(users: readonly UserWithMemberships[]): Schemas["MemberList"] {
  return {
    members: users.flatMap(({ userId, email, name, hasSecondFactor, memberships }) =>
      memberships.map(({ role }) => ({ userId, email, name, role, hasSecondFactor })),
    ),
  };
}

export function toApiInvitationLink(
  { email, link, expiresAtMs }: InvitationLink,
  role: Role,
): Schemas["InvitationLink"] {
  return { email, role, link, expiresAt: toApiTime(expiresAtMs) };
}
