import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DomainError } from "../../server/errors.ts";

/** An error that callers meet. */
export interface MetError {
  readonly thrown: DomainError;
  /** The operations whose callers meet it, by their operationIds; null: those of all operations. */
  readonly by: readonly string[] | null;
}

/** What is known of an interface's errors beside what its document says. */
export interface InterfaceErrors {
  /**
   * One of every error that its use cases throw at callers, and of an error that is answered in several ways one for each, by
   * the operations that may end with it. Those that befall all operations of all interfaces need not be here.
   */
  readonly met: readonly MetError[];
  /** What use cases give that let a caller in, such as `people.sessions.authenticate`; that of API keys need not be here. */
  readonly admits?: Readonly<Record<string, unknown>>;
  /**
   * How it has to answer an error, as the reference has it: status, code or type, and X-Should-Retry where it sends that. null
   * where nothing is said of it.
   */
  answerTo(error: Error): string | null;
  /** The `details` that an answer to an error may have, one of these; null where nothing is said of them. */
  detailsOf(error: Error): readonly object[] | null;
}

const NOTHING_SAID: InterfaceErrors = { met: [], answerTo: () => null, detailsOf: () => null };

/** Errors that the same operations may end with. */
export function metBy(operationIds: readonly string[], errors: readonly DomainError[]): MetError[] {
  return errors.map((thrown) => ({ thrown, by: operationIds }));
}

/** The code of an error of the domain; "" of any other. */
export function codeOf(error: Error): string {
  return (error as Partial<DomainError>).code ?? "";
}

/** What `interfaces/<name>/errors.ts` exports by default; nothing is said where there is no such file. */
export async function errorsOf(name: string): Promise<InterfaceErrors> {
  const file = join(import.meta.dirname, "../interfaces", name, "errors.ts");
  return existsSync(file) ? (await import(file)).default : NOTHING_SAID;
}
