import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// biome-ignore lint/suspicious/noExplicitAny: the schema has been looked at already.
export type Shaped = any;

/** Where a value stands. */
export interface Place {
  /** The names of the schemas that it is in, the outermost first; its own is not among them. */
  readonly within: readonly string[];
}

/** The answer that a body belongs to. */
export interface JudgedAnswer {
  readonly operationId: string;
  readonly status: number;
  /** By their names in lower case; of an example the examples of its answer's headers. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Null where there is none. */
  readonly body: Shaped;
}

/** A request and its answer, whose examples bear one name. */
export interface Pair {
  readonly operationId: string;
  readonly request: Shaped;
  readonly status: number;
  readonly mediaType: string;
  /** JSON as a value, anything else as a text. */
  readonly body: Shaped;
}

/**
 * What an interface's values mean beside their shape: sentences, each with whether it holds. They are asked of every example
 * and of every answer that a test gets.
 */
export interface Invariants {
  /** By the name of a schema: of each value that the document says is one. */
  readonly ofSchemas: Readonly<
    Record<string, Readonly<Record<string, (value: Shaped, place: Place) => boolean>>>
  >;
  /** The same of examples alone: what they show follows on itself, where in a shop something else may come between. */
  readonly ofExamples?: Invariants["ofSchemas"];
  /** Of whole answers. */
  readonly ofAnswers: Readonly<Record<string, (answer: JudgedAnswer) => boolean>>;
  /** Of requests with their answers. That fields of one name have one value needs no sentence. */
  readonly ofPairs: Readonly<Record<string, (pair: Pair) => boolean>>;
}

const NONE: Invariants = { ofSchemas: {}, ofAnswers: {}, ofPairs: {} };
const require = createRequire(import.meta.url);

/** What `interfaces/<name>/invariants.ts` exports by default; nothing where there is no such file. */
export function invariantsOf(name: string): Invariants {
  const file = join(import.meta.dirname, "../interfaces", name, "invariants.ts");
  // Dredd loads its hooks as CommonJS, so nothing here may wait for an import.
  return existsSync(file) ? require(file).default : NONE;
}
