import { useState } from "react";
import type { components } from "../../../generated/account/types.ts";
import { useChange } from "../api/use-change.ts";
import { Button, Buttons } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import type { Session } from "./session.ts";

/** What proves who somebody is. */
export type Proof = components["schemas"]["Proof"];

interface ProofFormProps {
  /** The ways to prove it, the usual one first. */
  readonly kinds: readonly Proof["kind"][];
  readonly send: (proof: Proof) => Promise<Session>;
  readonly onProven: (session: Session) => void;
}

const FIELDS: Readonly<Record<Proof["kind"], { label: string; hint?: string; other: string }>> = {
  password: { label: "Your password", other: "Use the password" },
  totp: { label: "Code", hint: "The six digits that your app shows now.", other: "Use the app" },
  recovery_code: {
    label: "Recovery code",
    hint: "One of those that you have stored. Each is good once.",
    other: "Use a recovery code",
  },
};

/** Asks for a proof, in one of several ways. */
export function ProofForm({ kinds, send, onProven }: ProofFormProps) {
  const [index, setIndex] = useState(0);
  const prove = useChange(send);
  const kind = kinds[index] ?? "password";
  const { label, hint } = FIELDS[kind];
  const other = kinds[(index + 1) % kinds.length];
  const wrong = prove.fault?.code === "wrong_code" ? "That is not right." : undefined;
  return (
    <Form
      fault={prove.fault}
      onSend={async ({ value = "" }) => {
        const session = await prove.send({
          kind,
          value: kind === "totp" ? value.replaceAll(/\s/g, "") : value,
        });
        if (session !== null) onProven(session);
      }}
    >
      <Field
        key={kind}
        label={label}
        hint={hint}
        name="value"
        type={kind === "password" ? "password" : "text"}
        inputMode={kind === "totp" ? "numeric" : undefined}
        autoComplete={kind === "password" ? "current-password" : "one-time-code"}
        error={prove.fault?.fields.value ?? wrong}
        required
      />
      <Buttons>
        <Button type="submit" look="main" isPending={prove.isPending}>
          Go on
        </Button>
        {other !== undefined && other !== kind && (
          <Button onClick={() => setIndex((index + 1) % kinds.length)}>{FIELDS[other].other}</Button>
        )}
      </Buttons>
    </Form>
  );
}
