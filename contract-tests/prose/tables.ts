/** A table of Markdown, in a page or in a description. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
  /** Where its header stands, from 1. */
  readonly line: number;
}

/** The tables of a text, which may be indented as descriptions are. */
export function tablesIn(text: string): Table[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    if (!/^\s*\|(-+\|)+\s*$/.test(line)) return [];
    const end = lines.findIndex((other, position) => position > index && !/^\s*\|.*\|\s*$/.test(other));
    const rows = lines.slice(index + 1, end === -1 ? lines.length : end);
    return {
      header: cellsOf(lines[index - 1] ?? ""),
      rows: rows.map((row, position) => ({ line: index + position + 2, cells: cellsOf(row) })),
      line: index,
    };
  });
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}

/** The words of a cell that stand in backticks. */
export function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}
