import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  declineInterruption,
  endInterruption,
  type Interruption,
  useInterruption,
} from "../api/interruptions.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FactorForm } from "./factor-form.tsx";
import { PasskeySignIn } from "./passkey-button.tsx";
import { becomeSession, getSession, type Session } from "./session.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { StepUpForm } from "./step-up-form.tsx";

const TITLES: Readonly<Record<Interruption, string>> = {
  unauthorized: "Sign in again",
  second_factor_required: "Your second factor",
  step_up_required: "Is it still you?",
};

const WORDS: Readonly<Record<Interruption, string>> = {
  unauthorized: "Your session has ended. What you have entered stays as it is.",
  second_factor_required: "Your second factor, then this goes on.",
  step_up_required:
    "What you are about to do asks for a proof of the last ten minutes. It then goes on by itself.",
};

/** Asks over the page for what a request lacks, and has it go on. */
export function InterruptionDialog() {
  const asked = useInterruption();
  return asked === null ? null : <AskingDialog key={asked} asked={asked} />;
}

function AskingDialog({ asked }: { asked: Interruption }) {
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState<Session | null>(null);
  const kind = waiting !== null ? "second_factor_required" : asked;
  const given = (session: Session) => {
    if (session.waitsForSecondFactor) return setWaiting(session);
    becomeSession(queries, session);
    endInterruption();
  };
  const present = queries.getQueryData(getSession.queryKey);
  const factors = (waiting ?? present)?.secondFactors ?? [];
  return (
    <Dialog isOpen isInterruption title={TITLES[kind]} onClose={declineInterruption}>
      <p>{WORDS[kind]}</p>
      {kind === "unauthorized" && (
        <>
          <SignInForm email={present?.email ?? ""} onSignedIn={given} />
          <PasskeySignIn label="Sign in with a passkey" onGiven={given} />
        </>
      )}
      {kind === "second_factor_required" && <FactorForm factors={factors} onGiven={given} />}
      {kind === "step_up_required" && <StepUpForm onGiven={given} />}
      <div>
        <Button look="quiet" onClick={declineInterruption}>
          Not now
        </Button>
      </div>
    </Dialog>
  );
}
