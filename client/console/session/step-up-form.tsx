import { useQuery } from "@tanstack/react-query";
import { askOnce, client } from "../api/client.ts";
import { Found } from "../ui/states.tsx";
import { PasskeyStepUp } from "./passkey-button.tsx";
import { type Proof, ProofForm } from "./proof-form.tsx";
import type { Session } from "./session.ts";

/** Proves once more who the person is: by the second factor where there is one, else by the password. */
export function StepUpForm({ onGiven }: { onGiven: (session: Session) => void }) {
  // It waits for nothing else that the person is asked for.
  const security = useQuery({
    queryKey: ["getSecurity", "for a step-up"],
    queryFn: () => askOnce(() => client.GET("/security")),
    gcTime: 0,
  });
  return (
    <Found query={security}>
      {({ hasTotp, hasPasskeys }) => (
        <>
          {hasPasskeys && <PasskeyStepUp onGiven={onGiven} />}
          <ProofForm
            kinds={kindsOf(hasTotp, hasPasskeys)}
            send={(body) => askOnce(() => client.POST("/session/step-up", { body }))}
            onProven={onGiven}
          />
        </>
      )}
    </Found>
  );
}

function kindsOf(hasTotp: boolean, hasPasskeys: boolean): Proof["kind"][] {
  if (hasTotp) return ["totp", "recovery_code"];
  return hasPasskeys ? ["recovery_code"] : ["password"];
}
