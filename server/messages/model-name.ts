const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * The body with another id in place of the one that its `model` names; every other byte as it is. For aliases, which the
 * upstream does not know.
 * @param body a JSON object with one field `model` at its top, which is a text
 */
export function withModelId(body: Buffer, modelId: string): Buffer {
  let depth = 0;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index] as number;
    if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    else if (byte === QUOTE) {
      const end = endOfText(body, index);
      const value = depth === 1 ? startOfValue(body, end) : null;
      if (value !== null && JSON.parse(body.toString("utf8", index, end)) === "model") {
        const rest = body.subarray(endOfText(body, value));
        return Buffer.concat([body.subarray(0, value), Buffer.from(JSON.stringify(modelId)), rest]);
      }
      index = end - 1;
    }
  }
  throw new Error("The body names no model.");
}

/** Where the value of a field begins whose name ends here; null when it is no name. */
function startOfValue(body: Buffer, end: number): number | null {
  const colon = skipBlanks(body, end);
  return body[colon] === COLON ? skipBlanks(body, colon + 1) : null;
}

function skipBlanks(body: Buffer, start: number): number {
  let next = start;
  while (BLANK.has(body[next] as number)) next += 1;
  return next;
}

/** Where a text that begins at a quote is over. */
function endOfText(body: Buffer, start: number): number {
  let end = body.indexOf(QUOTE, start + 1);
  while (end !== -1 && isEscaped(body, end)) end = body.indexOf(QUOTE, end + 1);
  return end === -1 ? body.length : end + 1;
}

function isEscaped(body: Buffer, position: number): boolean {
  let backslashes = 0;
  while (body[position - 1 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
