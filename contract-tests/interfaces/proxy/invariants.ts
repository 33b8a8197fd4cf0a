import type { Invariants, Shaped } from "../../meaning/invariants.ts";

const RATE_LIMIT = "anthropic-ratelimit-requests";
const MINUTE_MS = 60_000;
/** The header Date goes by whole seconds, and Node keeps it for as long. */
const CLOCK_STEP_MS = 2_000;
/** The count may begin anew while a busy machine has the answer under way. */
const ON_ITS_WAY_MS = 30_000;

/** How the reference of a ledger entry begins, where it is an id of the service. */
const PREFIXES: Readonly<Record<string, string>> = { order: "ord_", refund: "ord_", call: "call_" };

/** The kinds of items that each counter of a call is charged by. */
const KINDS_OF_TOKENS: Readonly<Record<string, readonly string[]>> = {
  input_tokens: ["input"],
  output_tokens: ["output"],
  cache_creation_input_tokens: ["cache_write_5m", "cache_write_1h"],
  cache_read_input_tokens: ["cache_read"],
};

/** What the AI proxy's values mean beside their shape. */
export default {
  ofSchemas: {
    Account: {
      "available_microcents is balance_microcents minus reserved_microcents": (account) =>
        account.available_microcents === account.balance_microcents - account.reserved_microcents,
    },
    ModelList: {
      "first_id is the id of the first of data, null where there is none": ({ data, first_id }) =>
        first_id === (data.at(0)?.id ?? null),
      "last_id is the id of the last of data, null where there is none": ({ data, last_id }) =>
        last_id === (data.at(-1)?.id ?? null),
      "has_more is false where data is empty": ({ data, has_more }) => data.length > 0 || !has_more,
      "data goes from the newest to the oldest": ({ data }) => isDescending(data),
      "no two models have one id": ({ data }) => areDistinct(data),
    },
    UsageList: {
      "data goes from the newest to the oldest": ({ data }) => isDescending(data),
      "no two calls have one id": ({ data }) => areDistinct(data),
    },
    UsageRecord: {
      "balance_after_microcents is there where amount_microcents is above 0": ({
        amount_microcents,
        balance_after_microcents,
      }) => amount_microcents === 0 || balance_after_microcents !== null,
      "a call that runs has cost nothing yet": ({ outcome, amount_microcents }) =>
        outcome !== null || amount_microcents === 0,
      "no tokens are told that none of its items has": (record) =>
        record.items === undefined ||
        Object.entries(KINDS_OF_TOKENS).every(
          ([counter, kinds]) => record[counter] <= quantityOf(record.items, kinds),
        ),
      "items come to amount_microcents, rounded up once": ({ outcome, items, amount_microcents }) =>
        outcome === null || items === undefined || sumOfItems(items) === BigInt(amount_microcents),
    },
    BillItem: {
      "a price of tokens is for a million of them, and any other for one use": ({ kind, per }) =>
        per === (Object.values(KINDS_OF_TOKENS).flat().includes(kind) ? 1_000_000 : 1),
    },
    LedgerEntryList: {
      "data goes from the newest to the oldest": ({ data }) => isDescending(data),
      "no two entries have one id": ({ data }) => areDistinct(data),
      "balance_after_microcents minus amount_microcents is what the entry before left": ({ data }) =>
        data.every(
          (entry: Shaped, index: number) =>
            index + 1 === data.length ||
            entry.balance_after_microcents - entry.amount_microcents ===
              data[index + 1].balance_after_microcents,
        ),
    },
    LedgerEntry: {
      "amount_microcents is above 0 for top_up and refund, below 0 for order and call": ({
        type,
        amount_microcents,
      }) =>
        (!["top_up", "refund"].includes(type) || amount_microcents > 0) &&
        (!["order", "call"].includes(type) || amount_microcents < 0),
      "reference is the id of the order for order and refund, of the call for call": ({ type, reference }) =>
        reference.startsWith(PREFIXES[type] ?? ""),
    },
    Timestamp: {
      "it is in UTC, to the millisecond": (time: string) => /\.\d{3}Z$/.test(time),
    },
    MessageStream: {
      "it begins with message_start, and ends with message_stop or an error": (events: string) => {
        const names = [...events.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
        const begins = names[0] === "message_start" || names[0] === "ping";
        return begins && ["message_stop", "error"].includes(names.at(-1) ?? "");
      },
    },
  },
  ofExamples: {
    UsageList: {
      "each balance_after_microcents is the one before without amount_microcents": ({ data }) => {
        const charged = data.filter(
          ({ balance_after_microcents }: Shaped) => balance_after_microcents !== null,
        );
        return charged
          .slice(1)
          .every(
            (before: Shaped, index: number) =>
              before.balance_after_microcents - charged[index].amount_microcents ===
              charged[index].balance_after_microcents,
          );
      },
    },
  },
  ofAnswers: {
    "of the requests that may be made this one is counted, so fewer are left": ({ headers }) => {
      const limit = headers[`${RATE_LIMIT}-limit`];
      return limit === undefined || Number(headers[`${RATE_LIMIT}-remaining`]) < Number(limit);
    },
    "the count starts anew within the minute that follows": ({ headers }) => {
      const { [`${RATE_LIMIT}-reset`]: reset, date } = headers;
      if (reset === undefined || date === undefined) return true;
      const waitMs = Date.parse(reset) - Date.parse(date);
      return waitMs > -ON_ITS_WAY_MS && waitMs <= MINUTE_MS + CLOCK_STEP_MS;
    },
  },
  ofPairs: {
    "a stream is what was asked for, and JSON where none was": ({ request, status, mediaType }) =>
      status !== 200 || (request.stream === true) === (mediaType === "text/event-stream"),
    "a stream is of the model that was asked for": ({ request, mediaType, body }) =>
      mediaType !== "text/event-stream" || modelOfStream(body) === request.model,
    "no more tokens come than max_tokens": ({ operationId, request, status, mediaType, body }) =>
      operationId !== "createMessage" || status !== 200 || tokensOf(mediaType, body) <= request.max_tokens,
    "tools that are used are among the request's": ({ request, body }) =>
      usedTools(body).every((name) => request.tools?.some((tool: Shaped) => tool.name === name)),
  },
} satisfies Invariants;

/** The data of the events of a stream. */
function eventsOf(stream: string): Shaped[] {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
}

function modelOfStream(stream: string): unknown {
  return eventsOf(stream).find(({ type }) => type === "message_start")?.message.model;
}

/** The output tokens that an answer says last. */
function tokensOf(mediaType: string, body: Shaped): number {
  if (mediaType !== "text/event-stream") return body.usage.output_tokens;
  const counts = eventsOf(body).map(({ usage, message }) => (usage ?? message?.usage)?.output_tokens);
  return counts.findLast((count) => count !== undefined) ?? 0;
}

function usedTools(body: Shaped): unknown[] {
  const content = Array.isArray(body?.content) ? body.content : [];
  return content.filter(({ type }: Shaped) => type === "tool_use").map(({ name }: Shaped) => name);
}

function areDistinct(items: readonly Shaped[]): boolean {
  return new Set(items.map(({ id }) => id)).size === items.length;
}

function isDescending(items: readonly Shaped[]): boolean {
  return items.every((item, index) => index === 0 || item.created_at <= items[index - 1].created_at);
}

/** How many of some kinds the answer itself is charged for. */
function quantityOf(items: readonly Shaped[], kinds: readonly string[]): number {
  const own = items.filter(({ part, kind }) => part === "message" && kinds.includes(kind));
  return own.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** What the items of a call come to, in microcents. */
function sumOfItems(items: readonly Shaped[]): bigint {
  const scale = 1_000_000_000_000n;
  const exact = items
    .map(({ quantity, price_microcents, per, factor_millionths }) => {
      const perMillion = (BigInt(price_microcents) * 1_000_000n) / BigInt(per);
      return BigInt(quantity) * perMillion * BigInt(factor_millionths);
    })
    .reduce((sum, each) => sum + each, 0n);
  return (exact + scale - 1n) / scale;
}
