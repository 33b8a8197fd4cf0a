import { askOnce, client } from "../api/client.ts";
import { useChange } from "../api/use-change.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import type { Session } from "./session.ts";

/** Signs in with e-mail and password. The session may wait for the second factor then. */
export function SignInForm({
  email = "",
  onSignedIn,
}: {
  email?: string;
  onSignedIn: (session: Session) => void;
}) {
  const signIn = useChange((body: { email: string; password: string }) =>
    askOnce(() => client.POST("/session", { body })),
  );
  const fields = signIn.fault?.fields ?? {};
  return (
    <Form
      fault={signIn.fault}
      onSend={async ({ email = "", password = "" }) => {
        const session = await signIn.send({ email, password });
        if (session !== null) onSignedIn(session);
      }}
    >
      <Field
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        error={fields.email}
        required
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        error={fields.password}
        required
      />
      <Button type="submit" look="main" isPending={signIn.isPending}>
        Sign in
      </Button>
    </Form>
  );
}
