import { ask, client } from "../../api/client.ts";
import { useChange } from "../../api/use-change.ts";
import { makePasskey } from "../../session/passkey.ts";
import { useSession } from "../../session/session.ts";
import { Button, Buttons } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { browserName } from "./browser-name.ts";

interface AddPasskeyProps {
  readonly onClose: () => void;
  readonly onCodes: (codes: readonly string[]) => void;
}

/** Has the browser make a passkey, and keeps it under a name. */
export function AddPasskey({ onClose, onCodes }: AddPasskeyProps) {
  const person = useSession();
  const add = useChange(
    async (name: string) => {
      const creation = await ask(() => client.POST("/security/passkeys/challenge"));
      const made = await makePasskey(creation, person);
      return ask(() => client.POST("/security/passkeys", { body: { name, ...made } }));
    },
    ["listPasskeys", "getSecurity", "listSessions"],
  );
  const send = async ({ name = "" }: Readonly<Record<string, string>>) => {
    const added = await add.send(name);
    if (added === null) return;
    onClose();
    if (added.recoveryCodes !== null) onCodes(added.recoveryCodes);
  };
  return (
    <Dialog isOpen title="Add a passkey" onClose={onClose}>
      <p>Your browser asks you where to keep it: on this device, on a phone, or on a security key.</p>
      <Form fault={add.fault} onSend={(values) => void send(values)}>
        <Field
          label="Name of the passkey"
          hint="What you know it by, such as the device that it is on."
          name="name"
          defaultValue={browserName(navigator.userAgent)}
          error={add.fault?.fields.name}
          required
        />
        <Buttons>
          <Button type="submit" look="main" isPending={add.isPending}>
            Make the passkey
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </Buttons>
      </Form>
    </Dialog>
  );
}
