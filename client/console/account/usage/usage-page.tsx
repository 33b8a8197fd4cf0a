import { useQuery } from "@tanstack/react-query";
import { use } from "react";
import { exportHref } from "../../api/export-href.ts";
import { faultFields } from "../../api/fault.ts";
import { getCallStatistics, type QueryOf } from "../../api/queries.ts";
import { FileLink } from "../../ui/button.tsx";
import { Choice } from "../../ui/field.tsx";
import { FilterForm } from "../../ui/filter-form.tsx";
import { Money } from "../../ui/money.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { lastDays } from "../../ui/period.ts";
import { Empty, Found } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { TimeZoneContext, useTimeZone } from "../../ui/time.tsx";
import { type Readers, text, useListQuery, word } from "../../ui/use-list-query.ts";
import { useAccount } from "../account.ts";
import { GroupName } from "../group-name.tsx";
import { type Usage, usageByGroup, usageOf } from "./usage-of.ts";
import styles from "./usage-page.module.css";

type Query = QueryOf<"getCallStatistics">;

const READERS: Readers<Query> = {
  from: text,
  to: text,
  granularity: word,
  timeZone: text,
  groupBy: word,
};
type Group = NonNullable<Query["groupBy"]>;

/** What the account's programs have called, with its tokens and cost, by model or by key; the last 30 days where no others are asked. */
export default function UsagePage() {
  const { accountId } = useAccount();
  const zone = useTimeZone();
  const isZoneKnown = use(TimeZoneContext) !== null;
  const asked = useListQuery<Partial<Query>>(READERS);
  const { groupBy = "model", ...query } = {
    ...lastDays(30, asked.timeZone ?? zone),
    timeZone: zone,
    ...asked,
  };
  const { from, to } = query;
  const usage = useQuery({ ...getCallStatistics(accountId, { ...query, groupBy }), enabled: isZoneKnown });
  const file = (
    <FileLink href={exportHref("/accounts/{accountId}/exports/usage", accountId, { from, to })}>
      These calls as CSV
    </FileLink>
  );
  return (
    <Page title="Usage">
      <Section title="Calls of models" actions={file}>
        <FilterForm asked={{ from, to, ...asked }} error={usage.error}>
          <Choice
            label="Told apart"
            name="groupBy"
            defaultValue={groupBy}
            error={faultFields(usage.error).groupBy}
          >
            <option value="model">By model</option>
            <option value="key">By key</option>
          </Choice>
        </FilterForm>
        <Found query={usage}>
          {({ buckets }) => <UsageTable groupBy={groupBy} usages={usageByGroup(buckets)} />}
        </Found>
      </Section>
    </Page>
  );
}

function UsageTable({ groupBy, usages }: { groupBy: Group; usages: readonly Usage[] }) {
  if (usages.length === 0) {
    return (
      <Empty title="No call has ended in this time.">
        <p>What your programs call with a key of this account is counted here when it ends.</p>
      </Empty>
    );
  }
  const all = usages.length > 1 ? [usageOf(null, usages)] : [];
  return (
    <Table
      caption={groupBy === "key" ? "Calls by key" : "Calls by model"}
      columns={columnsFor(groupBy)}
      rows={[...usages, ...all]}
      idOf={({ group }) => group ?? ""}
    />
  );
}

function columnsFor(groupBy: Group): readonly Column<Usage>[] {
  const count = (title: string, of: (usage: Usage) => number): Column<Usage> => ({
    title,
    show: (usage) => of(usage).toLocaleString("en"),
    isNumber: true,
  });
  return [
    {
      title: groupBy === "key" ? "Key" : "Model",
      show: ({ group }) => (group === null ? "Together" : <GroupName groupBy={groupBy} id={group} />),
    },
    count("Completed", ({ completed }) => completed),
    { title: "Not completed", show: (usage) => <NotCompleted {...usage} />, isNumber: true },
    count("Tokens in", ({ inputTokens }) => inputTokens),
    count("Tokens out", ({ outputTokens }) => outputTokens),
    count("Into cache", ({ cacheWriteTokens }) => cacheWriteTokens),
    count("From cache", ({ cacheReadTokens }) => cacheReadTokens),
    { title: "Cost", show: ({ amount }) => <Money amount={amount} />, isNumber: true },
  ];
}

function NotCompleted({ clientAborted, upstreamFailed, rejected }: Usage) {
  const reasons = [
    [clientAborted, "broken off"],
    [upstreamFailed, "failed"],
    [rejected, "refused"],
  ] as const;
  const told = reasons.filter(([count]) => count > 0);
  if (told.length === 0) return "0";
  return told.map(([count, words]) => (
    <span key={words} className={styles.reason}>
      {count.toLocaleString("en")} {words}
    </span>
  ));
}
