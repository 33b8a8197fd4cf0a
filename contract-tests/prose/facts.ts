import { PASSING_TYPES } from "../../client/proxy-errors.ts";
import { FOUND_BY_STATUS, RETRY_RULES } from "../../client/purchase-attempt.ts";
import { LEVEL_THRESHOLDS } from "../../server/accounts/level.ts";
import { SCOPES } from "../../server/keys/api-key.ts";
import { MICROCENTS_PER_USD } from "../../server/money/microcents.ts";
import { TRANSITIONS } from "../../server/orders/order-status.ts";
import type { Json } from "../../spec/tools/follow.ts";
import { codesIn, type Table } from "./tables.ts";

/** What the tables and sentences of one interface are compared with. */
export interface Facts {
  readonly document: Json;
  /** Which error codes come with which status, as `404 not_found`: of operations, and of paths and methods that are not there. */
  readonly ofOperations: ReadonlySet<string>;
  readonly ofNoOperation: ReadonlySet<string>;
}

/** Compares a table with the facts. @returns what is wrong, each with its line */
type TableRule = (table: Table, facts: Facts) => { readonly line: number; readonly fault: string }[];

/** By the cells of its header: what a table is compared with. One that repeats the document must be here. */
export const TABLE_RULES: Readonly<Record<string, TableRule>> = {
  "HTTP | `error` | What to do": both(compareErrors, both(compareIds(1, 2), compareRepetition(1, 2))),
  "HTTP | Code | Condition | What to do": both(
    compareErrors,
    both(compareIds(1, 3), compareRepetition(1, 3)),
  ),
  "HTTP | `error.type` | What to do": both(compareErrors, compareRepetition(1, 2)),
  "HTTP | Type | Condition | What to do": both(compareErrors, compareRepetition(1, 3)),
  "`status` | To the buyer | To the operator": both(valuesOf("OrderStatus", 0), compareIds(0, 1)),
  "State | Meaning | What to do": both(valuesOf("OrderStatus", 0), compareIds(0, 2)),
  "From | To | When": compareTransitions,
  "Level | Cumulative top-up": compareRows(() =>
    Object.entries(LEVEL_THRESHOLDS).map(
      ([level, threshold]) => `${level} | ${threshold / MICROCENTS_PER_USD} USD`,
    ),
  ),
  "Kind | Scopes | Effect": compareRows(() =>
    Object.entries(SCOPES).map(([kind, scopes]) => `${kind} | ${scopes.join(" ")}`),
  ),
  "What happens | `outcome` | You pay for": both(valuesOf("CallOutcome", 1), compareCharges(1, 2)),
  "Outcome | Meaning | Charge": both(valuesOf("CallOutcome", 0), compareCharges(0, 2)),
};

function both(one: TableRule, other: TableRule): TableRule {
  return (table, facts) => [...one(table, facts), ...other(table, facts)];
}

/** Whether a table says again what the document says: a status, an error code or another value of an enum begins its rows. */
export function repeatsTheDocument({ rows }: Table, { document, ofOperations }: Facts): boolean {
  const schemas = Object.values<Json>(document.components.schemas);
  const values = new Set(schemas.flatMap((schema): string[] => schema.enum ?? []));
  const codes = new Set([...ofOperations].map((pair) => pair.replace(/^\d+ /, "")));
  return rows.some(({ cells: [first = ""] }) => {
    const [code = ""] = codesIn(first);
    return /^[45]\d\d\b/.test(first) || values.has(code) || codes.has(code);
  });
}

/** Every row has codes with the status that it names, and no code of the document is left out. */
function compareErrors({ rows, line }: Table, { ofOperations, ofNoOperation }: Facts) {
  const isKnown = (pair: string) => ofOperations.has(pair) || ofNoOperation.has(pair);
  const pairsOf = ([statuses = "", codes = ""]: readonly string[]) =>
    statuses.split(", ").map((status) => codesIn(codes).map((code) => `${status} ${code}`));
  const wrong = rows.flatMap(({ line, cells }) => {
    const byStatus = pairsOf(cells);
    const byCode = codesIn(cells[1] ?? "").map((_, index) => byStatus.map((pairs) => pairs[index] ?? ""));
    return [...byStatus, ...byCode]
      .filter((pairs) => !pairs.some(isKnown))
      .map((pairs) => ({ line, fault: `says ${pairs.join(" or ")}, which no answer of the document has` }));
  });
  const told = new Set(rows.flatMap(({ cells }) => pairsOf(cells).flat()));
  const missing = [...ofOperations].filter((pair) => !told.has(pair));
  return [...wrong, ...missing.map((pair) => ({ line, fault: `lacks ${pair}, which the document has` }))];
}

