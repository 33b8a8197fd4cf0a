import styles from "./money.module.css";

/**
 * An amount of the contract, such as `-1234.5042`, for a person: `−$1,234.5042`. Every digit stays what it is, since a text is
 * never made a number.
 */
export function moneyText(amount: string): string {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? [];
  if (whole === "") return amount;
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  const cents = rest.padEnd(rest === "" ? 0 : 3, "0");
  const isNegative = sign === "-" && /[1-9]/.test(whole + rest);
  return `${isNegative ? "−" : ""}$${grouped}${cents === "" ? ".00" : cents}`;
}

/** An amount in USD. */
export function Money({ amount, size = "text" }: { amount: string; size?: "text" | "large" }) {
  return <span className={size === "large" ? styles.large : styles.text}>{moneyText(amount)}</span>;
}
