/**
 * What a line of the log says of a 500 that callers are told nothing of: an answer that the contract does not allow, in the
 * validator's words; an error whose code is none of the document's; any other error, with where it was thrown. Null for any
 * other line.
 */
export function unexpectedAnswerIn(line: string): string | null {
  const { msg, fault, operationId, requestId, err } = JSON.parse(line);
  if (msg === "response breaks the contract")
    return `The answer of ${operationId} breaks the contract, and was replaced by a 500: ${fault} (request ${requestId})`;
  if (msg !== "request failed") return null;
  // Codes of Node and of databases are in capitals.
  if (/^[a-z]+(_[a-z]+)*$/.test(err?.code ?? ""))
    return `${err.type} has the code ${err.code}, which the interface has no answer for: it was answered with a 500 (request ${requestId}). Mend the code, or add it to the document and the interface's errors.ts.`;
  return `An unexpected error was answered with a 500 (request ${requestId}): ${err?.stack ?? JSON.stringify(err)}`;
}
