import { useState } from "react";
import type { components } from "../../../../generated/account/types.ts";
import { ask, client } from "../../api/client.ts";
import { useChange } from "../../api/use-change.ts";
import { Button, Buttons } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Choice, Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Note } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useAccount } from "../account.ts";
import styles from "./invite-dialog.module.css";
import { ROLES, roleTitle } from "./roles.ts";

type Request = components["schemas"]["InvitationRequest"];
type InvitationLink = components["schemas"]["InvitationLink"];

interface InviteDialogProps {
  /** Who is to be invited, as far as that is known; null: nobody. */
  readonly invited: { readonly email: string; readonly role?: string } | null;
  readonly onClose: () => void;
}

/** Asks whom to invite, then shows the link that is passed on to them. */
export function InviteDialog({ invited, onClose }: InviteDialogProps) {
  const [link, setLink] = useState<InvitationLink | null>(null);
  const close = () => {
    setLink(null);
    onClose();
  };
  const isMember = (invited?.email ?? "") !== "";
  const title = isMember ? "Change the role" : "Invite somebody";
  return (
    <Dialog
      isOpen={invited !== null}
      title={link === null ? title : `The link for ${link.email}`}
      staysOpen={link !== null}
      onClose={close}
    >
      {link === null ? (
        <InviteForm invited={invited} onMade={setLink} onClose={close} />
      ) : (
        <Made link={link} onClose={close} />
      )}
    </Dialog>
  );
}

interface InviteFormProps extends InviteDialogProps {
  readonly onMade: (link: InvitationLink) => void;
}

function InviteForm({ invited, onMade, onClose }: InviteFormProps) {
  const { accountId } = useAccount();
  const invite = useChange((body: Request) =>
    ask(() => client.POST("/accounts/{accountId}/invitations", { params: { path: { accountId } }, body })),
  );
  const send = async ({ email = "", role = "" }: Readonly<Record<string, string>>) => {
    const chosen = ROLES.find((one) => one.role === role)?.role ?? "developer";
    const made = await invite.send({ email, role: chosen });
    if (made !== null) onMade(made);
  };
  const { fields = {} } = invite.fault ?? {};
  const { email = "", role = "developer" } = invited ?? {};
  return (
    <Form onSend={send} fault={invite.fault}>
      <Field
        label="E-mail"
        name="email"
        type="email"
        autoComplete="off"
        defaultValue={email}
        readOnly={email !== ""}
        error={fields.email}
        hint="They sign in with it. No mail is sent: you get a link to pass on."
      />
      <Choice label="Role" name="role" defaultValue={role} error={fields.role}>
        {ROLES.map(({ role, title, may }) => (
          <option key={role} value={role}>
            {title}: {may}
          </option>
        ))}
      </Choice>
      <Buttons>
        <Button type="submit" look="main" isPending={invite.isPending}>
          Make the link
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </Buttons>
    </Form>
  );
}

function Made({
  link: { email, role, link, expiresAt },
  onClose,
}: {
  link: InvitationLink;
  onClose: () => void;
}) {
  return (
    <>
      <Note tone="warn">
        Pass it on to {email} and nobody else: whoever opens it gets the role {roleTitle(role)}. It works
        once, until <Time at={expiresAt} />, and is not shown again.
      </Note>
      <p className={styles.link}>
        <code>{link}</code>
      </p>
      <Buttons>
        <CopyButton text={link} label="Copy the link" />
        <Button look="main" onClick={onClose}>
          Done
        </Button>
      </Buttons>
    </>
  );
}
