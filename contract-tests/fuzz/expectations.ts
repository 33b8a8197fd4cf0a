import type { InterfaceName } from "../contract.ts";
import type { SpecOperation } from "./spec.ts";
import type { RequestParts } from "./valid-requests.ts";

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
  /** The code of the ordering interface, or the type of error of the AI proxy. */
  readonly code: string;
}

/** What the reference and design say of faults, by interface. */
const REFUSALS: Readonly<Record<InterfaceName, Readonly<Record<FaultKind, Refusal>>>> = {
  ordering: {
    "no key": { status: 401, code: "unauthorized" },
    "wrong kind of key": { status: 403, code: "insufficient_scope" },
    "unreadable body": { status: 400, code: "bad_request" },
    "invalid input": { status: 400, code: "invalid_input" },
    "invalid path": { status: 400, code: "invalid_input" },
    "no such path": { status: 404, code: "not_found" },
  },
  proxy: {
    "no key": { status: 401, code: "authentication_error" },
    "wrong kind of key": { status: 401, code: "authentication_error" },
    "unreadable body": { status: 400, code: "invalid_request_error" },
    "invalid input": { status: 400, code: "invalid_request_error" },
    "invalid path": { status: 400, code: "invalid_request_error" },
    "no such path": { status: 404, code: "not_found_error" },
  },
};

/** How an operation has to refuse a request; null when its document has no status for it. */
export function refusalOf(
  name: InterfaceName,
  operation: Pick<SpecOperation, "responses">,
  kind: FaultKind,
): Refusal | null {
  const refusals = REFUSALS[name];
  const refusal = refusals[kind];
  if (String(refusal.status) in operation.responses) return refusal;
  // An id that no order can have is the id of no order.
  const notFound = refusals["no such path"];
  return kind === "invalid path" && String(notFound.status) in operation.responses ? notFound : null;
}

/** The code or type in the body of an error, in the shape of whichever interface. */
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

/** Statuses that no request of a caller with enough requests left and a valid key of the right kind may get. */
const NEVER = new Set([400, 401, 403, 429]);

/**
 * The statuses that a request may get which the document allows: all documented ones but faults of the service and faults
 * of the request, unless it asks for what only the running shop can know.
 * @param models the ids of the models that the shop offers.
 */
export function lawfulStatuses(
  operation: SpecOperation,
  parts: RequestParts,
  models: readonly string[],
): number[] {
  const documented = Object.keys(operation.responses).map(Number);
  const usual = documented.filter((status) => status < 500 && !NEVER.has(status));
  return mayBeRefused(operation, parts, models) ? [...usual, 400] : usual;
}

/** The most output that any model gives. */
const MOST_TOKENS = 100_000_000;
/** Parameters whose values are the service's own. */
const OPAQUE = new Set(["cursor", "after_id", "before_id"]);

function mayBeRefused(
  { allParameters }: SpecOperation,
  { query, body, headers }: RequestParts,
  models: readonly string[],
): boolean {
  if (query.some(([name]) => OPAQUE.has(name))) return true;
  if (typeof body !== "string") return false;
  const { model, max_tokens: maxTokens } = JSON.parse(body);
  if (typeof model !== "string") return false;
  // Upstreams refuse calls without a version.
  const wantsVersion = allParameters.some(({ name }) => name === "anthropic-version");
  const lacksVersion = wantsVersion && !headers["anthropic-version"]?.trim();
  return !models.includes(model) || maxTokens > MOST_TOKENS || lacksVersion;
}
