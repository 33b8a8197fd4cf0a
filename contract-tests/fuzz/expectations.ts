import type { SpecOperation } from "./spec.ts";

/** What can be wrong with a request in one place. */
export type FaultKind =
  /** No key, or none that is valid. */
  | "no key"
  /** A valid key of a kind that may not do this. */
  | "wrong kind of key"
  /** A body that is no JSON object. */
  | "unreadable body"
  /** A body, or a parameter of the query, that the schema forbids. */
  | "invalid input"
  /** A parameter of the path that the schema forbids. */
  | "invalid path"
  /** A parameter of the path that is missing, which makes it another path. */
  | "no such path";

/** How a request has to be refused. */
export interface Refusal {
  readonly status: number;
  /** The code or the type of its error. */
  readonly code: string;
}

/** How interfaces refuse whose errors are told by a code. */
export const REFUSALS_BY_CODE: Readonly<Record<FaultKind, Refusal>> = {
  "no key": { status: 401, code: "unauthorized" },
  "wrong kind of key": { status: 403, code: "insufficient_scope" },
  "unreadable body": { status: 400, code: "bad_request" },
  "invalid input": { status: 400, code: "invalid_input" },
  "invalid path": { status: 400, code: "invalid_input" },
  "no such path": { status: 404, code: "not_found" },
};

/** How an operation has to refuse a request; null when its document has no status for it. */
export function refusalOf(
  refusals: Readonly<Record<FaultKind, Refusal>>,
  operation: Pick<SpecOperation, "responses">,
  kind: FaultKind,
): Refusal | null {
  const refusal = refusals[kind];
  if (String(refusal.status) in operation.responses) return refusal;
  // An id that nothing can have is the id of nothing.
  const notFound = refusals["no such path"];
  return kind === "invalid path" && String(notFound.status) in operation.responses ? notFound : null;
}

/** The code or type in the body of an error, in either shape. */
export function codeIn(body: string): unknown {
  try {
    const { error } = JSON.parse(body);
    return typeof error === "object" ? error.type : error;
  } catch {
    return undefined;
  }
}

/** The text for people in the body of an error. */
export function messageIn(body: string): string {
  const { message, error } = JSON.parse(body);
  return message ?? error.message;
}

/** Statuses that no request may get which the document allows, because of itself. */
const NEVER = new Set([400]);
/** The same for those of a caller with enough requests left and a valid key of the right kind. */
const NEVER_ADMITTED = new Set([...NEVER, 401, 403, 429]);

/**
 * The statuses that a request may get which the document allows: all documented ones but faults of the service and faults
 * of the request. An operation that is open to everybody may refuse by them what it is told, such as a wrong password.
 * @param mayBeRefused whether it asks for what only the running shop can know
 */
export function documentedStatuses(
  { responses, admissions }: Pick<SpecOperation, "responses" | "admissions">,
  mayBeRefused: boolean,
): number[] {
  const never = admissions.length === 0 ? NEVER : NEVER_ADMITTED;
  const usual = Object.keys(responses)
    .map(Number)
    .filter((status) => status < 500 && !never.has(status));
  return mayBeRefused ? [...usual, 400] : usual;
}
