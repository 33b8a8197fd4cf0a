import { useQuery } from "@tanstack/react-query";
import type { components } from "../../../generated/account/types.ts";
import { askOnce, client } from "../api/client.ts";
import { useChange } from "../api/use-change.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { Found } from "../ui/states.tsx";
import { timeText } from "../ui/time.tsx";
import { roleWords } from "../ui/words.ts";
import { Door } from "./door.tsx";
import type { Session } from "./session.ts";

type Invitation = components["schemas"]["Invitation"];

interface AcceptInvitationProps {
  readonly token: string;
  readonly onSignedIn: (session: Session) => void;
}

/** What a link is for, and the form that uses it; who has used it is signed in at once. */
export function AcceptInvitation({ token, onSignedIn }: AcceptInvitationProps) {
  const invitation = useQuery({
    queryKey: ["showInvitation", token],
    queryFn: () => askOnce(() => client.POST("/invitation", { body: { token } })),
    gcTime: 0,
  });
  const isReset = invitation.data?.accountName === null;
  return (
    <Door title={isReset ? "Choose a new password" : "You are invited"}>
      <Found query={invitation}>
        {(found) => (
          <>
            <p>{purposeOf(found)}</p>
            <AcceptanceForm token={token} invitation={found} onSignedIn={onSignedIn} />
            <p>This link works until {timeText(found.expiresAt)}.</p>
          </>
        )}
      </Found>
    </Door>
  );
}

function purposeOf({ email, accountName, role }: Invitation): string {
  if (accountName === null) return `For ${email}.`;
  return `${email} becomes ${role === null ? "a member" : roleWords(role)} of ${accountName}.`;
}

function AcceptanceForm({
  token,
  invitation,
  onSignedIn,
}: AcceptInvitationProps & { invitation: Invitation }) {
  const { email, accountName, hasPassword } = invitation;
  const isNew = accountName !== null && !hasPassword;
  const accept = useChange(async ({ name, password }: { name: string; password: string }) => {
    const body = { token, password, ...(isNew && { name }) };
    const { email } = await askOnce(() => client.POST("/invitation/acceptance", { body }));
    return askOnce(() => client.POST("/session", { body: { email, password } }));
  });
  const fields = accept.fault?.fields ?? {};
  const send = async ({ name = "", password = "" }: Readonly<Record<string, string>>) => {
    const session = await accept.send({ name, password });
    if (session !== null) onSignedIn(session);
  };
  return (
    <Form fault={accept.fault} onSend={(values) => void send(values)}>
      <input type="hidden" name="username" autoComplete="username" defaultValue={email} />
      {isNew && <Field label="Your name" name="name" autoComplete="name" error={fields.name} required />}
      <Field
        label={hasPassword ? "Your password" : "Password"}
        hint={hasPassword ? "The one that you have here already." : "At least 12 characters."}
        name="password"
        type="password"
        autoComplete={hasPassword ? "current-password" : "new-password"}
        error={fields.password}
        required
      />
      <Button type="submit" look="main" isPending={accept.isPending}>
        {accountName === null ? "Set the password" : "Accept"}
      </Button>
    </Form>
  );
}
