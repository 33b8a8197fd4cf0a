import { useState } from "react";
import { ask, client } from "../../api/client.ts";
import { useChange } from "../../api/use-change.ts";
import { useSession } from "../../session/session.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Note } from "../../ui/states.tsx";

/** Chooses another password. */
export function PasswordForm() {
  const { email } = useSession();
  const [changes, setChanges] = useState(0);
  const change = useChange(
    (body: { currentPassword: string; newPassword: string }) =>
      ask(() => client.PUT("/security/password", { body })),
    ["listSessions"],
  );
  const fields = change.fault?.fields ?? {};
  const send = async ({ currentPassword = "", newPassword = "" }: Readonly<Record<string, string>>) => {
    if ((await change.send({ currentPassword, newPassword })) !== null) setChanges(changes + 1);
  };
  return (
    <Form key={changes} fault={change.fault} onSend={(values) => void send(values)}>
      {changes > 0 && (
        <Note tone="good">
          <p>The new password holds. Your other sessions have ended.</p>
        </Note>
      )}
      <input type="hidden" name="username" autoComplete="username" defaultValue={email} />
      <Field
        label="Present password"
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        error={fields.currentPassword}
      />
      <Field
        label="New password"
        hint="At least 12 characters."
        name="newPassword"
        type="password"
        autoComplete="new-password"
        error={fields.newPassword}
      />
      <Button type="submit" isPending={change.isPending}>
        Change the password
      </Button>
    </Form>
  );
}
