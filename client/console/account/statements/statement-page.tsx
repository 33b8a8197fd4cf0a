import { useQuery } from "@tanstack/react-query";
import { use } from "react";
import { Link, Redirect, useParams } from "wouter";
import type { components } from "../../../../generated/account/types.ts";
import { exportHref } from "../../api/export-href.ts";
import { getStatement, type QueryOf } from "../../api/queries.ts";
import { Button, Buttons, FileLink } from "../../ui/button.tsx";
import { Facts, Page, Section } from "../../ui/page.tsx";
import { Found, Loading } from "../../ui/states.tsx";
import { TimeZoneContext, timeText } from "../../ui/time.tsx";
import { type Readers, text, useListQuery } from "../../ui/use-list-query.ts";
import { accountPath, useAccount } from "../account.ts";
import { monthAt, monthsLater, monthText } from "./months.ts";
import styles from "./statement-page.module.css";
import { StatementTable } from "./statement-table.tsx";

type Statement = components["schemas"]["Statement"];

const READERS: Readers<QueryOf<"getStatement">> = { timeZone: text };

/** The statement of a month. Without one in the URL it is the present month in the zone of the account, which are then put there. */
export default function StatementPage() {
  const account = useAccount();
  const { month } = useParams();
  const timeZone = use(TimeZoneContext);
  if (month !== undefined) return <StatementOf month={month} />;
  if (timeZone === null) return <Loading />;
  const now = monthAt(new Date(), timeZone);
  return (
    <Redirect to={accountPath(account, `/statements/${now}?${new URLSearchParams({ timeZone })}`)} replace />
  );
}

function StatementOf({ month }: { month: string }) {
  const { accountId } = useAccount();
  const query = useListQuery(READERS);
  const statement = useQuery(getStatement(accountId, month, query));
  return (
    <Page title={`Statement of ${monthText(month)}`} actions={<Actions month={month} {...query} />}>
      <Found query={statement}>
        {(found) => (
          <Section title={monthText(found.month)}>
            <Head statement={found} />
            <StatementTable statement={found} />
            <div className={styles.actions}>
              <FileLink
                href={exportHref("/accounts/{accountId}/exports/ledger", accountId, {
                  from: found.from,
                  to: found.to,
                })}
              >
                All entries of the month as CSV
              </FileLink>
            </div>
          </Section>
        )}
      </Found>
    </Page>
  );
}

/** Leads to the months beside it, and to paper. */
function Actions({ month, timeZone = "UTC" }: { month: string; timeZone?: string }) {
  const account = useAccount();
  const to = (other: string) =>
    accountPath(account, `/statements/${other}?${new URLSearchParams({ timeZone })}`);
  const [before, after] = [monthsLater(month, -1), monthsLater(month, 1)];
  const isOver = after <= monthAt(new Date(), timeZone);
  return (
    <div className={styles.actions}>
      <nav className={styles.months} aria-label="Other months">
        <Link href={to(before)}>{monthText(before)}</Link>
        {isOver && <Link href={to(after)}>{monthText(after)}</Link>}
      </nav>
      <Buttons>
        <Button onClick={() => print()}>Print</Button>
      </Buttons>
    </div>
  );
}

/** What makes a printed page complete by itself. */
function Head({ statement: { accountId, from, to, timeZone, currency } }: { statement: Statement }) {
  const { accountName } = useAccount();
  return (
    <Facts
      facts={[
        ["Account", `${accountName} (${accountId})`],
        ["From", timeText(from, timeZone)],
        ["To, not included", timeText(to, timeZone)],
        ["Time zone", timeZone],
        ["Currency", currency],
      ]}
    />
  );
}
