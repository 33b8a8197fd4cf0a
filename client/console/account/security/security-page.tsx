import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getSecurity } from "../../api/queries.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Found } from "../../ui/states.tsx";
import { Passkeys } from "./passkeys.tsx";
import { PasswordForm } from "./password-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { RecoveryCodesLeft, SecondFactor } from "./second-factor.tsx";
import { Sessions } from "./sessions.tsx";

/** How the person proves who they are, and where they are signed in. */
export default function SecurityPage() {
  const security = useQuery(getSecurity);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { hasTotp = false, hasPasskeys = false, recoveryCodesLeft = 0 } = security.data ?? {};
  return (
    <Page title="Security">
      <Passkeys onCodes={setCodes} />
      <Section title="App for codes">
        <Found query={security}>{(found) => <SecondFactor security={found} onCodes={setCodes} />}</Found>
      </Section>
      {(hasTotp || hasPasskeys) && <RecoveryCodesLeft codesLeft={recoveryCodesLeft} onCodes={setCodes} />}
      <Section title="Password">
        <PasswordForm />
      </Section>
      <Sessions />
      <Dialog isOpen={codes !== null} staysOpen title="Your recovery codes" onClose={() => setCodes(null)}>
        <RecoveryCodes codes={codes ?? []} onStored={() => setCodes(null)} />
      </Dialog>
    </Page>
  );
}
