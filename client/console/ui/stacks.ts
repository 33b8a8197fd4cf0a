import { sumOf } from "./sum-of.ts";

/** One of the colours of a chart. */
export interface Bars {
  readonly name: string;
  /** Exact, one for each bucket; those below zero hang from the line. */
  readonly amounts: readonly string[];
}

/** A piece of a bar, from a value up to another. */
interface Piece {
  readonly series: number;
  readonly bucket: number;
  readonly from: number;
  readonly to: number;
}

interface Stacks {
  readonly pieces: readonly Piece[];
  /** The ends of the scale: at least 0 and at most 0. */
  readonly top: number;
  readonly bottom: number;
  /** What the highest bar comes to, exactly. */
  readonly highest: string;
}

/** Puts the bars of each bucket upon each other. Only the drawing computes with numbers; what is told is exact. */
export function stacksOf(bars: readonly Bars[]): Stacks {
  const pieces: Piece[] = [];
  const sums: { readonly up: number; readonly down: number; readonly amount: string }[] = [];
  for (const bucket of (bars[0]?.amounts ?? []).keys()) {
    let [up, down] = [0, 0];
    const above: string[] = [];
    for (const [series, { amounts }] of bars.entries()) {
      const text = amounts[bucket] ?? "0";
      const amount = Number(text);
      if (amount > 0) {
        pieces.push({ series, bucket, from: up, to: up + amount });
        above.push(text);
        up += amount;
      } else if (amount < 0) {
        pieces.push({ series, bucket, from: down + amount, to: down });
        down += amount;
      }
    }
    sums.push({ up, down, amount: sumOf(above) });
  }
  const highest = sums.reduce((one, other) => (other.up > one.up ? other : one), NOTHING);
  return {
    pieces,
    top: highest.up,
    bottom: sums.reduce((lowest, { down }) => Math.min(lowest, down), 0),
    highest: highest.amount,
  };
}

const NOTHING = { up: 0, down: 0, amount: "0.00" };
