import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { use } from "react";
import { Link } from "wouter";
import type { components } from "../../../../generated/account/types.ts";
import { getOverview, getSpendStatistics } from "../../api/queries.ts";
import { Money, moneyText } from "../../ui/money.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { lastDays } from "../../ui/period.ts";
import { Found, Note } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time, TimeZoneContext, useTimeZone } from "../../ui/time.tsx";
import { holdWords } from "../../ui/words.ts";
import { accountPath, useAccount } from "../account.ts";
import { SpendFigures } from "../spend-figures.tsx";
import styles from "./overview-page.module.css";

type Overview = components["schemas"]["Overview"];
type Hold = components["schemas"]["Hold"];
type SpendStatistics = components["schemas"]["SpendStatistics"];

const HOLD_COLUMNS: readonly Column<Hold>[] = [
  { title: "For", show: ({ kind }) => holdWords(kind) },
  { title: "Id", show: ({ id }) => <code>{id}</code> },
  { title: "Since", show: ({ since }) => <Time at={since} /> },
  { title: "Amount", show: ({ amount }) => <Money amount={amount} />, isNumber: true },
];

/** What the account has, what is set aside and for what, its level, and what it has spent. */
export default function OverviewPage() {
  const { accountId } = useAccount();
  const overview = useQuery(getOverview(accountId));
  const spend = useLastSpend();
  return (
    <Page title="Overview">
      <Found query={overview}>
        {(found) => (
          <>
            <LowBalance overview={found} />
            <Funds overview={found} />
            <Spend query={spend} />
            <Holds overview={found} />
          </>
        )}
      </Found>
    </Page>
  );
}

/** Of the last 30 days. */
function useLastSpend(): UseQueryResult<SpendStatistics> {
  const { accountId } = useAccount();
  const timeZone = useTimeZone();
  return useQuery({
    ...getSpendStatistics(accountId, { ...lastDays(30, timeZone), timeZone }),
    enabled: use(TimeZoneContext) !== null,
  });
}

/** Its place is kept while it loads: nothing below it moves. */
function Spend({ query }: { query: UseQueryResult<SpendStatistics> }) {
  const account = useAccount();
  return (
    <Section
      title="Spent in the last 30 days"
      actions={<Link href={accountPath(account, "/statistics")}>All statistics</Link>}
    >
      <div className={styles.spend}>
        <Found query={query}>{(spend) => <SpendFigures spend={spend} />}</Found>
      </div>
    </Section>
  );
}

function LowBalance({ overview: { isBalanceLow, lowBalance } }: { overview: Overview }) {
  if (!isBalanceLow || lowBalance === null) return null;
  return (
    <Note tone="warn">
      <p>
        Less than {moneyText(lowBalance)} is available. Ask the shop for a top-up before orders are refused.
      </p>
    </Note>
  );
}

function Funds({ overview: { available, balance, reserved, level, nextLevel } }: { overview: Overview }) {
  return (
    <div className={styles.funds}>
      <Section title="Available">
        <Money amount={available} size="large" />
        <dl className={styles.sum}>
          <div>
            <dt>Balance</dt>
            <dd>
              <Money amount={balance} />
            </dd>
          </div>
          <div>
            <dt>Set aside for what is under way</dt>
            <dd>
              <Money amount={`-${reserved}`} />
            </dd>
          </div>
        </dl>
      </Section>
      <Section title="Level">
        <p className={styles.level}>
          {level} <span>of 5</span>
        </p>
        <p className={styles.soft}>
          {nextLevel === null
            ? "The highest: your prices are the best that the shop has."
            : `Payments of ${moneyText(nextLevel.remaining)} more bring level ${nextLevel.level}, and its prices.`}
        </p>
      </Section>
    </div>
  );
}

function Holds({ overview: { holds, hasMoreHolds } }: { overview: Overview }) {
  if (holds.length === 0) return null;
  return (
    <Section title="What is set aside">
      <p className={styles.soft}>
        Orders and calls under way. When one ends, what it has cost is taken from the balance, and the rest is
        free again.
      </p>
      <Table
        caption="What is set aside, the oldest first"
        columns={HOLD_COLUMNS}
        rows={holds}
        idOf={({ id }) => id}
      />
      {hasMoreHolds && <p className={styles.soft}>There are more; these are the oldest.</p>}
    </Section>
  );
}
