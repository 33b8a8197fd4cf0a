const MAX_DECIMALS = 8;

/** The exact sum of amounts such as `-0.00000127`, written as the contract does: with two to eight decimals. */
export function sumOf(amounts: readonly string[]): string {
  const sum = amounts.reduce((before, amount) => before + unitsIn(amount), 0n);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(MAX_DECIMALS + 1, "0");
  const decimals = digits.slice(-MAX_DECIMALS).replace(/0{1,6}$/, "");
  return `${sum < 0n ? "-" : ""}${digits.slice(0, -MAX_DECIMALS)}.${decimals}`;
}

/** Which of two amounts is the larger, as sorting wants it. */
export function compareAmounts(one: string, other: string): number {
  const difference = unitsIn(one) - unitsIn(other);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

function unitsIn(amount: string): bigint {
  const [, sign = "", whole = "0", decimals = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(amount) ?? [];
  return BigInt(`${sign}${whole}${decimals.padEnd(MAX_DECIMALS, "0")}`);
}
