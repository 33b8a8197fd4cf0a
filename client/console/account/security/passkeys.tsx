import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { components } from "../../../../generated/account/types.ts";
import { ask, client } from "../../api/client.ts";
import { listPasskeys } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { whyNoPasskeys } from "../../session/passkey.ts";
import { Button, Buttons } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { FaultNote, Found } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { AddPasskey } from "./add-passkey.tsx";

type Passkey = components["schemas"]["Passkey"];
type Doing = "add" | { readonly what: "rename" | "remove"; readonly passkey: Passkey } | null;

/** The person's passkeys: added, renamed, removed. @param props.onCodes takes the recovery codes that come with the first factor */
export function Passkeys({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const passkeys = useQuery(listPasskeys);
  const [doing, setDoing] = useState<Doing>(null);
  const close = () => setDoing(null);
  const add = (
    <Button look="quiet" whyNot={whyNoPasskeys()} onClick={() => setDoing("add")}>
      Add a passkey
    </Button>
  );
  return (
    <Section title="Passkeys" actions={passkeys.data && add}>
      <Found query={passkeys}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <p>
              A passkey signs you in by your fingerprint, your face or the lock of your device, without a
              password. Nobody can be talked out of it.
            </p>
          ) : (
            <Table
              caption="Your passkeys, the newest first"
              columns={columns(setDoing)}
              rows={passkeys}
              idOf={({ passkeyId }) => passkeyId}
            />
          )
        }
      </Found>
      {doing === "add" && <AddPasskey onClose={close} onCodes={onCodes} />}
      {doing !== null && doing !== "add" && doing.what === "rename" && (
        <RenamePasskey passkey={doing.passkey} onClose={close} />
      )}
      {doing !== null && doing !== "add" && doing.what === "remove" && (
        <RemovePasskey passkey={doing.passkey} onClose={close} />
      )}
    </Section>
  );
}

function columns(begin: (doing: Doing) => void): readonly Column<Passkey>[] {
  return [
    { title: "Name", show: ({ name }) => name },
    { title: "Added", show: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: "Last used",
      show: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : <Time at={lastUsedAt} />),
    },
    {
      title: "Change it",
      show: (passkey) => (
        <Buttons>
          <Button
            look="quiet"
            aria-label={`Rename ${passkey.name}`}
            onClick={() => begin({ what: "rename", passkey })}
          >
            Rename
          </Button>
          <Button
            look="quiet"
            aria-label={`Remove ${passkey.name}`}
            onClick={() => begin({ what: "remove", passkey })}
          >
            Remove
          </Button>
        </Buttons>
      ),
    },
  ];
}

interface OfPasskey {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}

function RenamePasskey({ passkey: { passkeyId, name }, onClose }: OfPasskey) {
  const path = { passkeyId };
  const rename = useChange(
    (name: string) =>
      ask(() => client.PATCH("/security/passkeys/{passkeyId}", { params: { path }, body: { name } })),
    ["listPasskeys"],
  );
  const send = async ({ name = "" }: Readonly<Record<string, string>>) => {
    if ((await rename.send(name)) !== null) onClose();
  };
  return (
    <Dialog isOpen title={`Rename ${name}`} onClose={onClose}>
      <Form fault={rename.fault} onSend={(values) => void send(values)}>
        <Field
          label="Name of the passkey"
          name="name"
          defaultValue={name}
          error={rename.fault?.fields.name}
          required
        />
        <Buttons>
          <Button type="submit" look="main" isPending={rename.isPending}>
            Save the name
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </Buttons>
      </Form>
    </Dialog>
  );
}

function RemovePasskey({ passkey: { passkeyId, name }, onClose }: OfPasskey) {
  const path = { passkeyId };
  const remove = useChange(
    () => ask(() => client.DELETE("/security/passkeys/{passkeyId}", { params: { path } })),
    ["listPasskeys", "getSecurity"],
  );
  const send = async () => {
    if ((await remove.send(undefined)) !== null) onClose();
  };
  return (
    <Dialog isOpen title={`Remove ${name}?`} onClose={onClose}>
      <p>
        It signs you in no more. If it is your last second factor, your password alone is enough again, and
        your recovery codes end. Remove it from your browser or password manager as well.
      </p>
      {remove.fault !== null && <FaultNote fault={remove.fault} />}
      <Buttons>
        <Button look="danger" isPending={remove.isPending} onClick={() => void send()}>
          Remove the passkey
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </Buttons>
    </Dialog>
  );
}
