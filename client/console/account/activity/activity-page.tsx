import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { components } from "../../../../generated/account/types.ts";
import { exportHref } from "../../api/export-href.ts";
import { faultFields } from "../../api/fault.ts";
import { listActivity, listMembers, type QueryOf } from "../../api/queries.ts";
import { FileLink } from "../../ui/button.tsx";
import { Choice } from "../../ui/field.tsx";
import { FilterForm } from "../../ui/filter-form.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { withinAll } from "../../ui/period.ts";
import { Empty, Found } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time, useTimeZone } from "../../ui/time.tsx";
import { type Readers, text, useListQuery, wholeNumber } from "../../ui/use-list-query.ts";
import { accountPath, useAccount } from "../account.ts";
import { actionWords, KNOWN_ACTIONS } from "./action-words.ts";

type Entry = components["schemas"]["ActivityEntry"];
type Query = QueryOf<"listActivity">;

const READERS: Readers<Query> = {
  limit: wholeNumber,
  cursor: text,
  action: text,
  userId: text,
  from: text,
  to: text,
};

const COLUMNS: readonly Column<Entry>[] = [
  { title: "What", show: ({ action }) => actionWords(action) },
  { title: "To what", show: (entry) => <Target {...entry} /> },
  { title: "Who", show: ({ email }) => email },
  { title: "Address", show: ({ address }) => <code>{address}</code> },
  { title: "When", show: ({ createdAt }) => <Time at={createdAt} /> },
];

/** What the account's people did in the account center. */
export default function ActivityPage() {
  const { accountId } = useAccount();
  const query = useListQuery(READERS);
  const activity = useQuery(listActivity(accountId, query));
  return (
    <Page title="Activity">
      <Section title="What people did here" actions={<File {...query} />}>
        <Filters query={query} error={activity.error} />
        <Found query={activity}>
          {({ entries, ...page }) => (
            <PagedTable
              {...page}
              caption="What was done, the newest first"
              columns={COLUMNS}
              rows={entries}
              idOf={({ entryId }) => entryId}
              empty={<NoEntries />}
            />
          )}
        </Found>
      </Section>
    </Page>
  );
}

function NoEntries() {
  return (
    <Empty title="Nothing like that was done.">
      <p>Signing in, and what is done with keys, codes, members and settings, will be listed here.</p>
    </Empty>
  );
}

/** Who does not know whom they look for finds the people by their e-mail; who has left stands there by their id. */
function Filters({ query, error }: { query: Query; error: unknown }) {
  const { accountId } = useAccount();
  const members = useQuery(listMembers(accountId));
  const { action = "", userId = "" } = query;
  const people = members.data?.members.map((one) => [one.userId, one.email] as const) ?? [];
  const faults = faultFields(error);
  return (
    <FilterForm asked={query} error={error}>
      <OneOf
        label="What"
        name="action"
        chosen={action}
        error={faults.action}
        options={KNOWN_ACTIONS.map((one) => [one, actionWords(one)])}
      />
      <OneOf label="Who" name="userId" chosen={userId} error={faults.userId} options={people} />
    </FilterForm>
  );
}

interface OneOfProps {
  readonly label: string;
  readonly name: string;
  readonly chosen: string;
  readonly error: string | undefined;
  readonly options: readonly (readonly [value: string, words: string])[];
}

/** A choice of all or one; what the URL has stays a choice, whatever it is. */
function OneOf({ label, name, chosen, error, options }: OneOfProps) {
  const isKnown = chosen === "" || options.some(([value]) => value === chosen);
  return (
    <Choice label={label} name={name} defaultValue={chosen} error={error}>
      <option value="">All</option>
      {(isKnown ? options : [...options, [chosen, chosen] as const]).map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </Choice>
  );
}

function File({ from, to, action, userId }: Query) {
  const { accountId } = useAccount();
  const query = {
    ...withinAll({ from, to }, useTimeZone()),
    ...(action !== undefined && { action }),
    ...(userId !== undefined && { userId }),
  };
  return (
    <FileLink href={exportHref("/accounts/{accountId}/exports/activity", accountId, query)}>
      These as CSV
    </FileLink>
  );
}

/** What it was done to; a key and an order lead to their pages. */
function Target({ targetId, targetName }: Entry) {
  const account = useAccount();
  if (targetId === null) return "";
  const shown = targetName ?? <code>{targetId}</code>;
  const [folder] = [
    ["key_", "/keys/"],
    ["ord_", "/orders/"],
  ].flatMap(([prefix = "", path = ""]) => (targetId.startsWith(prefix) ? [path] : []));
  if (folder === undefined) return shown;
  return <Link href={accountPath(account, `${folder}${encodeURIComponent(targetId)}`)}>{shown}</Link>;
}
