import { useState } from "react";
import type { components } from "../../../../generated/account/types.ts";
import { ask, client } from "../../api/client.ts";
import { useChange } from "../../api/use-change.ts";
import { Button, Buttons } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Section } from "../../ui/page.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { useAccount } from "../account.ts";
import styles from "./order-codes.module.css";

type Order = components["schemas"]["Order"];
type Codes = components["schemas"]["OrderCodes"];

/** The codes of an order, shown when a person asks for them, which the account's activity tells. */
export function OrderCodes({ order: { orderId, status } }: { order: Pick<Order, "orderId" | "status"> }) {
  const { accountId } = useAccount();
  const [shown, setShown] = useState<Codes | null>(null);
  const reveal = useChange(() =>
    ask(() =>
      client.POST("/accounts/{accountId}/orders/{orderId}/codes", {
        params: { path: { accountId, orderId } },
      }),
    ),
  );
  const hide = () => {
    setShown(null);
    reveal.reset();
  };
  return (
    <Section title="Codes">
      {reveal.fault !== null && <FaultNote fault={reveal.fault} />}
      {shown === null ? (
        <>
          <p>Whoever has a code can redeem it. That you looked is told in the account's activity.</p>
          <div>
            <Button
              whyNot={whyNone(status)}
              isPending={reveal.isPending}
              onClick={() => void reveal.send(undefined).then(setShown)}
            >
              Show the codes
            </Button>
          </div>
        </>
      ) : (
        <Shown codes={shown} onHide={hide} />
      )}
    </Section>
  );
}

function Shown({ codes: { codes, redeemUrl }, onHide }: { codes: Codes; onHide: () => void }) {
  return (
    <>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      {redeemUrl !== null && (
        <p>
          They are redeemed at{" "}
          <a href={redeemUrl} rel="noopener noreferrer">
            {redeemUrl}
          </a>
          .
        </p>
      )}
      <Buttons>
        <CopyButton text={codes.join("\n")} label="Copy all" />
        <Button onClick={onHide}>Hide them</Button>
      </Buttons>
    </>
  );
}

function whyNone(status: string): string | null {
  if (status === "delivered") return null;
  return status === "refunded" ? "The order was refunded." : "The order is not delivered.";
}
