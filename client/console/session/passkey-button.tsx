import { askOnce, client } from "../api/client.ts";
import { Fault } from "../api/fault.ts";
import { useChange } from "../api/use-change.ts";
import { Button } from "../ui/button.tsx";
import { FaultNote } from "../ui/states.tsx";
import { signWithPasskey, whyNoPasskeys } from "./passkey.ts";
import type { Session } from "./session.ts";

interface PasskeyButtonProps {
  readonly label: string;
  /** Has a passkey sign, and sends that. */
  readonly send: () => Promise<Session>;
  readonly onGiven: (session: Session) => void;
}

function PasskeyButton({ label, send, onGiven }: PasskeyButtonProps) {
  const prove = useChange(send);
  const ask = async () => {
    const session = await prove.send(undefined);
    if (session !== null) onGiven(session);
  };
  return (
    <>
      {prove.fault !== null && <FaultNote fault={prove.fault} />}
      <div>
        <Button whyNot={whyNoPasskeys()} isPending={prove.isPending} onClick={() => void ask()}>
          {label}
        </Button>
      </div>
    </>
  );
}

/** Signs in with whichever passkey the person chooses, and nothing else. */
export function PasskeySignIn(props: Pick<PasskeyButtonProps, "label" | "onGiven">) {
  return <PasskeyButton {...props} send={signIn} />;
}

/** Proves by a passkey of the person who is signed in that it is them. */
export function PasskeyStepUp({ onGiven }: Pick<PasskeyButtonProps, "onGiven">) {
  return <PasskeyButton label="Use a passkey" send={stepUp} onGiven={onGiven} />;
}

async function signIn(): Promise<Session> {
  const challenge = await askOnce(() => client.POST("/session/passkey/challenge"));
  const body = await signWithPasskey(challenge);
  return askOnce(() => client.POST("/session/passkey", { body })).catch((reason: unknown) => {
    // There was no e-mail and no password.
    throw reason instanceof Fault && reason.code === "sign_in_refused"
      ? new Fault("passkey_refused")
      : reason;
  });
}

async function stepUp(): Promise<Session> {
  const challenge = await askOnce(() => client.POST("/session/step-up/passkey/challenge"));
  const body = await signWithPasskey(challenge);
  return askOnce(() => client.POST("/session/step-up/passkey", { body }));
}
