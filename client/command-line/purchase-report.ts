import type { PurchaseOutcome } from "../purchase.ts";
import { printable, table } from "./table.ts";

/** What a command has to say: to programs, and to people. */
export interface Report {
  readonly json: unknown;
  readonly text: string;
  /** 1: it cannot be done. 2: a purchase is not certain yet. */
  readonly exitCode: 0 | 1 | 2;
}

/** What became of one purchase. */
export function purchaseReport(outcome: PurchaseOutcome): Report {
  return { json: outcome, text: textOf(outcome), exitCode: exitCodeOf(outcome) };
}

/** What became of those that were not finished. */
export function resumeReport(outcomes: readonly PurchaseOutcome[]): Report {
  const text = outcomes.length === 0 ? "Every purchase is finished." : outcomes.map(textOf).join("\n\n");
  const worst = Math.max(0, ...outcomes.map(exitCodeOf)) as Report["exitCode"];
  return { json: outcomes, text, exitCode: worst };
}

function textOf(outcome: PurchaseOutcome): string {
  const { qty, externalOrderId: id } = outcome;
  const product = printable(outcome.productId);
  const purchase = `${qty} × ${product} (purchase ${printable(id)})`;
  switch (outcome.kind) {
    case "delivered": {
      const codes = outcome.codes.map(({ code, redeemUrl }) => [code, redeemUrl]);
      return `Bought ${purchase} for ${outcome.amount} USD.\n${table(["CODE", "REDEEM AT"], codes)}`;
    }
    case "price_changed":
      return [
        `Not bought: ${purchase} costs ${outcome.actualUnitPrice} USD each, not ${outcome.expectedUnitPrice}.`,
        `To buy at that price: buy ${product} --qty ${qty} --price ${outcome.actualUnitPrice}`,
      ].join("\n");
    case "refused":
      return [
        `Not bought: ${purchase}: ${outcome.error}: ${printable(outcome.message)}`,
        outcome.mayRepeat ? `When that has passed: buy ${product} --qty ${qty} --id ${printable(id)}` : "",
      ]
        .join("\n")
        .trim();
    case "unresolved":
      return [
        `Not certain yet: ${purchase}: ${outcome.error?.error ?? "no answer"}. It may have been bought.`,
        "Do not buy it anew. To find out: resume",
      ].join("\n");
  }
}

function exitCodeOf({ kind }: PurchaseOutcome): Report["exitCode"] {
  if (kind === "delivered") return 0;
  return kind === "unresolved" ? 2 : 1;
}
