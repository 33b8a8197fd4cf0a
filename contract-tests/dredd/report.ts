import type { Operation } from "../contract.ts";

/** What became of one of Dredd's transactions. */
export interface Outcome {
  operationId: string;
  /** As {@link answerName} has it. */
  answer: string;
  skipped: boolean;
  /** Empty when the answer was as the contract says. */
  faults: string[];
}

/** A run, compared with the documented answers. */
export interface Report {
  /** A line for each operation, with all of its answers, and one with the counts. */
  table: string;
  /** What is wrong, with every reason; empty when each documented answer was given, once and as documented. */
  faults: string[];
}

/** How an answer is named: its status and, unless it is JSON, its media type, such as `200 text/event-stream`. */
export function answerName(status: string, mediaType = "application/json"): string {
  return mediaType === "application/json" ? status : `${status} ${mediaType}`;
}

/** Compares what Dredd did with what the contract documents, which Dredd's parser may not have understood. */
export function reportOn(operations: readonly Operation[], outcomes: readonly Outcome[]): Report {
  const documented = operations.flatMap(answersOf).map((answer) => {
    return { ...answer, faults: faultsOf(outcomes.filter((outcome) => isSame(outcome, answer))) };
  });
  const others = outcomes.filter((outcome) => !documented.some((answer) => isSame(outcome, answer)));
  const faulty = [
    ...documented.filter(({ faults }) => faults.length > 0),
    ...others.map((outcome) => ({ ...outcome, faults: ["it is not documented"] })),
  ];
  const width = Math.max(...operations.map(({ operationId }) => operationId.length));
  const rows = operations.map(({ operationId }) => {
    const own = documented.filter((answer) => answer.operationId === operationId);
    const marks = own.map(({ answer, faults }) => `${answer} ${faults.length > 0 ? "✗" : "✓"}`);
    return [operationId.padEnd(width), ...marks].join("  ");
  });
  const passed = documented.filter(({ faults }) => faults.length === 0).length;
  const skipped = outcomes.filter((outcome) => outcome.skipped).length;
  const counts = `${passed} of ${documented.length} documented answers, ${skipped} skipped`;
  return { table: [...rows, counts].join("\n"), faults: faulty.map(faultText) };
}

type AnswerOfOperation = Pick<Outcome, "operationId" | "answer">;

/** An answer without a body is one as well. */
function answersOf({ operationId, responses }: Operation): AnswerOfOperation[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const mediaTypes = Object.keys(content);
    const names = mediaTypes.length > 0 ? mediaTypes.map((it) => answerName(status, it)) : [status];
    return names.map((answer) => ({ operationId, answer }));
  });
}

function isSame(one: AnswerOfOperation, other: AnswerOfOperation): boolean {
  return one.operationId === other.operationId && one.answer === other.answer;
}

function faultsOf([outcome, ...others]: Outcome[]): string[] {
  if (!outcome) return ["no transaction asked for it"];
  if (others.length > 0) return [`${others.length + 1} transactions asked for it`];
  return outcome.skipped ? ["its transaction was skipped: no request is said to lead to it"] : outcome.faults;
}

function faultText({ operationId, answer, faults }: AnswerOfOperation & Pick<Outcome, "faults">): string {
  return [`${operationId} ${answer}:`, ...faults.map((fault) => `  ${fault}`)].join("\n");
}
