import { useState } from "react";
import { ask, client } from "../../api/client.ts";
import { useChange } from "../../api/use-change.ts";
import { Button, Buttons } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Section } from "../../ui/page.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { useAccount } from "../account.ts";
import { type Key, keyName } from "./key-text.tsx";

/** Ends a key for good. */
export function RevokeKey({ shown }: { shown: Key }) {
  const { accountId } = useAccount();
  const { keyId, status } = shown;
  const [isAsking, setAsking] = useState(false);
  const revoke = useChange(
    () =>
      ask(() =>
        client.DELETE("/accounts/{accountId}/keys/{keyId}", { params: { path: { accountId, keyId } } }),
      ),
    ["getKey", "listKeys"],
  );
  const end = async () => {
    if ((await revoke.send(undefined)) !== null) setAsking(false);
  };
  return (
    <Section title="Revoke it">
      <p>Programs that still use it are refused from within a second on. It cannot be taken back.</p>
      <div>
        <Button
          look="danger"
          whyNot={status === "revoked" ? "It is revoked already." : null}
          onClick={() => setAsking(true)}
        >
          Revoke
        </Button>
      </div>
      <Dialog isOpen={isAsking} title={`Revoke ${keyName(shown)}?`} onClose={() => setAsking(false)}>
        <p>Whatever uses it stops working.</p>
        {revoke.fault !== null && <FaultNote fault={revoke.fault} />}
        <Buttons>
          <Button look="danger" isPending={revoke.isPending} onClick={() => void end()}>
            Revoke for good
          </Button>
          <Button onClick={() => setAsking(false)}>Keep it</Button>
        </Buttons>
      </Dialog>
    </Section>
  );
}
