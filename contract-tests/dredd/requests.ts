import { exampleQuery, type Operation } from "../contract.ts";

/** What the service still has, in the order in which it is taken away: what is gone stays gone until the run ends. */
export const STAGES = ["everything", "no upstream", "broken database", "no database"] as const;
export type Stage = (typeof STAGES)[number];

/** What a request needs beyond its method and path template. */
export interface RequestParts {
  /** What lets the request in, such as a key; null sends none. */
  credential: string | null;
  /** The values of the path's parameters, by name. */
  path: Readonly<Record<string, string>>;
  query?: string;
  headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as it is. */
  body?: object | string;
  /** The secret of an app for codes: the `code` of the body is the one that it shows when the request is sent. */
  totpSecret?: string | null;
  /** What the service has when it is sent; everything when not given. */
  stage?: Stage;
}

/**
 * What asks a running service for the answers of an interface: plain data, so that it can be passed to Dredd. What is not
 * said comes from the examples of the document.
 */
export interface Requests {
  /** What lets requests in that say nothing else. */
  credential: string;
  /** The same, of a caller with few requests in a minute, which are used up first; null where nothing limits callers. */
  exhausted: string | null;
  /** By operationId, what leads to its first success. */
  usual?: Readonly<Record<string, Partial<RequestParts>>>;
  /** By operationId and answer, how the usual request is changed; these come before what all operations share. */
  changes?: Readonly<Record<string, Partial<RequestParts>>>;
}

/**
 * The request that must lead to an answer, such as `200` or `200 text/event-stream`, of an operation; undefined when
 * nothing is known that does.
 */
export function requestFor(
  { credential, exhausted, usual: all = {}, changes = {} }: Requests,
  operation: Operation,
  answer: string,
): RequestParts | undefined {
  const exemplary = exampleOf(operation, credential);
  const usual = { ...exemplary, ...all[operation.operationId] };
  const shared: Record<string, Partial<RequestParts> | undefined> = {
    [firstSuccess(operation)]: {},
    401: { credential: null },
    404: { path: mapValues(usual.path, () => "no-such-thing") },
    429: exhausted === null ? undefined : { credential: exhausted },
    500: { stage: "broken database" },
    503: { stage: "no database" },
  };
  const change = changes[`${operation.operationId} ${answer}`] ?? shared[answer.replace(/ .*/, "")];
  return change && { ...usual, ...change, ...mergedBody(usual.body, change.body) };
}

/** The request that the examples of the document make up. */
function exampleOf(operation: Operation, credential: string): RequestParts {
  const { parameters, requestBody, admissions } = operation;
  const [media] = Object.values(requestBody?.content ?? {});
  const [example] = Object.values(media?.examples ?? {});
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const query = exampleQuery(operation);
  return {
    credential: admissions.length === 0 ? null : credential,
    path: Object.fromEntries(inPath.map(({ name, example: value }) => [name, String(value)])),
    ...(query !== "" && { query }),
    ...(example && { body: example.value as object | string }),
  };
}

function firstSuccess({ responses }: Operation): string {
  return Object.keys(responses).find((status) => status.startsWith("2")) ?? "200";
}

/** The fields of a change come before those of the usual body. */
function mergedBody(usual: RequestParts["body"], change: RequestParts["body"]): Pick<RequestParts, "body"> {
  const body =
    typeof usual === "object" && typeof change === "object" ? { ...usual, ...change } : (change ?? usual);
  return body === undefined ? {} : { body };
}

function mapValues<T, U>(object: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}
