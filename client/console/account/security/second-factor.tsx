import { useState } from "react";
import type { components } from "../../../../generated/account/types.ts";
import { ask, client } from "../../api/client.ts";
import { useChange } from "../../api/use-change.ts";
import { Button, Buttons } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Section } from "../../ui/page.tsx";
import { FaultNote, Note } from "../../ui/states.tsx";
import { SetUpTotp } from "./set-up-totp.tsx";

type TakesCodes = { readonly onCodes: (codes: readonly string[]) => void };

/** The app for codes, and what can be done about it. */
export function SecondFactor({
  security: { hasTotp, hasPasskeys },
  onCodes,
}: TakesCodes & { security: components["schemas"]["Security"] }) {
  return hasTotp ? <WithTotp isLast={!hasPasskeys} /> : <SetUpTotp onCodes={onCodes} />;
}

function WithTotp({ isLast }: { isLast: boolean }) {
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <p>An app gives you a code for each sign-in.</p>
      <div>
        <Button look="danger" onClick={() => setRemoving(true)}>
          Remove the app
        </Button>
      </div>
      {isRemoving && <RemoveTotp isLast={isLast} onClose={() => setRemoving(false)} />}
    </>
  );
}

/** How many recovery codes are left, of who has a second factor that can be lost. */
export function RecoveryCodesLeft({ codesLeft, onCodes }: TakesCodes & { codesLeft: number }) {
  const renew = useChange(() => ask(() => client.POST("/security/recovery-codes")), ["getSecurity"]);
  const makeCodes = async () => {
    const made = await renew.send(undefined);
    if (made !== null) onCodes(made.codes);
  };
  return (
    <Section title="Recovery codes">
      <Note tone={codesLeft < 3 ? "warn" : "plain"}>
        <p>
          {codesLeft} of 10 recovery codes are left. They let you in when your app or your passkey is lost,
          each of them once.
        </p>
      </Note>
      {renew.fault !== null && <FaultNote fault={renew.fault} />}
      <div>
        <Button isPending={renew.isPending} onClick={() => void makeCodes()}>
          Make new recovery codes
        </Button>
      </div>
    </Section>
  );
}

function RemoveTotp({ isLast, onClose }: { isLast: boolean; onClose: () => void }) {
  const remove = useChange(() => ask(() => client.DELETE("/security/totp")), ["getSecurity"]);
  const send = async () => {
    if ((await remove.send(undefined)) !== null) onClose();
  };
  return (
    <Dialog isOpen title="Remove the app?" onClose={onClose}>
      <p>
        {isLast
          ? "Who has your password can then sign in. Your recovery codes end as well."
          : "Its codes let nobody in any more. Your passkeys and your recovery codes stay."}
      </p>
      {remove.fault !== null && <FaultNote fault={remove.fault} />}
      <Buttons>
        <Button look="danger" isPending={remove.isPending} onClick={() => void send()}>
          Remove it
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </Buttons>
    </Dialog>
  );
}
