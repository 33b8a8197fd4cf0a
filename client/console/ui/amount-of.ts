/**
 * What a person has typed as an amount, as the contract writes it; null for nothing. Whatever else it holds stays, to be refused:
 * `1,5` is one and a half to some, and `1,500` is that too, or a thousand times as much.
 */
export function amountOf(typed: string): string | null {
  const amount = typed.trim().replace(/^\$\s*/, "");
  return amount === "" ? null : amount;
}
