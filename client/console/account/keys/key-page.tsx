import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { getKey } from "../../api/queries.ts";
import { Money } from "../../ui/money.tsx";
import { Facts, Page, Section } from "../../ui/page.tsx";
import { Found } from "../../ui/states.tsx";
import { Time, TimeOr } from "../../ui/time.tsx";
import { kindWords } from "../../ui/words.ts";
import { accountPath, useAccount } from "../account.ts";
import { ChangeKey } from "./change-key.tsx";
import { capText, type Key, KeyStatus, keyName } from "./key-text.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { RotateKey } from "./rotate-key.tsx";

/** One key: what it may and did, and what can be done with it. */
export default function KeyPage() {
  const account = useAccount();
  const { keyId = "" } = useParams<{ keyId: string }>();
  const found = useQuery(getKey(account.accountId, keyId));
  return (
    <Page
      title={found.data === undefined ? "Key" : keyName(found.data)}
      actions={<Link href={accountPath(account, "/keys")}>All keys</Link>}
    >
      <Found query={found}>
        {(key) => (
          <>
            <KeyFacts shown={key} />
            <RotateKey shown={key} />
            <ChangeKey key={keyId} shown={key} />
            <RevokeKey shown={key} />
          </>
        )}
      </Found>
    </Page>
  );
}

function KeyFacts({ shown }: { shown: Key }) {
  return (
    <Section title="About it" actions={<KeyStatus status={shown.status} />}>
      <Facts
        facts={[
          ["Begins and ends", <code key="preview">{shown.preview}</code>],
          ["For", kindWords(shown.kind)],
          ["Cap of one order", capText(shown.orderCap, shown.orderCapCeiling)],
          ["Cap of a day", capText(shown.dailyCap, shown.dailyCapCeiling)],
          ["Spent today", <Money key="spent" amount={shown.spentToday} />],
          ["Last used", <TimeOr key="used" at={shown.lastUsedAt} otherwise="Never" />],
          ["Made", <Time key="made" at={shown.createdAt} />],
          ["Expires", <TimeOr key="expires" at={shown.expiresAt} otherwise="Never" />],
        ]}
      />
    </Section>
  );
}
