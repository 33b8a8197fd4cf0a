import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { components } from "../../../../generated/account/types.ts";
import { listMembers } from "../../api/queries.ts";
import { useSession } from "../../session/session.ts";
import { Button } from "../../ui/button.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Found } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useAccount } from "../account.ts";
import { InviteDialog } from "./invite-dialog.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { roleTitle } from "./roles.ts";

type Member = components["schemas"]["Member"];

const NOT_AN_OWNER = "Only owners may do this.";

/** Who may work with the account; owners invite and remove. */
export default function MembersPage() {
  const { accountId, role } = useAccount();
  const members = useQuery(listMembers(accountId));
  const [invited, setInvited] = useState<{ readonly email: string } | null>(null);
  const [removed, setRemoved] = useState<Member | null>(null);
  const whyNot = role === "owner" ? null : NOT_AN_OWNER;
  return (
    <Page
      title="Members"
      actions={
        <Button look="main" whyNot={whyNot} onClick={() => setInvited({ email: "" })}>
          Invite somebody
        </Button>
      }
    >
      <Section title="Who may work with this account">
        <Found query={members}>
          {({ members }) => (
            <Table
              caption="Members, by e-mail"
              columns={whyNot === null ? [...COLUMNS, actionsColumn(setInvited, setRemoved)] : COLUMNS}
              rows={members}
              idOf={({ userId }) => userId}
            />
          )}
        </Found>
      </Section>
      <InviteDialog invited={invited} onClose={() => setInvited(null)} />
      <RemoveDialog member={removed} onClose={() => setRemoved(null)} />
    </Page>
  );
}

const COLUMNS: readonly Column<Member>[] = [
  { title: "Name", show: (member) => <Name member={member} /> },
  { title: "E-mail", show: ({ email }) => email },
  { title: "Role", show: ({ role }) => roleTitle(role) },
  { title: "Second factor", show: ({ hasSecondFactor }) => (hasSecondFactor ? "Yes" : "No") },
];

function Name({ member: { userId, name } }: { member: Member }) {
  const { userId: own } = useSession();
  return userId === own ? `${name} (you)` : name;
}

function actionsColumn(
  onInvite: (member: Member) => void,
  onRemove: (member: Member) => void,
): Column<Member> {
  return {
    title: "Change",
    show: (member) => (
      <>
        <Button
          look="quiet"
          onClick={() => onInvite(member)}
          aria-label={`Change the role of ${member.email}`}
        >
          Role …
        </Button>{" "}
        <Button look="quiet" onClick={() => onRemove(member)} aria-label={`Remove ${member.email}`}>
          Remove …
        </Button>
      </>
    ),
  };
}
