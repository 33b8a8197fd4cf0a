import Table from "cli-table3";
import { formatUsd, type Microcents } from "../money/microcents.ts";

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** What a command has to say: to programs, and to people. */
export interface Report {
  readonly json: JsonValue;
  readonly text: string;
  /** Set when the command did its work and what it found is bad: goes to stderr, and the exit code is 1. */
  readonly failure?: string;
}

type Cell = string | number | null;

// Without borders a table can be read, searched and cut by columns.
const NO_BORDERS = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};
const STYLE = { head: [], border: [], "padding-left": 0, "padding-right": 0 };

// Control and direction characters of a text that a buyer or supplier chose could rewrite the operator's screen.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Rows under headings; a heading that starts with `>` aligns its column to the right. `none` stands for no rows. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[], none: string): string {
  if (rows.length === 0) return none;
  const shown = new Table({
    head: headings.map((heading) => heading.replace(/^>/, "")),
    colAligns: headings.map((heading) => (heading.startsWith(">") ? "right" : "left")),
    chars: NO_BORDERS,
    style: STYLE,
  });
  shown.push(...rows.map((row) => row.map(cellText)));
  return withoutTrailingSpace(shown.toString());
}

/** One thing, a property per line. */
export function details(properties: Readonly<Record<string, Cell>>): string {
  const shown = new Table({ chars: NO_BORDERS, style: STYLE });
  shown.push(...Object.entries(properties).map(([name, value]) => [name, cellText(value)]));
  return withoutTrailingSpace(shown.toString());
}

/** A moment in ISO 8601, UTC. */
export function isoTime(timeMs: number): string;
export function isoTime(timeMs: number | null): string | null;
export function isoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

/** An amount that may be absent. */
export function optionalUsd(amount: Microcents | null): string | null {
  return amount === null ? null : formatUsd(amount);
}

/** The text with everything in it that does not print spelled out. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

function cellText(cell: Cell): string {
  return cell === null ? "-" : printable(String(cell));
}

function withoutTrailingSpace(text: string): string {
  return text.replaceAll(/ +$/gm, "");
}
