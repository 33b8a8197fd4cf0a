import { useState } from "react";
import type { components } from "../../../../generated/account/types.ts";
import { ask, client } from "../../api/client.ts";
import { useChange } from "../../api/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { Note } from "../../ui/states.tsx";
import { useTimeZone } from "../../ui/time.tsx";
import { useAccount } from "../account.ts";
import { KeyFields, settingsOf } from "./key-fields.tsx";
import type { Key } from "./key-text.tsx";

/** Sets name, caps and expiry. */
export function ChangeKey({ shown }: { shown: Key }) {
  const { accountId } = useAccount();
  const { keyId } = shown;
  const timeZone = useTimeZone();
  const [isSaved, setSaved] = useState(false);
  const change = useChange(
    (body: components["schemas"]["KeyChange"]) =>
      ask(() =>
        client.PATCH("/accounts/{accountId}/keys/{keyId}", { params: { path: { accountId, keyId } }, body }),
      ),
    ["getKey", "listKeys"],
  );
  const save = async (values: Readonly<Record<string, string>>) => {
    setSaved(false);
    setSaved((await change.send(settingsOf(values, timeZone))) !== null);
  };
  return (
    <Section title="Change it">
      <Form fault={change.fault} onSend={(values) => void save(values)}>
        <KeyFields present={shown} fault={change.fault} />
        {isSaved && (
          <Note tone="good">
            <p>Saved. It holds within a second.</p>
          </Note>
        )}
        <Button
          type="submit"
          isPending={change.isPending}
          whyNot={shown.status === "revoked" ? "It is revoked, and stays so." : null}
        >
          Save
        </Button>
      </Form>
    </Section>
  );
}
