import { isUtf8 } from "node:buffer";
import { JsonParser, MAX_NAME_LENGTH, notJson } from "./json-parser.ts";

/**
 * What a `JsonParser` makes of the bytes of a text, in half of the time and with less garbage, for where nobody waits
 * meanwhile.
 * @param values how many values and names a `JsonCounter` has counted in it, which has not refused it.
 * @throws {BadRequestError}
 */
export function parseAtOnce(bytes: Buffer, values: number): unknown {
  if (!isUtf8(bytes)) throw notJson();
  const text = bytes.toString();
  return parsedPlainly(text, values) ?? parsedWithCare(text);
}

/** Undefined where there may be something that the parser refuses and `JSON.parse` does not. */
function parsedPlainly(text: string, values: number): unknown {
  try {
    const json: unknown = JSON.parse(text);
    // Of fields with the same name only one is left.
    return countOf(json) === values ? json : undefined;
  } catch {
    return undefined;
  }
}

function parsedWithCare(text: string): unknown {
  const parser = new JsonParser();
  parser.write(text);
  return parser.end();
}

/** How many values and names there are; not a number where a name is longer than it may be. */
function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  if (Array.isArray(value)) for (const item of value) count += countOf(item);
  else
    for (const name in value) {
      if (name.length > MAX_NAME_LENGTH) return Number.NaN;
      count += 1 + countOf((value as Record<string, unknown>)[name]);
    }
  return count;
}
