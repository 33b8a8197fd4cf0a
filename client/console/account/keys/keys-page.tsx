import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { listKeys } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Empty, Found } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TimeOr } from "../../ui/time.tsx";
import { kindWords } from "../../ui/words.ts";
import { accountPath, useAccount } from "../account.ts";
import { type Key, KeyStatus, keyName } from "./key-text.tsx";
import { MakeKey } from "./make-key.tsx";

/** The account's keys, and a new one. */
export default function KeysPage() {
  const account = useAccount();
  const keys = useQuery(listKeys(account.accountId));
  const [isMaking, setMaking] = useState(false);
  const columns: readonly Column<Key>[] = [
    {
      title: "Key",
      show: (key) => <Link href={accountPath(account, `/keys/${key.keyId}`)}>{keyName(key)}</Link>,
    },
    { title: "For", show: ({ kind }) => kindWords(kind) },
    { title: "State", show: ({ status }) => <KeyStatus status={status} /> },
    { title: "Last used", show: ({ lastUsedAt }) => <TimeOr at={lastUsedAt} otherwise="Never" /> },
    { title: "Expires", show: ({ expiresAt }) => <TimeOr at={expiresAt} otherwise="Never" /> },
  ];
  const make = (
    <Button look="main" onClick={() => setMaking(true)}>
      Make a key
    </Button>
  );
  return (
    <Page title="Keys" actions={make}>
      <Section title="Keys of your programs">
        <Found query={keys}>
          {({ keys }) =>
            keys.length === 0 ? (
              <Empty title="There is no key yet.">
                <p>
                  A program that orders codes or calls models needs one. It is shown once, when it is made.
                </p>
              </Empty>
            ) : (
              <Table
                caption="Keys, the newest first"
                columns={columns}
                rows={keys}
                idOf={({ keyId }) => keyId}
              />
            )
          }
        </Found>
      </Section>
      {isMaking && <MakeKey onClose={() => setMaking(false)} />}
    </Page>
  );
}
