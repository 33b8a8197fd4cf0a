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
  /** By service and use case, such as `orders.place`, or `keys.ofAccount().get` of what a use case gives. No two texts, numbers or amounts in it are the same otherwise. */
  readonly gives: Readonly<Record<string, unknown>>;
  /** What the use cases must be asked with. */
  readonly asked: Readonly<Record<string, readonly unknown[]>>;
  /** The body of its success: JSON as a value, anything else as a text. */
  readonly answer: object | string;
}

/** The field cases of an interface, and who sends them. */
export interface FieldCases {
  /** What the use case gives that lets them in, by service and use case, such as `keys.authenticate`. */
  readonly admits: Readonly<Record<string, unknown>>;
  readonly cases: readonly FieldCase[];
  /** Query parameters that exclude each other, or that are not the handlers' to read. */
  readonly notAtOnce?: readonly string[];
}
