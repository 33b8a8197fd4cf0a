import { follow, type Json } from "./follow.ts";

/** One documented answer that is an error. */
export interface ErrorAnswer {
  /** Such as `GET /orders 404`. */
  readonly place: string;
  readonly status: number;
  readonly codes: readonly string[];
}

/**
 * Finds with which statuses each error code of a bundled document comes.
 *
 * Errors are told by a code in `error` (then each code has one status), or by `error.type` (then a type may have several).
 * Codes of the schema `ApiError` that no operation answers have none: paths and methods that are not there belong to no
 * operation.
 * @throws when an error does not say its codes, or a code in `error` has two statuses or none
 */
export function errorStatusesOf(document: Json): Record<string, number | readonly number[]> {
  const answers = errorAnswersOf(document);
  const listed = codesIn(document, document.components?.schemas?.ApiError) ?? [];
  const codes = [...new Set([...listed, ...answers.flatMap((answer) => answer.codes)])];
  const statuses = codes.map((code): [string, readonly number[]] => {
    const found = answers.filter((answer) => answer.codes.includes(code)).map(({ status }) => status);
    return [code, [...new Set(found)].sort((a, b) => a - b)];
  });
  if (isTypeShape(document)) return Object.fromEntries(statuses);
  const ambiguous = statuses.filter(([, all]) => all.length !== 1);
  if (ambiguous.length > 0)
    throw new Error(ambiguous.map(([code]) => tellAmbiguous(code, answers)).join("\n"));
  return Object.fromEntries(statuses.map(([code, [status = 0]]) => [code, status]));
}

/** The text of `errors.ts`, without its banner. */
export function errorTable(document: Json): string {
  const rows = Object.entries(errorStatusesOf(document)).map(
    ([code, statuses]) => `  ${code}: ${JSON.stringify(statuses).replaceAll(",", ", ")},\n`,
  );
  const told = isTypeShape(document)
    ? "The statuses that each type of error comes with; one without any is no operation's answer."
    : "The status that each error code comes with.";
  return `/** ${told} */\nexport const ERROR_STATUSES = {\n${rows.join("")}} as const;\n`;
}

/** Whether errors are told by their `error.type`. */
function isTypeShape(document: Json): boolean {
  const { error } = follow(document, document.components?.schemas?.ApiError)?.properties ?? {};
  return follow(document, error)?.type === "object";
}

/** Every documented answer that is an error, with the codes that it may have. @throws when one does not say them */
export function errorAnswersOf(document: Json): ErrorAnswer[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).flatMap(([method, { responses = {} }]) =>
      Object.entries<Json>(responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, response]) => {
          const place = `${method.toUpperCase()} ${path} ${status}`;
          const { content = {} } = follow(document, response);
          const codes = codesIn(document, content["application/json"]?.schema);
          if (codes === null) throw new Error(`${place} does not say which error codes it can have.`);
          return { place, status: Number(status), codes };
        }),
    ),
  );
}

/** The codes that the body of an error may have; null when it has neither of the shapes of errors. */
export function codesIn(document: Json, schema: Json): string[] | null {
  const error = follow(document, follow(document, schema)?.properties?.error);
  const code = error?.type === "object" ? follow(document, error.properties?.type) : error;
  if (code?.const !== undefined) return [code.const];
  return code?.enum ?? null;
}

function tellAmbiguous(code: string, answers: readonly ErrorAnswer[]): string {
  const places = answers.filter(({ codes }) => codes.includes(code)).map(({ place }) => place);
  if (places.length === 0) return `No answer of any operation has the error code ${code}.`;
  return `The error code ${code} must have one status, and has several: ${places.join(", ")}.`;
}
