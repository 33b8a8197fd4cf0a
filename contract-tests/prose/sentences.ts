import { DEFAULT_RPM_LIMIT } from "../../server/accounts/account.ts";
import { LEVEL_THRESHOLDS } from "../../server/accounts/level.ts";
import { MICROCENTS_PER_USD } from "../../server/money/microcents.ts";
import type { Json } from "../../spec/tools/follow.ts";

/** A number that sentences say, wherever they say it in these words. */
interface SaidNumber {
  readonly words: RegExp;
  /** What the groups of the words have to be. */
  readonly are: (documents: Readonly<Record<string, Json>>) => readonly string[];
}

/** Numbers that the texts of spec/ and client/ repeat, and what they repeat. */
export const SAID_NUMBERS: readonly SaidNumber[] = [
  {
    words: /any text of (\d+) to (\d+) characters/g,
    are: ({ ordering }) => rangeOf(ordering.components.schemas.ExternalOrderId),
  },
  {
    words: /An id of your own for this purchase, (\d+) to (\d+) characters/g,
    are: ({ ordering }) => rangeOf(ordering.components.schemas.ExternalOrderId),
  },
  {
    words: /(?:@param qty|\/\*\*) (\d+) to (\d+)\./g,
    are({ ordering }) {
      const { minimum, maximum } = ordering.components.schemas.OrderRequest.properties.qty;
      return [String(minimum), String(maximum)];
    },
  },
  {
    words: /up to (\d+) letters, digits/g,
    are: ({ ordering }) => [
      /,(\d+)\}/.exec(ordering.components.headers["X-Request-Id"].schema.pattern)?.[1] ?? "",
    ],
  },
  { words: /About (\d+) requests a minute/g, are: () => [String(DEFAULT_RPM_LIMIT)] },
  {
    words: /1 USD is ([\d,]+) microcents/g,
    are: () => [MICROCENTS_PER_USD.toLocaleString("en-US")],
  },
  {
    words: /level 1 from (\d+) USD, 2 from (\d+), 3 from (\d+),\s+4 from (\d+), 5 from (\d+)/g,
    are: () => Object.values(LEVEL_THRESHOLDS).map((threshold) => String(threshold / MICROCENTS_PER_USD)),
  },
];

function rangeOf({ minLength, maxLength }: Json): string[] {
  return [String(minLength), String(maxLength)];
}
