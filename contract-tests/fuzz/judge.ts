import type { Answer } from "../contract.ts";
import { codeIn, messageIn } from "./expectations.ts";
import { type FuzzRequest, toCurl } from "./request.ts";
import type { Spec, SpecOperation } from "./spec.ts";

/** What must hold of the answer to a request, beside that it keeps to the contract. */
export interface Expected {
  /** The statuses that it may have. */
  readonly statuses: readonly number[];
  /** The code or type of its error. */
  readonly code?: string;
  /** What the message for people names. */
  readonly names?: string;
}

/** One request and what must hold of its answer: what a file in regressions/ holds beside the reason for it. */
export interface FuzzCase {
  readonly interface: Spec["name"];
  readonly operationId: string;
  readonly request: FuzzRequest;
  readonly expected: Expected;
}

/** Everything that is wrong with an answer. */
export function faultsOfAnswer(
  spec: Spec,
  operation: SpecOperation,
  { statuses, code, names }: Expected,
  answer: Answer,
): string[] {
  const faults = spec.contract.faultsOf(operation, answer);
  if (!statuses.includes(answer.status))
    faults.push(`The status is ${answer.status} and should be ${statuses.join(" or ")}.`);
  if (faults.length > 0 || code === undefined) return faults;
  const given = codeIn(answer.body);
  if (given !== code) faults.push(`The code is ${given} and should be ${code}.`);
  // Headers are called the same in upper and lower case.
  else if (names && !messageIn(answer.body).toLowerCase().includes(names.toLowerCase()))
    faults.push(`The message does not name ${names}.`);
  return faults;
}

/** The answer to a request was wrong. */
export class WrongAnswerError extends Error {
  constructor(faults: readonly string[], { status, body }: Answer, logged: readonly string[]) {
    const log = logged.length > 0 ? `\nLogged:\n${logged.join("\n")}` : "";
    super(`${faults.join("\n")}\nThe answer: ${status} ${body.slice(0, 2_000)}${log}`);
  }
}

/** A case as a person can repeat and keep it. */
export function describeCase(fuzzCase: FuzzCase): string {
  const kept = { found: "what was wrong, in one sentence", ...fuzzCase };
  return `${toCurl(fuzzCase.request)}

To keep it, as a file in contract-tests/fuzz/regressions/:
${JSON.stringify(kept, null, 2)}`;
}
