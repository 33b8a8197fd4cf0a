import type { SpecOperation } from "../fuzz/spec.ts";

/** How an operation gives a list page by page, as its document tells it. */
export interface ListShape {
  /** The field of the answer that holds the rows. */
  readonly rows: string;
  /** The field that says whether there are more; null where the list does not tell. */
  readonly more: string | null;
  /** The most rows that a page may have. */
  readonly most: number;
  /** How many it has where nothing is said. */
  readonly usual: number;
  /** The parameters that lead to another page, each with the field of this page that they take. */
  readonly next: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, { type?: string | readonly string[] }>>;

/**
 * How an operation gives a list; null when it gives none, for it takes no `limit`.
 * A parameter that leads to another page names the field that it takes in its description, as `nextCursor` in backticks.
 * @param fields of the body of its 200
 */
export function listShapeOf({ operationId, allParameters }: SpecOperation, fields: Fields): ListShape | null {
  const limit = allParameters.find(({ name }) => name === "limit");
  if (limit === undefined) return null;
  const ofType = (type: string) => Object.keys(fields).filter((name) => fields[name]?.type === type);
  const [rows, ...otherRows] = ofType("array");
  const [more = null, ...otherMores] = ofType("boolean");
  const most = limit.schema.maximum;
  const { default: usual } = limit.schema as { default?: number };
  if (rows === undefined || otherRows.length + otherMores.length > 0 || most === undefined)
    throw new Error(
      `The answer of ${operationId} is no list as others are: one array, and perhaps one boolean.`,
    );
  const next = allParameters.flatMap(({ name, ...parameter }): [string, string][] => {
    const { description = "" } = parameter as { description?: string };
    const field = Object.keys(fields).find((it) => description.includes(`\`${it}\``));
    return field === undefined ? [] : [[name, field]];
  });
  return { rows, more, most, usual: usual ?? most, next: Object.fromEntries(next) };
}
