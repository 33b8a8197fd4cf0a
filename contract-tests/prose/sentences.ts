import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DEFAULT_RPM_LIMIT } from "../../server/accounts/account.ts";
import { LEVEL_THRESHOLDS, LEVELS } from "../../server/accounts/level.ts";
import { LARGE_BYTES } from "../../server/http/json-body.ts";
import { MAX_DEPTH, MAX_VALUES } from "../../server/http/json-parser.ts";
import { MAX_OVERLAP_MS } from "../../server/keys/api-key.ts";
import { MICROCENTS_PER_USD } from "../../server/money/microcents.ts";
import { STUCK_AFTER_MS } from "../../server/orders/order-administration.ts";
import { CHALLENGE_MS } from "../../server/people/passkey.ts";
import { INVITATION_MS, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../server/people/person.ts";
import { SESSION_LIMITS, STEP_UP_MS } from "../../server/people/session.ts";
import { serviceSettings } from "../../server/settings/settings.ts";
import type { Json } from "../../spec/tools/follow.ts";
import { QUANTITY } from "./quantities.ts";

/** Numbers that sentences say, wherever they say them in these words. */
interface SaidNumber {
  /** The words for people, with a `#` for each quantity; the pattern itself where not given. */
  readonly sentence?: string;
  readonly words: RegExp;
  /** What the groups of the words have to be: texts, or quantities in milliseconds, in bytes or as plain numbers. */
  readonly are: (documents: Readonly<Record<string, Json>>) => readonly (string | number)[];
}

const root = resolve(import.meta.dirname, "../..");
const MEBIBYTE = 1_024 ** 2;
const SECOND_MS = 1_000;
const MICROCENTS_PER_CENT = 1_000_000n;

/** @param words with a `#` for each quantity, of which spaces may be ends of lines */
function says(words: string, ...amounts: readonly number[]): SaidNumber {
  const pattern = new RegExp(words.replaceAll("#", `(${QUANTITY})`), "g");
  return { sentence: words, words: pattern, are: () => amounts };
}

/** What could not be read, because it has another place or name by now. */
export const MISSING_NUMBERS: string[] = [];

/** A number that the code has without a name that could be imported. @param pattern has it in its only group */
function numberIn(file: string, pattern: RegExp): number {
  const found = pattern.exec(readFileSync(join(root, file), "utf8"))?.[1];
  if (found === undefined) {
    MISSING_NUMBERS.push(`${file} has no ${pattern} any more: say in sentences.ts where that number is now`);
    return Number.NaN;
  }
  return found
    .split("*")
    .map((factor) => Number(factor.trim().replaceAll("_", "").replace(/n$/, "")))
    .reduce((product, factor) => product * factor, 1);
}

/** A constant of a module. */
function constant(file: string, name: string): number {
  return numberIn(file, new RegExp(`^(?:export )?const ${name} = ([\\d_ *n]+);`, "m"));
}

const ORDER_MS = constant("server/orders/buyer-orders.ts", "DEADLINE_MS");
const ARRIVAL_MS = constant("server/orders/refuse-late.ts", "MAX_MS");
const NOT_BOUGHT_MS = constant("client/purchase-attempt.ts", "MAX_ORDER_MS");
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = ["FIRST_PAUSE_MS", "MAX_PAUSE_MS"].map((name) =>
  constant("server/orders/purchase.ts", name),
) as [number, number];
const RETRYABLE_MS = serviceSettings.retryableOrderMs.default;
const READ_ON_MS = serviceSettings.callReadOnMs.default;
const ORDERING_BYTES = numberIn("server/interfaces/ordering/definition.ts", /json: "(\d+)kb"/) * 1_024;
const PROXY_BYTES = numberIn("server/interfaces/proxy/definition.ts", /json: "(\d+)mb"/) * MEBIBYTE;
const RENEWALS = numberIn("server/messages/meter.ts", /leaseMs \/ (\d+)/);
const NAME_LENGTH = constant("server/http/json-parser.ts", "MAX_NAME_LENGTH");
const PRICES = "server/operator/price-options.ts";

/** Numbers that documents and manuals repeat, and what they repeat. */
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
  // The client and the simulated supplier look at requests by themselves.
  ...limitsInCode("MAX_(?:EXTERNAL_ORDER_ID|ID_LENGTH)", ({ ExternalOrderId }) => ExternalOrderId.maxLength),
  ...limitsInCode("MAX_PRODUCT_ID(?:_LENGTH)?", ({ ProductId }) => ProductId.maxLength),
  ...limitsInCode("MAX_QTY", ({ OrderRequest }) => OrderRequest.properties.qty.maximum),
  // So does the adapter to suppliers, which asks for the longest pages.
  ...limitsInCode("PAGE_SIZE", (_, { Limit }) => Limit.schema.maximum),
  ...limitsInCode("MAX_LIMIT", (_, { Limit }) => Limit.schema.maximum),
  ...limitsInCode("DEFAULT_LIMIT", (_, { Limit }) => Limit.schema.default),
  {
    words: /up to (\d+) letters, digits/g,
    are: ({ ordering }) => [
      /,(\d+)\}/.exec(ordering.components.headers["X-Request-Id"].schema.pattern)?.[1] ?? "",
    ],
  },
  {
    words: /anthropic-version: (\d{4}-\d\d-\d\d)/g,
    are: ({ proxy }) => [proxy.components.parameters.VersionHeader.example],
  },
  { words: /(?:About|may make) (\d+) requests a minute/g, are: () => [String(DEFAULT_RPM_LIMIT)] },
  {
    words: /1 USD is ([\d,]+) microcents|\(([\d,]+) are 1 USD\)/g,
    are: () => [MICROCENTS_PER_USD.toLocaleString("en-US")],
  },
  {
    words: /level 1 from (\d+) USD, 2 from (\d+), 3 from (\d+), 4 from (\d+), 5 from (\d+)/g,
    are: () => Object.values(LEVEL_THRESHOLDS).map((threshold) => String(threshold / MICROCENTS_PER_USD)),
  },
  says("at each of the #", LEVELS.length),
  {
    ...says("(?:accepted in any one of|(?:for|send) all) #"),
    are: ({ proxy }) => [Object.keys(proxy.components.securitySchemes).length],
  },
  ...[
    "strings in USD with at most #",
    "rounded down and `reserved` up to #",
    "(?:above zero|\\(-\\)), at most #",
  ].map((words) => decimalsOf(words, ({ DecimalMoney }) => DecimalMoney)),
  decimalsOf(
    "price that you agreed to, with at most #",
    ({ OrderRequest }) => OrderRequest.properties.expectedUnitPrice,
  ),
  // Orders
  says("wait until \\*\\*# after you last sent", NOT_BOUGHT_MS),
  says("Look the order up # after you last sent", NOT_BOUGHT_MS),
  says('means "not bought" only from # after it was last sent', NOT_BOUGHT_MS),
  says("again # after the last such attempt", NOT_BOUGHT_MS),
  says("An order takes at most # from its arrival", ARRIVAL_MS),
  says("(?:while you wait, for|while the call waits,) at most #", ORDER_MS),
  says("goes on after the # that a request may take", ORDER_MS),
  says("not sent again for #", RETRYABLE_MS),
  says("after pauses of # to #", FIRST_PAUSE_MS, MAX_PAUSE_MS),
  says("after pauses that grow to #", MAX_PAUSE_MS),
  says("After # `order stuck` lists it", STUCK_AFTER_MS),
  says("processing for more than #", STUCK_AFTER_MS),
  says(
    "(?:that the supplier gives you,|list is read:) # (?:a request|are one)",
    constant("server/suppliers/ordering-adapter.ts", "PAGE_SIZE"),
  ),
  // Bodies
  says("A body has at most # and comes as it is", ORDERING_BYTES),
  says("A body may have up to #, as it is and not compressed", PROXY_BYTES),
  says("the shop's own limit is #", PROXY_BYTES),
  says("- #, with at most # and names of fields, # deep", PROXY_BYTES, MAX_VALUES, MAX_DEPTH),
  says(
    "may hold up to # and names of fields, # deep, with names of up to #",
    MAX_VALUES,
    MAX_DEPTH,
    NAME_LENGTH,
  ),
  says("of(?: more than| up to) # (?:is only read|also wants|needs no balance|when nothing)", LARGE_BYTES),
  says("the request has more than #", LARGE_BYTES),
  says("still being sent share # of", serviceSettings.accountBodyMemoryMib.default * MEBIBYTE),
  says("twice its size, and # for each value", constant("server/http/json-body.ts", "MEMORY_PER_VALUE")),
  // Calls
  says("takes nothing of its stream for # is gone", serviceSettings.clientStallMs.default),
  says("at most # under way at once", serviceSettings.callsInFlightLimit.default),
  says("and the answer ends within # \\(the operator", READ_ON_MS),
  { words: /read on for some seconds \((\d+), unless/g, are: () => [String(READ_ON_MS / 1_000)] },
  says("what it had recorded, at most # old", serviceSettings.callLeaseMs.default / RENEWALS),
  says("recorded # as often", RENEWALS),
  says("at a token for every #", constant("server/messages/usage-reader.ts", "BYTES_PER_TOKEN")),
  {
    words: /a token for each byte, more for .{0,60}, ([\d,]+) for a picture/g,
    are: () => [constant("server/messages/read-request.ts", "IMAGE_TOKENS").toLocaleString("en-US")],
  },
  says("the price is for, # or 1 use", constant("server/calls/bill.ts", "PER_PRICE")),
  says(
    "these are #, # and # the price of input",
    ...["CACHE_WRITE_PERCENT", "CACHE_WRITE_HOUR_PERCENT", "CACHE_READ_PERCENT"].map(
      (name) => constant(PRICES, name) / 100,
    ),
  ),
  says("buyers see what was true up to # ago", constant("server/suppliers/quotes.ts", "STALE_MS")),
  // The database
  says("takes a change within #", constant("server/http/admin.ts", "READY_TIMEOUT_MS")),
  says(
    "(?:heard nothing of it for|nothing was heard for) #",
    constant("server/processes/silence.ts", "SILENT_AFTER_MS"),
  ),
  says("own clock is more than # off", constant("server/database/database-clock.ts", "WARN_FROM_MS")),
  says("another goes on after #", constant("server/database/lease.ts", "LEASE_MS")),
  says("503 with `Retry-After` within #", constant("server/http/deadline.ts", "DEADLINE_MS")),
  {
    words: /`order_in_progress` after (\d+) to (\d+) seconds/g,
    are: () => [
      String(constant("server/database/connections.ts", "LOCK_WAIT_SECONDS")),
      // It waits for its turn first, and then for the row.
      String(
        constant("server/database/shared-turns.ts", "MAX_WAIT_FOR_ROWS_MS") / 1_000 +
          constant("server/database/connections.ts", "LOCK_WAIT_SECONDS"),
      ),
    ],
  },
  says(
    "of the same process waits for #, once",
    constant("server/database/lock-contested.ts", "MAX_BRIEF_WAIT_MS"),
  ),
  says(
    "`order_in_progress`, for at most #",
    constant("server/database/connections.ts", "IDLE_TRANSACTION_SECONDS") * 1_000,
  ),
  says("keeps up to #", constant("server/database/connections.ts", "STATEMENTS_PER_CONNECTION")),
  says(
    "none was free within #, or within # where",
    ...["WAIT_MS", "WAIT_UNANSWERED_MS"].map((name) => constant("server/database/connections.ts", name)),
  ),
  says("killed is forgotten after #", constant("server/processes/processes.ts", "LEASE_MS")),
  says("base64 of #", constant("server/settings/schemas.ts", "ENCRYPTION_KEY_BYTES")),
  {
    words: /an account with (\d+) USD, a key of each kind/g,
    are: () => [
      String(
        (BigInt(constant("server/demo/demo.ts", "balanceCents")) * MICROCENTS_PER_CENT) / MICROCENTS_PER_USD,
      ),
    ],
  },
  says("(?:takes|default:) # before the newest row", constant("server/losses/losses.ts", "MARGIN_MS")),
  // What is changed of keys, accounts, models and suppliers
  { words: /\bwithin (an? (?:second|minute|hour|day))\b/g, are: () => [feltWithinMs()] },
  // People
  says("a factor (?:that was given )?in the last #", STEP_UP_MS),
  says("For # you may then do", STEP_UP_MS),
  says("It is good once, and for #", CHALLENGE_MS),
  says(
    "session ends # after its last use and # after its beginning",
    SESSION_LIMITS.account.idleMs,
    SESSION_LIMITS.account.lifeMs,
  ),
  says(
    "unused for #, and # after its beginning",
    SESSION_LIMITS.operator.idleMs,
    SESSION_LIMITS.operator.lifeMs,
  ),
  says("makes one person an operator, once and for #", INVITATION_MS),
  says("used last, up to # (?:or so )?late", constant("server/keys/last-uses.ts", "RECORDED_EVERY_MS")),
  says("into the account, once and for #", INVITATION_MS),
  says("0 ends it at once, at most #", MAX_OVERLAP_MS),
  {
    words: /A password of (\d+) to (\d+) characters/g,
    are: () => [String(MIN_PASSWORD_LENGTH), String(MAX_PASSWORD_LENGTH)],
  },
  // The client
  says(
    "The pauses double from # to #",
    ...["FIRST_MS", "MAX_PAUSE_MS"].map((name) => constant("client/pause.ts", name)),
  ),
  says("After # \\(`giveUpAfterMs`\\)", constant("client/purchases.ts", "DEFAULT_GIVE_UP_AFTER_MS")),
  says("`timeout` \\(#;", constant("client/ordering-client.ts", "DEFAULT_TIMEOUT_MS")),
  says("declarations, below #", constant("client/packaging/package.test.ts", "MAX_BYTES") / 1_000),
  says("an answer above #", constant("client/limit-response-size.ts", "MAX_ANSWER_BYTES")),
  says("or an operator of the shop, for # and once", INVITATION_MS),
  says("or # of silence", constant("client/proxy-client.ts", "DEFAULT_IDLE_TIMEOUT_MS")),
];

