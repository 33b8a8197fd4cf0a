const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * The name of a field that a JSON object has twice at its top, or null. Parsers differ in which of the two they take, so
 * that an upstream could answer with another model than the one that is charged, or a buyer mean another quantity.
 * @param body an object that has been parsed already.
 */
export function findRepeatedField(body: Buffer): string | null {
  const names = new Set<string>();
  let depth = 0;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index] as number;
    if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    else if (byte === QUOTE) {
      const end = endOfText(body, index);
      if (depth === 1 && isName(body, end)) {
        const name: string = JSON.parse(body.toString("utf8", index, end));
        if (names.has(name)) return name;
        names.add(name);
      }
      index = end - 1;
    }
  }
  return null;
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

function isName(body: Buffer, end: number): boolean {
  let next = end;
  while (BLANK.has(body[next] as number)) next += 1;
  return body[next] === COLON;
}
