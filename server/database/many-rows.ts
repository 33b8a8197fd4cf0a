import type { Parameter } from "./database.ts";

const MAX_ROWS = 256;

/** A piece of a statement, with the values of its placeholders. */
export interface Fragment {
  readonly sql: string;
  readonly values: readonly Parameter[];
}

/** `VALUES (?, ?), (?, ?)` for some rows, which all have as many columns. */
export function valuesOf(rows: readonly (readonly Parameter[])[]): Fragment {
  const row = `(${(rows[0] ?? []).map(() => "?").join(", ")})`;
  return { sql: `VALUES ${rows.map(() => row).join(", ")}`, values: rows.flat() };
}

/** `column = ?, column = ?` for the columns that have a value, null included; null where none has. */
export function assignmentsOf(columns: Readonly<Record<string, Parameter | undefined>>): Fragment | null {
  const given = Object.entries(columns).filter(
    (entry): entry is [string, Parameter] => entry[1] !== undefined,
  );
  if (given.length === 0) return null;
  return {
    sql: given.map(([column]) => `${column} = ?`).join(", "),
    values: given.map(([, value]) => value),
  };
}

/**
 * `CASE column WHEN ? THEN ? … END`: a value of its own for each row of an UPDATE.
 * @param otherwise the column that the rows which are not named keep.
 */
export function caseOf(
  column: string,
  entries: Iterable<readonly [Parameter, Parameter]>,
  otherwise?: string,
): Fragment {
  const pairs = [...entries];
  const rest = otherwise === undefined ? "" : ` ELSE ${otherwise}`;
  return {
    sql: `CASE ${column} ${pairs.map(() => "WHEN ? THEN ?").join(" ")}${rest} END`,
    values: pairs.flat(),
  };
}

/** The items in lists of 256, 128, … 2, 1, so that few different statements are prepared. */
export function inPowerOfTwoChunks<T>(items: readonly T[]): T[][] {
  const lists: T[][] = [];
  for (let begin = 0, size = MAX_ROWS; begin < items.length; ) {
    while (size > items.length - begin) size /= 2;
    lists.push(items.slice(begin, begin + size));
    begin += size;
  }
  return lists;
}
