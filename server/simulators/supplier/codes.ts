import { scramble } from "../shared/random.ts";

// No letter or digit that people confuse.
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const NUMBER_DIGITS = 8;
const RANDOM_DIGITS = 12;
const GROUP = /.{4}/g;

/**
 * The code with that number: `SIM-` and 20 characters in groups of four, of which eight are the number, so that no two
 * are the same, and twelve follow from the seed and the number, so that two simulators do not make the same codes.
 */
export function codeNumber(seed: number, number: number): string {
  const numbered = digits(number, NUMBER_DIGITS);
  let random = "";
  for (let word = 0; random.length < RANDOM_DIGITS; word += 1) {
    // 30 bits are six digits.
    random += digits(scramble(scramble(seed + word) ^ scramble(number + word)) >>> 2, 6);
  }
  return `SIM-${(numbered + random).match(GROUP)?.join("-")}`;
}

/** `count` codes from that number on. */
export function codesFrom(seed: number, first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => codeNumber(seed, first + index));
}

function digits(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / ALPHABET.length)) {
    text = ALPHABET[rest % ALPHABET.length] + text;
  }
  return text;
}
