/** What the service still has, in the order in which it is taken away: what is gone stays gone until the run ends. */
export const STAGES = ["everything", "no upstream", "no database"] as const;
export type Stage = (typeof STAGES)[number];

/** What a request needs beyond its method and path template. */
export interface RequestParts {
  key: string | null;
  /** Fills `{id}` of the path. */
  id?: string;
  query?: string;
  body?: object;
  /** What the service has when it is sent; everything when not given. */
  stage?: Stage;
}

/** What asks a running service for the answers of an interface: plain data, so that it can be passed to Dredd. */
export interface Requests {
  /** By operationId, what leads to its 200. */
  usual: Record<string, RequestParts>;
  /** By operationId and status, how the usual request is changed; these come before what all operations share. */
  changes: Record<string, Partial<RequestParts>>;
  /** A key of an account that has used up its requests of this minute. */
  exhaustedKey: string;
}

/**
 * The request that must lead to an answer, such as `200` or `200 text/event-stream`, of an operation; undefined when
 * nobody has said what does.
 */
export function requestFor(
  { usual: all, changes, exhaustedKey }: Requests,
  operationId: string,
  answer: string,
): RequestParts | undefined {
  const shared: Record<string, Partial<RequestParts>> = {
    200: {},
    401: { key: null },
    429: { key: exhaustedKey },
    500: { stage: "no database" },
  };
  const usual = all[operationId];
  const change = changes[`${operationId} ${answer}`] ?? shared[answer];
  if (!usual || !change) return undefined;
  return { ...usual, ...change, ...(usual.body && { body: { ...usual.body, ...change.body } }) };
}
