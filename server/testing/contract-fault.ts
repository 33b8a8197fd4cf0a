/**
 * What a line of the log says of an answer that the contract does not allow, and which callers are therefore told nothing of
 * but a 500: the validator's words, or an error whose code is none of the document's. Null for any other line.
 */
export function contractFaultIn(line: string): string | null {
  const { msg, fault, operationId, requestId, err } = JSON.parse(line);
  if (msg === "response breaks the contract")
    return `The answer of ${operationId} breaks the contract, and was replaced by a 500: ${fault} (request ${requestId})`;
  // Codes of Node and of databases are in capitals.
  if (msg === "request failed" && /^[a-z]+(_[a-z]+)*$/.test(err?.code ?? ""))
    return `${err.type} has the code ${err.code}, which the interface has no answer for: it was answered with a 500 (request ${requestId}). Mend the code, or add it to the document and the interface's errors.ts.`;
  return null;
}
