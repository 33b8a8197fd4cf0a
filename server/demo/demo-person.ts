import type { Services } from "../compose.ts";
import type { AccountId } from "../ids.ts";
import type { InvitationLink } from "../people/invitations.ts";

/** Who owns the demo account, and signs in to its account center. */
export interface DemoPerson {
  readonly email: string;
  /** Lets them in; null when they have chosen their password already. */
  readonly invitation: InvitationLink | null;
}

const EMAIL = "demo@buyer.example";

/** Invites somebody to own the demo account, anew at every start until it has an owner; an earlier link ends with that. */
export async function ensureDemoPerson(
  { people }: Pick<Services, "people">,
  accountId: AccountId,
): Promise<DemoPerson> {
  const owners = (await people.list(accountId))
    .filter(({ memberships }) => memberships.some(({ role }) => role === "owner"))
    .map(({ email }) => email);
  const [owner] = owners;
  if (owner !== undefined) return { email: owners.includes(EMAIL) ? EMAIL : owner, invitation: null };
  return { email: EMAIL, invitation: await people.invitations.invite(EMAIL, accountId, "owner") };
}
