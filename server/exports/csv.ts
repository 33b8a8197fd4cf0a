import { formatExactUsd, type Microcents } from "../money/microcents.ts";

/** What stands in a cell: a text, a number, an amount of money, or nothing. */
export type Cell = string | number | Microcents | null;

/** A file's row: RFC 4180. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

// What spreadsheets take for the beginning of a formula (CWE-1236), also in full width.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const TO_BE_QUOTED = /[",\r\n]/;

/** Numbers and amounts stay numbers, also below zero; a text that a spreadsheet would compute begins with an apostrophe. */
function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "bigint") return formatExactUsd(cell);
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return TO_BE_QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
