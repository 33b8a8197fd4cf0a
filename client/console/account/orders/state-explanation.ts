import type { components } from "../../../../generated/account/types.ts";

type Order = components["schemas"]["Order"];

/** Why nothing was bought. Others may come; they are told as they are. */
const REASONS: Readonly<Record<string, string>> = {
  out_of_stock: "the product was out of stock",
  supplier_price_changed: "the shop's supplier had changed its price",
  supplier_not_configured: "the shop could not reach its supplier",
  insufficient_balance: "the balance did not cover it",
};

/** What the state of an order means, and what is to be done about it. */
export function stateExplanation({ status, errorCode }: Pick<Order, "status" | "errorCode">): string {
  const reason = errorCode === null ? "" : `: ${REASONS[errorCode] ?? errorCode.replaceAll("_", " ")}`;
  switch (status) {
    case "processing":
      return "The codes are being bought, and the amount is set aside. Your program gets them when it sends the order again.";
    case "retryable":
      return `Nothing was bought and nothing charged${reason}. Your program may send the same order again.`;
    case "failed":
      return `Nothing was bought and nothing charged${reason}. Another order needs another id.`;
    case "delivered":
      return "The codes were delivered and the amount was charged. Your program gets the same codes whenever it sends the order again.";
    case "refunded":
      return "The amount was given back to the balance.";
    default:
      return `The shop calls its state “${status}”.`;
  }
}
