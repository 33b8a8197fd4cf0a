import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { components } from "../../../../generated/account/types.ts";
import { exportHref } from "../../api/export-href.ts";
import { listLedger, type QueryOf } from "../../api/queries.ts";
import { FileLink } from "../../ui/button.tsx";
import { FilterForm } from "../../ui/filter-form.tsx";
import { Money } from "../../ui/money.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { type Asked, withinAll } from "../../ui/period.ts";
import { Empty, Found } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time, useTimeZone } from "../../ui/time.tsx";
import { type Readers, text, useListQuery, wholeNumber } from "../../ui/use-list-query.ts";
import { entryTypeWords } from "../../ui/words.ts";
import { accountPath, useAccount } from "../account.ts";

type Entry = components["schemas"]["LedgerEntry"];

const READERS: Readers<QueryOf<"listLedger">> = { limit: wholeNumber, cursor: text, from: text, to: text };
/** The types whose reference is an order. */
const OF_ORDERS = new Set(["order", "refund"]);

const COLUMNS: readonly Column<Entry>[] = [
  { title: "Entry", show: ({ type }) => entryTypeWords(type) },
  { title: "Time", show: ({ createdAt }) => <Time at={createdAt} /> },
  { title: "Reference", show: (entry) => <Reference {...entry} /> },
  { title: "Amount", show: ({ amount }) => <Money amount={amount} />, isNumber: true },
  { title: "Balance after it", show: ({ balanceAfter }) => <Money amount={balanceAfter} />, isNumber: true },
];

/** Everything that changed the balance. */
export default function LedgerPage() {
  const account = useAccount();
  const query = useListQuery(READERS);
  const entries = useQuery(listLedger(account.accountId, query));
  return (
    <Page title="Ledger">
      <Section title="What changed the balance" actions={<File {...query} />}>
        <FilterForm asked={query} error={entries.error} />
        <Found query={entries}>
          {({ entries, ...page }) => (
            <PagedTable
              {...page}
              caption="Entries of the ledger, the newest first"
              columns={COLUMNS}
              rows={entries}
              idOf={({ entryId }) => entryId}
              empty={<NoEntries {...query} />}
            />
          )}
        </Found>
      </Section>
    </Page>
  );
}

function File({ from, to }: Asked) {
  const { accountId } = useAccount();
  const period = withinAll({ from, to }, useTimeZone());
  return (
    <FileLink href={exportHref("/accounts/{accountId}/exports/ledger", accountId, period)}>
      {from === undefined && to === undefined ? "All entries as CSV" : "Entries of these days as CSV"}
    </FileLink>
  );
}

function NoEntries({ from, to }: Asked) {
  const title =
    from === undefined && to === undefined
      ? "Nothing has changed the balance yet."
      : "Nothing changed the balance in these days.";
  return (
    <Empty title={title}>
      <p>Payments, orders, calls, refunds and corrections will be listed here.</p>
    </Empty>
  );
}

/** What an entry is about; an order is a link to it, for those who may see orders. */
function Reference({ type, reference }: Entry) {
  const account = useAccount();
  if (!OF_ORDERS.has(type) || account.role === "billing") return <code>{reference}</code>;
  return (
    <Link href={accountPath(account, `/orders/${encodeURIComponent(reference)}`)}>
      <code>{reference}</code>
    </Link>
  );
}
