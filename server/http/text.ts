/** Whether a text can be stored and compared: well-formed Unicode without NUL. */
export function isWellFormedText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/**
 * The first place in a JSON value (names included) where there is a text that is not plain.
 * @returns its path, such as `/externalOrderId`, or null when all texts are plain.
 */
export function findMalformedText(value: unknown, path = ""): string | null {
  if (typeof value === "string") return isWellFormedText(value) ? null : path;
  if (typeof value !== "object" || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const found = isWellFormedText(name) ? findMalformedText(inner, `${path}/${name}`) : `${path}/?`;
    if (found !== null) return found;
  }
  return null;
}

/** Whether all percent-encoding of a URL's query decodes to text. */
export function queryDecodes(url: string): boolean {
  try {
    decodeURIComponent(queryOf(url));
    return true;
  } catch {
    return false;
  }
}

/**
 * The first query parameter that was read as a number though its text is not that number in plain digits: the
 * validator takes `0x10`, `1e1` and even 400 nines. Parameters that got their default are fine.
 * @param query parameters as the validator left them. @param url the request's, with its query as it came.
 */
export function findNonDecimalNumber(query: object, url: string): string | null {
  const numbers = Object.entries(query).filter(([, value]) => typeof value === "number");
  if (numbers.length === 0) return null;
  const given = new URLSearchParams(queryOf(url));
  const loose = numbers.find(([name, value]) => given.has(name) && given.get(name) !== String(value));
  return loose?.[0] ?? null;
}

/**
 * The first query parameter whose name has a bracket, which no parameter of a contract has: the validator takes such names
 * for a notation of its own, and drops those that it cannot read.
 */
export function findBracketedName(url: string): string | null {
  const names = [...new URLSearchParams(queryOf(url)).keys()];
  return names.find((name) => name.includes("[")) ?? null;
}

/** What follows the first "?"; a query may hold more of them. */
function queryOf(url: string): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}
