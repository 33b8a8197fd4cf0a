/** What a request needs beyond its method and path template. */
export interface RequestParts {
  key: string | null;
  /** Fills `{id}` of the path. */
  id?: string;
  query?: string;
  body?: object;
}

/** What asks a running service for the answers of an interface: plain data, so that it can be passed to Dredd. */
export interface Requests {
  /** By operationId, what leads to its 200. */
  usual: Record<string, RequestParts>;
  /** By operationId and status, how the usual request is changed; without a change no plain request leads there. */
  changes: Record<string, Partial<RequestParts>>;
  /** A key of an account that has used up its requests of this minute. */
  exhaustedKey: string;
}

/** The request that must lead to that answer of an operation; undefined where no plain request can. */
export function requestFor(
  { usual: all, changes, exhaustedKey }: Requests,
  operationId: string,
  answer: string,
): RequestParts | undefined {
  const usual = all[operationId];
  if (!usual) return undefined;
  if (answer === "200") return usual;
  if (answer === "401") return { ...usual, key: null };
  if (answer === "429") return { ...usual, key: exhaustedKey };
  const change = changes[`${operationId} ${answer}`];
  return change && { ...usual, ...change, ...(usual.body && { body: { ...usual.body, ...change.body } }) };
}
