import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { components } from "../../../../generated/account/types.ts";
import { exportHref } from "../../api/export-href.ts";
import { faultFields } from "../../api/fault.ts";
import { listOrders, type QueryOf } from "../../api/queries.ts";
import { FileLink } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { FilterForm } from "../../ui/filter-form.tsx";
import { Money } from "../../ui/money.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { type Asked, withinAll } from "../../ui/period.ts";
import { Empty, Found } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time, useTimeZone } from "../../ui/time.tsx";
import { type Readers, text, useListQuery, wholeNumber } from "../../ui/use-list-query.ts";
import { accountPath, useAccount } from "../account.ts";
import { OrderState } from "./order-state.tsx";

type Order = components["schemas"]["Order"];

const READERS: Readers<QueryOf<"listOrders">> = {
  limit: wholeNumber,
  cursor: text,
  externalOrderId: text,
  from: text,
  to: text,
};

const COLUMNS: readonly Column<Order>[] = [
  { title: "Your id", show: (order) => <OrderLink {...order} /> },
  { title: "Product", show: ({ productName, qty }) => `${qty} × ${productName}` },
  { title: "State", show: ({ status }) => <OrderState status={status} /> },
  { title: "Placed", show: ({ createdAt }) => <Time at={createdAt} /> },
  { title: "Amount", show: ({ amount }) => <Money amount={amount} />, isNumber: true },
];

/** What the account's programs have ordered, and the search for one order by their own id. */
export default function OrdersPage() {
  const { accountId } = useAccount();
  const query = useListQuery(READERS);
  const orders = useQuery(listOrders(accountId, query));
  return (
    <Page title="Orders">
      <Section title="Placed by your programs" actions={<File {...query} />}>
        <FilterForm asked={query} error={orders.error}>
          <Field
            label="Your program's id of an order"
            name="externalOrderId"
            type="search"
            defaultValue={query.externalOrderId ?? ""}
            error={faultFields(orders.error).externalOrderId}
          />
        </FilterForm>
        <Found query={orders}>
          {({ orders, ...page }) => (
            <PagedTable
              {...page}
              caption="Orders, the newest first"
              columns={COLUMNS}
              rows={orders}
              idOf={({ orderId }) => orderId}
              empty={<NoOrders {...query} />}
            />
          )}
        </Found>
      </Section>
    </Page>
  );
}

/** Those of the period that is shown, whatever their ids; a file is no list of one order. */
function File({ from, to }: Asked) {
  const { accountId } = useAccount();
  const period = withinAll({ from, to }, useTimeZone());
  return (
    <FileLink href={exportHref("/accounts/{accountId}/exports/orders", accountId, period)}>
      {from === undefined && to === undefined ? "All orders as CSV" : "Orders of these days as CSV"}
    </FileLink>
  );
}

function OrderLink({ orderId, externalOrderId }: Order) {
  const account = useAccount();
  return (
    <Link href={accountPath(account, `/orders/${encodeURIComponent(orderId)}`)}>
      <code>{externalOrderId}</code>
    </Link>
  );
}

function NoOrders({ externalOrderId, from, to }: QueryOf<"listOrders">) {
  const ofDays = from === undefined && to === undefined ? "" : " in these days";
  if (externalOrderId === undefined) {
    return (
      <Empty title={ofDays === "" ? "There are no orders yet." : `There are no orders${ofDays}.`}>
        <p>What your programs order with a key of this account will be listed here.</p>
      </Empty>
    );
  }
  return (
    <Empty title={`No order of this account${ofDays} has the id “${externalOrderId}”.`}>
      <p>Upper and lower case are different, and so are spaces.</p>
    </Empty>
  );
}