/** Quantities that no setting and no limit is behind, by the words that they stand in, and why. */
export const OTHER_NUMBERS: readonly (readonly [words: RegExp, why: string])[] = [
  [/Buy two codes/g, "the heading of an example"],
  [/sells about [\d,]+ orders a second/g, "measured; scripts/bench has floors"],
  [/only the next 200 codes/g, "the example's own number"],
  [/and 35 seconds where products/g, "advice: an order's own time and some more"],
  [
    /no answers for (?:5|1\.5) seconds|delivered within (?:9|23|3|4) seconds/g,
    "measured: npm run test:cluster prints such times",
  ],
  [/`order_in_progress` for 7 to 9 seconds/g, "measured: npm run test:cluster prints such times"],
  [/sent to another after 30 seconds by the haproxy file/g, "of that file"],
  [/The 5 seconds of Galera are/g, "its default"],
  [
    /takes it 6 seconds, and orders|a member after 5 seconds without|comes every 15 seconds|a member that pauses for 5 seconds/g,
    "how groups of MySQL servers are made",
  ],
  [
    /of two cores that held three processes|ten times as much to do|twenty times as much to do as it can, they were up to four times as long/g,
    "how it was measured",
  ],
  [/for 100 MB of the thread that judges/g, "measured"],
  [/prompt cache for five minutes/g, "how long the vendor keeps it, after which it is called"],
  [/\| \d \| \d+ USD \|/g, "a table, which is compared as one"],
];

