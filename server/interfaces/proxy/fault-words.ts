import type { FaultPlace } from "../../http/fault.ts";

/** What the vendor calls the types of JSON. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "string",
  integer: "integer",
  number: "number",
  boolean: "boolean",
  array: "list",
  object: "dictionary",
};

/** The validator's words, and the vendor's for the same. */
const WORDS: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^must have required property/, () => "Field required"],
  [/^must be (\w+)(?:,null)?$/, (_all, type = "") => `Input should be a valid ${TYPE_WORDS[type] ?? type}`],
  [/^must be >= (\S+)$/, (_all, bound) => `Input should be greater than or equal to ${bound}`],
  [/^must be <= (\S+)$/, (_all, bound) => `Input should be less than or equal to ${bound}`],
  [/^must NOT have fewer than 1 items$/, () => "List should have at least 1 item"],
  [/^must NOT have fewer than 1 characters$/, () => "String should have at least 1 character"],
];

/**
 * What is wrong with a request, in the words of the vendor's interface: the path of a field, and what it should be, such as
 * `messages.0.role: Field required`. Of several places the innermost is told. @returns null when there is no place.
 */
export function wordsOf(places: readonly FaultPlace[]): string | null {
  const [innermost] = [...places].sort((one, other) => depthOf(other) - depthOf(one));
  if (innermost === undefined) return null;
  const [, ...names] = innermost.path.split("/").slice(1).map(unescaped);
  const words = vendorWords(innermost.message);
  return names.length === 0 ? words : `${names.join(".")}: ${words}`;
}

function depthOf({ path }: FaultPlace): number {
  return path.split("/").length;
}

function vendorWords(message: string): string {
  for (const [pattern, say] of WORDS) {
    const found = pattern.exec(message);
    if (found !== null) return say(...found);
  }
  return message;
}

function unescaped(name: string): string {
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}
