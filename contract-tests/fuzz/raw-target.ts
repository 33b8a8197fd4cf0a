/** What a request on a socket comes to: it is answered well, or refused in the shape of its interface. */
export type RawOutcome = "ok" | "unreadable" | "invalid" | "no such path" | "no such method" | "no key";

/** What an interface is asked for with bytes on a socket. */
export interface RawTarget {
  /** An operation that reads and takes no input, with the base path. */
  readonly readPath: string;
  /** The name of a credential that may read and write. */
  readonly credential: string;
  /** The header that it is sent in, and what stands before it. */
  readonly admission: { readonly header: string; readonly prefix: string };
  /** An operation that takes a JSON body; null when there is none. */
  readonly write: RawWrite | null;
  readonly answers: Readonly<Record<RawOutcome, readonly [status: number, code?: string]>>;
  /** Whether several slashes are one, and one at the end none. */
  readonly ignoresSlashes?: boolean;
}

/** An operation that takes a JSON body. */
export interface RawWrite {
  /** With the base path. */
  readonly path: string;
  /** Beside the credential and the type of the body; each line ends with CRLF. */
  readonly headers: string;
  /** A field that is a whole number of at least 1. */
  readonly numberField: string;
  readonly limitBytes: number;
  /** Whether bodies go on to the upstream as they are, with unknown fields, and so have to be UTF-8 without a mark. */
  readonly passesBodiesOn: boolean;
  /** The other fields of a good body, without braces. @param count another one each time */
  fields(count: number): string;
}

/** How interfaces answer whose errors are told by a code. */
export const ANSWERS_BY_CODE: RawTarget["answers"] = {
  ok: [200],
  unreadable: [400, "bad_request"],
  invalid: [400, "invalid_input"],
  "no such path": [404, "not_found"],
  "no such method": [405, "bad_request"],
  "no key": [401, "unauthorized"],
};
