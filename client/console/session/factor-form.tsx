import { askOnce, client } from "../api/client.ts";
import { PasskeySignIn } from "./passkey-button.tsx";
import { ProofForm } from "./proof-form.tsx";
import type { Session } from "./session.ts";

interface FactorFormProps {
  /** Which second factors the person has. */
  readonly factors: Session["secondFactors"];
  readonly onGiven: (session: Session) => void;
}

/** Gives the second factor that a session waits for; a passkey begins another one, which waits for nothing. */
export function FactorForm({ factors, onGiven }: FactorFormProps) {
  return (
    <>
      {factors.includes("passkey") && <PasskeySignIn label="Use a passkey" onGiven={onGiven} />}
      <ProofForm
        kinds={factors.includes("totp") ? ["totp", "recovery_code"] : ["recovery_code"]}
        send={(body) => askOnce(() => client.POST("/session/factor", { body }))}
        onProven={onGiven}
      />
    </>
  );
}
