import { useState } from "react";
import { ask, client } from "../../api/client.ts";
import { useChange } from "../../api/use-change.ts";
import { Button, Buttons } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Choice } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useAccount } from "../account.ts";
import type { Key } from "./key-text.tsx";
import { ShownSecret } from "./shown-secret.tsx";

const OVERLAPS: readonly (readonly [seconds: number, words: string])[] = [
  [86_400, "For a day"],
  [604_800, "For seven days"],
  [3_600, "For an hour"],
  [0, "Not at all: it ends at once"],
];

const COLUMNS: readonly Column<Key["formerSecrets"][number]>[] = [
  { title: "Begins and ends", show: ({ preview }) => <code>{preview}</code> },
  { title: "Replaced", show: ({ replacedAt }) => <Time at={replacedAt} /> },
  { title: "Works until", show: ({ worksUntil }) => <Time at={worksUntil} /> },
];

/** Gives the key a new secret, and shows the former ones that still work. */
export function RotateKey({ shown }: { shown: Key }) {
  const [isRotating, setRotating] = useState(false);
  const whyNot = shown.status === "active" ? null : "A key that has ended gets no new secret. Make another.";
  return (
    <Section title="New secret">
      <p>
        The key keeps its name, caps and history. The present secret can go on working while your programs
        take the new one.
      </p>
      <div>
        <Button whyNot={whyNot} onClick={() => setRotating(true)}>
          Rotate
        </Button>
      </div>
      {shown.formerSecrets.length > 0 && <FormerSecrets shown={shown} />}
      {isRotating && <Rotation keyId={shown.keyId} onClose={() => setRotating(false)} />}
    </Section>
  );
}

function FormerSecrets({ shown: { keyId, formerSecrets } }: { shown: Key }) {
  const { accountId } = useAccount();
  const end = useChange(
    () =>
      ask(() =>
        client.DELETE("/accounts/{accountId}/keys/{keyId}/former-secrets", {
          params: { path: { accountId, keyId } },
        }),
      ),
    ["getKey"],
  );
  return (
    <>
      <Table
        caption="Former secrets that still work"
        columns={COLUMNS}
        rows={formerSecrets}
        idOf={({ preview, replacedAt }) => `${preview} ${replacedAt}`}
      />
      {end.fault !== null && <FaultNote fault={end.fault} />}
      <div>
        <Button isPending={end.isPending} onClick={() => void end.send(undefined)}>
          End the former secrets now
        </Button>
      </div>
    </>
  );
}

function Rotation({ keyId, onClose }: { keyId: string; onClose: () => void }) {
  const { accountId } = useAccount();
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useChange(
    (overlapSeconds: number) =>
      ask(() =>
        client.POST("/accounts/{accountId}/keys/{keyId}/rotation", {
          params: { path: { accountId, keyId } },
          body: { overlapSeconds },
        }),
      ),
    ["getKey", "listKeys"],
  );
  const send = async ({ overlapSeconds = "" }: Readonly<Record<string, string>>) => {
    const rotated = await rotate.send(Number(overlapSeconds));
    if (rotated !== null) setSecret(rotated.secret);
  };
  return (
    <Dialog isOpen staysOpen={secret !== null} title="New secret of the key" onClose={onClose}>
      {secret !== null ? (
        <ShownSecret secret={secret} onStored={onClose} />
      ) : (
        <Form fault={rotate.fault} onSend={(values) => void send(values)}>
          <Choice
            label="The present secret goes on working"
            name="overlapSeconds"
            error={rotate.fault?.fields.overlapSeconds}
          >
            {OVERLAPS.map(([seconds, words]) => (
              <option key={seconds} value={seconds}>
                {words}
              </option>
            ))}
          </Choice>
          <Buttons>
            <Button type="submit" look="main" isPending={rotate.isPending}>
              Make the new secret
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </Buttons>
        </Form>
      )}
    </Dialog>
  );
}
