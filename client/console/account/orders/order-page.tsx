import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import type { components } from "../../../../generated/account/types.ts";
import { getOrder } from "../../api/queries.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Money } from "../../ui/money.tsx";
import { Facts, Page, Section } from "../../ui/page.tsx";
import { Found } from "../../ui/states.tsx";
import { Time, TimeOr } from "../../ui/time.tsx";
import { accountPath, useAccount } from "../account.ts";
import { OrderCodes } from "./order-codes.tsx";
import styles from "./order-page.module.css";
import { OrderState } from "./order-state.tsx";
import { stateExplanation } from "./state-explanation.ts";

type Order = components["schemas"]["Order"];

/** One order. */
export default function OrderPage() {
  const account = useAccount();
  const { orderId = "" } = useParams();
  const order = useQuery(getOrder(account.accountId, orderId));
  return (
    <Page title="Order" actions={<Link href={accountPath(account, "/orders")}>All orders</Link>}>
      <Found query={order}>
        {(found) => (
          <>
            <State order={found} />
            <OrderCodes key={found.orderId} order={found} />
            <Details order={found} />
          </>
        )}
      </Found>
    </Page>
  );
}

function State({ order }: { order: Order }) {
  return (
    <Section title={`${order.qty} × ${order.productName}`} actions={<OrderState status={order.status} />}>
      <p>{stateExplanation(order)}</p>
    </Section>
  );
}

function Details({ order }: { order: Order }) {
  const { orderId, externalOrderId, keyId, productId, qty, unitPrice, amount } = order;
  return (
    <Section title="Details">
      <Facts
        facts={[
          ["Your program's id", <Id key="id" text={externalOrderId} />],
          ["The shop's id", <Id key="id" text={orderId} />],
          ["Product", <code key="id">{productId}</code>],
          [
            "Amount",
            <span key="sum">
              {qty} × <Money amount={unitPrice} /> = <Money amount={amount} />
            </span>,
          ],
          ["Placed", <Time key="at" at={order.createdAt} />],
          ["Delivered", <TimeOr key="at" at={order.deliveredAt} otherwise="Not delivered" />],
          ...(order.refundedAt === null
            ? []
            : [["Refunded", <Time key="at" at={order.refundedAt} />] as const]),
          ["Placed with the key", <code key="id">{keyId}</code>],
        ]}
      />
    </Section>
  );
}

function Id({ text }: { text: string }) {
  return (
    <span className={styles.id}>
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  );
}
