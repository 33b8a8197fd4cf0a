import type { Caller } from "../../server/keys/api-key.ts";

/** A request, what the use cases give for it, and what must come of both: each value in its own field. */
export interface FieldCase {
  readonly operationId: string;
  /** What is special of it, where an operation has several. */
  readonly name?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
  /** Values that are the same on purpose, as at a limit. */
  readonly alike?: readonly string[];
  /** By service and use case, such as `orders.place`. No two texts, numbers or amounts in it are the same otherwise. */
  readonly gives: Readonly<Record<string, unknown>>;
  /** What the use cases must be asked with. */
  readonly asked: Readonly<Record<string, readonly unknown[]>>;
  /** The body of the 200. */
  readonly answer: object;
}

/** The field cases of an interface, and whose key is sent with them. */
export interface FieldCases {
  readonly caller: Caller;
  readonly cases: readonly FieldCase[];
}
