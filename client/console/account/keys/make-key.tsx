import { useState } from "react";
import type { components } from "../../../../generated/account/types.ts";
import { ask, client } from "../../api/client.ts";
import { newId } from "../../api/new-id.ts";
import { type Change, useChange } from "../../api/use-change.ts";
import { Button, Buttons } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Choice } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Note } from "../../ui/states.tsx";
import { useTimeZone } from "../../ui/time.tsx";
import { kindWords } from "../../ui/words.ts";
import { useAccount } from "../account.ts";
import { KeyFields, settingsOf } from "./key-fields.tsx";
import { ShownSecret } from "./shown-secret.tsx";
import { TryKey } from "./try-key.tsx";

type KeyKind = components["schemas"]["KeyKind"];
type KeyRequest = components["schemas"]["KeyRequest"];
type KeyWithSecret = components["schemas"]["KeyWithSecret"];

const KINDS: readonly KeyKind[] = ["product_ordering", "ai_proxy", "general"];

/**
 * Makes a key. One that was made by a request whose answer was lost is neither made twice nor left lying: sent again, the request
 * names it, and it is revoked before another is made.
 */
export function MakeKey({ onClose }: { onClose: () => void }) {
  const { accountId } = useAccount();
  const [idempotencyKey, setIdempotencyKey] = useState(newId);
  const [made, setMade] = useState<KeyWithSecret | null>(null);
  const make = useChange(
    (body: KeyRequest) =>
      ask(() =>
        client.POST("/accounts/{accountId}/keys", {
          params: { path: { accountId }, header: { "Idempotency-Key": idempotencyKey } },
          body,
        }),
      ),
    ["listKeys"],
  );
  if (made !== null) {
    return (
      <Dialog isOpen staysOpen title="Your new key" onClose={onClose}>
        <ShownSecret secret={made.secret} onStored={onClose}>
          <TryKey kind={made.key.kind} secret={made.secret} />
        </ShownSecret>
      </Dialog>
    );
  }
  return (
    <Dialog isOpen title="Make a key" onClose={onClose}>
      <LostKey
        make={make}
        onRevoked={() => {
          make.reset();
          setIdempotencyKey(newId());
        }}
      />
      <MakeKeyForm make={make} onMade={setMade} onClose={onClose} />
    </Dialog>
  );
}

interface MakeKeyFormProps {
  readonly make: Change<KeyRequest, KeyWithSecret>;
  readonly onMade: (made: KeyWithSecret) => void;
  readonly onClose: () => void;
}

function MakeKeyForm({ make, onMade, onClose }: MakeKeyFormProps) {
  const timeZone = useTimeZone();
  const send = async (values: Readonly<Record<string, string>>) => {
    const kind = KINDS.find((one) => one === values.kind) ?? "product_ordering";
    const made = await make.send({ kind, ...settingsOf(values, timeZone) });
    if (made !== null) onMade(made);
  };
  const { fault, isPending } = make;
  return (
    <Form fault={fault?.code === "key_exists" ? null : fault} onSend={(values) => void send(values)}>
      <Choice label="For" name="kind" error={fault?.fields.kind}>
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {kindWords(kind)}
          </option>
        ))}
      </Choice>
      <KeyFields fault={fault} />
      <Buttons>
        <Button type="submit" look="main" isPending={isPending}>
          Make it
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </Buttons>
    </Form>
  );
}

function LostKey({ make, onRevoked }: { make: Change<KeyRequest, KeyWithSecret>; onRevoked: () => void }) {
  const { accountId } = useAccount();
  const revoke = useChange(
    (keyId: string) =>
      ask(() =>
        client.DELETE("/accounts/{accountId}/keys/{keyId}", { params: { path: { accountId, keyId } } }),
      ),
    ["listKeys"],
  );
  const keyId = make.fault?.code === "key_exists" ? make.fault.details.key : null;
  if (typeof keyId !== "string") return null;
  const end = async () => {
    if ((await revoke.send(keyId)) !== null) onRevoked();
  };
  return (
    <Note tone="warn">
      <p>
        The key was made already, but its answer was lost, and it is shown only once. Revoke it, then make
        another.
      </p>
      <div>
        <Button isPending={revoke.isPending} onClick={() => void end()}>
          Revoke that key
        </Button>
      </div>
    </Note>
  );
}
