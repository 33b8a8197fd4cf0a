import type { SentBody } from "./upstream.ts";
import { endOfText } from "./with-field.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const [OPENING_BRACE, OPENING_BRACKET] = [0x7b, 0x5b];
const [CLOSING_BRACE, CLOSING_BRACKET] = [0x7d, 0x5d];

/** Where a field stands in the bytes of a body, with its name: from `start` up to, not including, `end`. */
export interface FieldPlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Where the fields at the top of a JSON object stand. @param bytes of an object that has been parsed already. */
export function fieldsIn(bytes: Buffer): FieldPlace[] {
  const fields: FieldPlace[] = [];
  let depth = 0;
  let field: { readonly name: string; readonly start: number } | null = null;
  const end = (index: number) => {
    if (field !== null) fields.push({ ...field, end: index });
    field = null;
  };
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (byte === QUOTE) {
      const start = index;
      const after = endOfText(bytes, start);
      if (depth === 1) field ??= { name: JSON.parse(bytes.toString("utf8", start, after)), start };
      index = after - 1;
    } else if (byte === COMMA) {
      if (depth === 1) end(index);
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth += 1;
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      depth -= 1;
      if (depth === 0) end(index);
    }
  }
  return fields;
}

/** A body of some of the fields of another, whose bytes it shares, and of a model. */
export function bodyOfFields(
  { pieces }: Pick<SentBody, "pieces">,
  fields: readonly FieldPlace[],
  modelId: string,
): SentBody {
  const parts: Buffer[] = [Buffer.from(`{"model":${JSON.stringify(modelId)}`)];
  for (const { start, end } of fields) parts.push(Buffer.from(","), ...between(pieces, start, end));
  parts.push(Buffer.from("}"));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return { length, pieces: parts, release() {} };
}

function between(pieces: readonly Buffer[], start: number, end: number): Buffer[] {
  let offset = 0;
  return pieces.flatMap((piece) => {
    const part = piece.subarray(Math.max(0, start - offset), Math.max(0, end - offset));
    offset += piece.length;
    return part.length === 0 ? [] : [part];
  });
}