/** A limit of the document that code repeats, as a constant of that name. */
function limitsInCode(
  name: string,
  limitOf: (schemas: Json, parameters: Json) => number,
): readonly SaidNumber[] {
  return [
    {
      words: new RegExp(`const ${name} = ([\\d_]+);`, "g"),
      are: ({ ordering }) => [limitOf(ordering.components.schemas, ordering.components.parameters)],
    },
  ];
}

/** Within how many whole seconds a revoked key is refused everywhere, in milliseconds. */
function feltWithinMs(): number {
  const rememberedMs = numberIn("server/keys/keys.ts", /SECRET_CACHE = \{.* ttl: (\d+)/);
  return Math.ceil(rememberedMs / SECOND_MS) * SECOND_MS;
}

/** How many decimals the pattern of an amount allows. */
function decimalsOf(words: string, schemaOf: (schemas: Json) => Json): SaidNumber {
  const decimals = ({ ordering }: Readonly<Record<string, Json>>) =>
    /\\d\{1,(\d)\}/.exec(schemaOf(ordering.components.schemas).pattern)?.[1];
  return { ...says(words), are: (documents) => [Number(decimals(documents))] };
}

function rangeOf({ minLength, maxLength }: Json): string[] {
  return [String(minLength), String(maxLength)];
}
