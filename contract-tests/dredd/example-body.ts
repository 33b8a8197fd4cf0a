/**
 * The body of an example without the fields that an answer lacks: what Dredd compares an answer with that the contract
 * allows, since Dredd takes every field of an example for a required one. What is no JSON stays as it is.
 */
export function withoutMissing(example: string, answer: string): string {
  const [shown, given] = [parse(example), parse(answer)];
  return shown === undefined || given === undefined ? example : JSON.stringify(commonPart(shown, given));
}

function commonPart(shown: unknown, given: unknown): unknown {
  if (typeof shown !== "object" || shown === null || typeof given !== "object" || given === null)
    return shown;
  if (Array.isArray(shown) !== Array.isArray(given)) return shown;
  const pairs = Object.entries(shown).filter(([key]) => key in given);
  const common = pairs.map(([key, value]) => [
    key,
    commonPart(value, (given as Record<string, unknown>)[key]),
  ]);
  return Array.isArray(shown) ? common.map(([, value]) => value) : Object.fromEntries(common);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
