/** Words that texts say numbers with. */
const WORDS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  half: 0.5,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  ten: 10,
};

const SECOND = 1_000;
const KIBIBYTE = 1_024;

/** Units in milliseconds and in bytes; any other word is what is counted. */
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND,
  second: SECOND,
  seconds: SECOND,
  min: 60 * SECOND,
  minute: 60 * SECOND,
  minutes: 60 * SECOND,
  h: 3_600 * SECOND,
  hour: 3_600 * SECOND,
  hours: 3_600 * SECOND,
  day: 86_400 * SECOND,
  days: 86_400 * SECOND,
  weeks: 7 * 86_400 * SECOND,
  KiB: KIBIBYTE,
  MiB: KIBIBYTE ** 2,
};

const COUNTED =
  "account levels|prepared statements|random bytes|characters|bytes|requests|calls|levels|values|orders|codes|letters|microcents|USD|connections|processes|attempts|times|tokens|KB|MB|decimals|headers|schemes";

/** A number and what it is a number of, such as `25 seconds`, `64 KiB` or `three times`; the source of a regular expression. */
export const QUANTITY = `(?:\\d[\\d,]*(?:\\.\\d+)?|an?|half a|${Object.keys(WORDS)
  .filter((word) => word.length > 2 && word !== "half")
  .join("|")})[ -](?:${Object.keys(UNITS).join("|")}|${COUNTED})(?![\\w/])`;

/** A quantity that a text says, in milliseconds, bytes or as a plain number. */
export function amountOf(quantity: string): number {
  const [number = "", ...unit] = quantity.replace(/half a/i, "half").split(/[ -]/);
  return (
    (WORDS[number.toLowerCase()] ?? Number(number.replaceAll(/[,_]/g, ""))) * (UNITS[unit.join(" ")] ?? 1)
  );
}

/** Where a time of one unit is a promise, and no way to speak: `within a second`, not `3,500 orders a second`. */
const OF_TIME = /\b(?:within|than|up to|ends|lasts|expires|after) $/;
const ONE_UNIT = /^an? (?:second|minute|hour|day|week)$/i;

/** Where the quantities of a text stand, but for those of one, which are said with an article, where they are no time. */
export function quantitiesIn(text: string): number[] {
  return [...text.matchAll(new RegExp(`(?<![\\w.$"'/-])${QUANTITY}`, "gi"))]
    .filter(
      ([quantity], index, all) =>
        !/^an? /i.test(quantity) ||
        (ONE_UNIT.test(quantity) && OF_TIME.test(text.slice(0, all[index]?.index ?? 0))),
    )
    .map(({ index }) => index);
}
