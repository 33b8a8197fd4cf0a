import { readDocument } from "../interfaces/read-document.ts";

/** What a document allows of a number. */
export interface DocumentedLimits {
  readonly minimum: number;
  readonly maximum: number;
  /** What holds where nothing is said; absent where the number has to be given. */
  readonly default: number;
}

/** The limits of a parameter that operations share, as the document has them now. @param parameter its file in spec/ */
export function limitsOf(interfaceName: string, parameter: string): DocumentedLimits {
  const { parameters = {} } = readDocument(interfaceName).components ?? {};
  const found = parameters[parameter];
  if (found === undefined || !("schema" in found)) throw new Error(`${interfaceName} has no ${parameter}.`);
  return found.schema as DocumentedLimits;
}
