import { useState } from "react";
import type { components } from "../../../../generated/account/types.ts";
import { ask, client } from "../../api/client.ts";
import { useChange } from "../../api/use-change.ts";
import { Button, Buttons } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { QrCode } from "./qr-code.tsx";
import styles from "./set-up-totp.module.css";

type TotpSecret = components["schemas"]["TotpSecret"];

/** Takes an app for codes as the second factor: its secret first, then a code of it. */
export function SetUpTotp({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [begun, setBegun] = useState<TotpSecret | null>(null);
  const begin = useChange(() => ask(() => client.POST("/security/totp")));
  if (begun !== null) return <ConfirmTotp secret={begun} onCodes={onCodes} onCancel={() => setBegun(null)} />;
  return (
    <>
      <p>
        An app on your phone gives a code for each sign-in, so that a stolen password alone lets nobody in.
      </p>
      {begin.fault !== null && <FaultNote fault={begin.fault} />}
      <div>
        <Button
          look="main"
          isPending={begin.isPending}
          onClick={async () => setBegun(await begin.send(undefined))}
        >
          Set up an app
        </Button>
      </div>
    </>
  );
}

interface ConfirmTotpProps {
  readonly secret: TotpSecret;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onCancel: () => void;
}

function ConfirmTotp({ secret: { secret, uri }, onCodes, onCancel }: ConfirmTotpProps) {
  const confirm = useChange(
    (code: string) => ask(() => client.PUT("/security/totp", { body: { code } })),
    ["getSecurity", "listSessions"],
  );
  const { fault, isPending } = confirm;
  const send = async ({ code = "" }: Readonly<Record<string, string>>) => {
    const confirmed = await confirm.send(code.replaceAll(/\s/g, ""));
    if (confirmed !== null) onCodes(confirmed.codes);
  };
  return (
    <div className={styles.parts}>
      <QrCode text={uri} />
      <div className={styles.words}>
        <p>Let your app read this picture, or type the secret:</p>
        <p className={styles.secret}>
          <code>{secret}</code> <CopyButton text={secret} />
        </p>
        <Form fault={fault} onSend={(values) => void send(values)}>
          <Field
            label="Code"
            hint="The six digits that the app shows now."
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            error={fault?.fields.code ?? (fault?.code === "wrong_code" ? "That is not the code." : undefined)}
          />
          <Buttons>
            <Button type="submit" look="main" isPending={isPending}>
              Use this app
            </Button>
            <Button onClick={onCancel}>Cancel</Button>
          </Buttons>
        </Form>
      </div>
    </div>
  );
}
