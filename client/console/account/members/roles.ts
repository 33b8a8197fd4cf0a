/** A role that somebody may have, and what it lets them do. */
interface RoleInWords {
  readonly role: "owner" | "developer" | "billing";
  readonly title: string;
  readonly may: string;
}

export const ROLES: readonly RoleInWords[] = [
  { role: "developer", title: "Developer", may: "sees to keys and orders" },
  { role: "billing", title: "Billing", may: "sees to money and statements" },
  { role: "owner", title: "Owner", may: "may do everything, also invite and remove" },
];

/** What a role is called; one that is not known yet is told as it is. */
export function roleTitle(role: string): string {
  return ROLES.find((one) => one.role === role)?.title ?? role;
}
