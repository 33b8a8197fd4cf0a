import type { components } from "../../../../generated/account/types.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import styles from "./shown-secret.module.css";

/** Lines for a terminal that try a new key: one as it stands, and one that buys. */
export function TryKey({ kind, secret }: { kind: components["schemas"]["KeyKind"]; secret: string }) {
  const shop = `curl -s ${location.origin}/shop/v1`;
  const header = `-H 'Authorization: Bearer ${secret}'`;
  if (kind === "ai_proxy") {
    return (
      <Line
        does="This line lists the models that it may call:"
        line={`curl -s ${location.origin}/v1/models -H 'x-api-key: ${secret}'`}
      />
    );
  }
  const order = JSON.stringify({ externalOrderId: "my-first-order", productId: "PRODUCT", qty: 1 });
  return (
    <>
      <Line does="This line lists the products with your prices:" line={`${shop}/products ${header}`} />
      {kind === "product_ordering" && (
        <Line
          does="And this one buys, with the id of one of them in the place of PRODUCT:"
          line={`${shop}/orders ${header} -H 'Content-Type: application/json' -d '${order}'`}
        />
      )}
    </>
  );
}

function Line({ does, line }: { does: string; line: string }) {
  return (
    <div className={styles.line}>
      <p>{does}</p>
      <code className={styles.secret}>{line}</code>
      <div>
        <CopyButton text={line} label="Copy the line" />
      </div>
    </div>
  );
}
