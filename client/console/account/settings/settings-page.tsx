import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { components } from "../../../../generated/account/types.ts";
import { ask, client } from "../../api/client.ts";
import { getSettings } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { amountOf } from "../../ui/amount-of.ts";
import { Button } from "../../ui/button.tsx";
import { Choice, Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Found, Note } from "../../ui/states.tsx";
import { BROWSER_ZONE } from "../../ui/time.tsx";
import { useAccount } from "../account.ts";

type Settings = components["schemas"]["Settings"];

/** What the account has set for its people; owners and billing change it. */
export default function SettingsPage() {
  const { accountId } = useAccount();
  const settings = useQuery(getSettings(accountId));
  return (
    <Page title="Settings">
      <Section title="For everybody in this account">
        <Found query={settings}>{(found) => <SettingsForm present={found} />}</Found>
      </Section>
    </Page>
  );
}

function SettingsForm({ present: { timeZone, lowBalance } }: { present: Settings }) {
  const { accountId, role } = useAccount();
  const [isSaved, setSaved] = useState(false);
  const change = useChange(
    (body: Settings) =>
      ask(() => client.PATCH("/accounts/{accountId}/settings", { params: { path: { accountId } }, body })),
    ["getSettings", "getOverview"],
  );
  const save = async (values: Readonly<Record<string, string>>) => {
    setSaved(false);
    const body = { timeZone: values.timeZone ?? timeZone, lowBalance: amountOf(values.lowBalance ?? "") };
    setSaved((await change.send(body)) !== null);
  };
  const fields = change.fault?.fields ?? {};
  return (
    <Form fault={change.fault} onSend={(values) => void save(values)}>
      <ZoneChoice present={timeZone} error={fields.timeZone} />
      <Field
        label="Say when less is available than"
        hint="In USD. The overview says it then. Empty for never."
        name="lowBalance"
        inputMode="decimal"
        defaultValue={lowBalance ?? ""}
        error={fields.lowBalance}
      />
      {isSaved && (
        <Note tone="good">
          <p>Saved.</p>
        </Note>
      )}
      <Button
        type="submit"
        isPending={change.isPending}
        whyNot={role === "developer" ? "Only owners and people for billing may change it." : null}
      >
        Save
      </Button>
    </Form>
  );
}

/** All zones that the browser knows: hundreds, for which the rest of the page does not wait. */
const ZONES = Intl.supportedValuesOf("timeZone");

/** Those, and the one that is set. */
function ZoneChoice({ present, error }: { present: string; error: string | undefined }) {
  const known = useDeferredValue(ZONES, []);
  const zones = new Set(["UTC", BROWSER_ZONE, present, ...known]);
  return (
    <Choice
      label="Time zone"
      hint={`Times, days and months of all pages are those of this zone. This browser is in ${BROWSER_ZONE}.`}
      name="timeZone"
      defaultValue={present}
      error={error}
    >
      {[...zones].toSorted().map((zone) => (
        <option key={zone} value={zone}>
          {zone}
        </option>
      ))}
    </Choice>
  );
}