/** The codes of a column are all values of an enum of the document. */
function valuesOf(schema: string, column: number): TableRule {
  return ({ rows, line }, { document }) => {
    const values: string[] = document.components.schemas[schema].enum;
    const told = rows.map((row) => ({ line: row.line, code: codesIn(row.cells[column] ?? "")[0] ?? "" }));
    const missing = values.filter((value) => !told.some(({ code }) => code === value));
    return [
      ...told
        .filter(({ code }) => !values.includes(code))
        .map(({ line, code }) => ({ line, fault: `has ${code}, which is no ${schema}` })),
      ...missing.map((value) => ({ line, fault: `lacks the ${schema} ${value}` })),
    ];
  };
}

/** The first two cells of the rows are those, in their order. */
function compareRows(expected: () => string[]): TableRule {
  return ({ rows, line }) => {
    const told = rows.map(({ cells }) => cells.slice(0, 2).join(" | ").replaceAll("`", ""));
    return JSON.stringify(told) === JSON.stringify(expected())
      ? []
      : [{ line, fault: `should have the rows ${expected().join(", ")}; it has ${told.join(", ")}` }];
  };
}

const ID = "(?:`externalOrderId`|ids?\\b|order\\b)";
const SAYS_NEW = new RegExp(`\\bnew\\W+${ID}`);
const SAYS_SAME = new RegExp(`\\b(?:same|original)\\W+${ID}|same one fails`);

/** Whether an order may be sent again as it was: what each code and each state means to our own client. */
const MAY_REPEAT: Readonly<Record<string, boolean>> = Object.fromEntries([
  ...Object.entries(RETRY_RULES).map(([code, rule]) => [code, rule !== "end"]),
  ...Object.entries(FOUND_BY_STATUS).map(([status, found]) => [status, found !== "closed"]),
]);

/** Under which id a purchase goes on: under the same, or under a new one. A table that says the other makes buyers pay twice. */
function compareIds(codes: number, advice: number): TableRule {
  return ({ rows }) =>
    rows.flatMap(({ line, cells }) =>
      codesIn(cells[codes] ?? "").flatMap((code) => {
        const words = cells[advice] ?? "";
        const wrong = MAY_REPEAT[code] === false ? SAYS_SAME : SAYS_NEW;
        if (code === "invalid_input" || code === "bad_request" || !wrong.test(words)) return [];
        const id = MAY_REPEAT[code] === false ? "a new id" : "the same id";
        return [{ line, fault: `says "${words}" of ${code}, after which a purchase goes on under ${id}` }];
      }),
    );
}

/** The codes and types after which our own client sends the same again by itself. */
const REPEATED: ReadonlySet<string> = new Set([
  ...Object.keys(RETRY_RULES).filter((code) => RETRY_RULES[code as keyof typeof RETRY_RULES] === "repeat"),
  ...PASSING_TYPES,
]);

/** Of what passes a table says that it passes, and of nothing else that it is to be sent again and again. */
function compareRepetition(codes: number, advice: number): TableRule {
  return ({ rows }) =>
    rows.flatMap(({ line, cells }) => {
      const words = cells[advice] ?? "";
      const told = codesIn(cells[codes] ?? "");
      const passes = told.length > 0 && told.every((code) => REPEATED.has(code));
      const others = told.filter((code) => !REPEATED.has(code));
      if (others.length > 0 && /\bback ?off/i.test(words))
        return [
          { line, fault: `says "${words}" of ${others.join(", ")}, which our client does not send again` },
        ];
      if (!passes || (/again|retry|back off|the same/i.test(words) && !/do not/i.test(words))) return [];
      return [{ line, fault: `says "${words}" of ${told.join(", ")}, which passes: the same is sent again` }];
    });
}

/** What is charged for an outcome, where that is told in one word: a refused call is free, and a complete one what it took. */
function compareCharges(outcome: number, charge: number): TableRule {
  return ({ rows }) =>
    rows.flatMap(({ line, cells }) => {
      const [code] = codesIn(cells[outcome] ?? "");
      const words = cells[charge] ?? "";
      const isWrong =
        (code === "rejected" && words !== "nothing") ||
        (code === "completed" && !/the upstream (?:counted|reported)/.test(words));
      return isWrong ? [{ line, fault: `says that ${code} is charged "${words}"` }] : [];
    });
}

const BEGINNINGS = ["(none) -> delivered", "(none) -> processing"];

/** The moves of an order, as `processing -> delivered`. */
export function transitions(): string[] {
  const moves = Object.entries(TRANSITIONS).flatMap(([from, to]) => to.map((state) => `${from} -> ${state}`));
  return [...BEGINNINGS, ...moves].sort();
}

function compareTransitions({ rows, line }: Table) {
  const told = rows.map(({ cells: [from = "", to = ""] }) => `${from} -> ${to}`.replaceAll("`", "")).sort();
  return JSON.stringify(told) === JSON.stringify(transitions())
    ? []
    : [{ line, fault: `should have the moves ${transitions().join(", ")}; it has ${told.join(", ")}` }];
}
