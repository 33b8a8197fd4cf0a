import Table from "cli-table3";

type Cell = string | number | boolean | null;

const SIDES = ["top", "bottom", "left", "right", "mid"];
const JOINTS = ["top-mid", "top-left", "top-right", "bottom-mid", "bottom-left", "bottom-right"];
const INNER = ["left-mid", "mid-mid", "right-mid"];
// Without borders a table can be read, searched and cut by columns.
const NO_BORDERS = {
  ...Object.fromEntries([...SIDES, ...JOINTS, ...INNER].map((name) => [name, ""])),
  middle: "  ",
};

// Control and direction characters of a text that the shop chose could rewrite the screen.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Rows under headings. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const shown = new Table({
    head: [...headings],
    chars: NO_BORDERS,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  shown.push(...rows.map((row) => row.map((cell) => (cell === null ? "-" : printable(String(cell))))));
  return shown.toString().replaceAll(/ +$/gm, "");
}

/** The text with everything in it that does not print spelled out. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
