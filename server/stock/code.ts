const MAX_CODE_BYTES = 2_000;

// Printable text on one line: no control characters, no replacement character of a broken encoding.
const FORBIDDEN_CHARACTERS = /[\p{Cc}\p{Cs}\u{FFFD}\u{FEFF}]/u;

/** Whether a text can be sold as a code: not empty, at most 2,000 bytes, all of it printable. */
export function isCode(text: string): boolean {
  return text.trim() !== "" && Buffer.byteLength(text) <= MAX_CODE_BYTES && !FORBIDDEN_CHARACTERS.test(text);
}
