import { LEVEL_THRESHOLDS, type Level } from "../../../server/accounts/level.ts";
import { MICROCENTS_PER_USD } from "../../../server/money/microcents.ts";
import { SESSION_LIMITS } from "../../../server/people/session.ts";
import type { Invariants, Shaped } from "../../meaning/invariants.ts";

const ROLES = ["owner", "developer", "billing"];
/** How the reference of an entry begins, where it is an id of the service. */
const PREFIXES: Readonly<Record<string, string>> = { order: "ord_", refund: "ord_", call: "call_" };

/** Without TLS, on this machine alone, the name has no prefix. */
const SESSION_COOKIE =
  /^(?:__Host-account-session=[\w-]*; Path=\/; HttpOnly; Secure|account-session=[\w-]*; Path=\/; HttpOnly); SameSite=Strict; Max-Age=\d+$/;

/** What the account center's values mean beside their shape. */
export default {
  ofSchemas: {
    Overview: {
      "available is balance minus reserved, and nothing where that is less": ({
        balance,
        reserved,
        available,
      }) => {
        const difference = tenThousandths(balance) - tenThousandths(reserved);
        return tenThousandths(available) === (difference < 0n ? 0n : difference);
      },
      "reserved is what the holds come to, rounded up, where all are shown": ({
        reserved,
        holds,
        hasMoreHolds,
      }) => {
        const sum = holds.reduce((all: bigint, { amount }: Shaped) => all + tenThousandths(amount), 0n);
        // Each amount is rounded up.
        return hasMoreHolds || tenThousandths(reserved) <= sum;
      },
      "holds go from the oldest to the newest": ({ holds }) => isAscending(holds, "since"),
      "the balance is low where less is available than lowBalance": ({
        available,
        lowBalance,
        isBalanceLow,
      }) => isBalanceLow === (lowBalance !== null && tenThousandths(available) < tenThousandths(lowBalance)),
      "the role is one of those that its description lists": ({ role }) => ROLES.includes(role),
      "nextLevel is the one after level, and null at the highest": ({ level, nextLevel }) =>
        nextLevel === null ? level === 5 : nextLevel.level > level,
    },
    SpendBucket: {
      "total is orders and calls without refunds": ({ orders, calls, refunds, total }) =>
        exact(total) === exact(orders) + exact(calls) - exact(refunds),
    },
    ...Object.fromEntries(
      ["SpendStatistics", "OrderStatistics", "CallStatistics"].map((name) => [
        name,
        {
          "each bucket begins where the one before ends": ({ buckets }: Shaped) =>
            buckets.every(
              ({ from, to }: Shaped, index: number) =>
                from < to && (index === 0 || buckets[index - 1].to === from),
            ),
          "no bucket tells a group twice": ({ buckets }: Shaped) =>
            name === "SpendStatistics" || buckets.every(({ groups }: Shaped) => areDistinct(groups, "group")),
        },
      ]),
    ),
    OrderFigures: {
      "each order has a code": ({ orders, codes }) => codes >= orders && (orders > 0 || codes === 0),
      "nothing comes to nothing": ({ orders, amount, refunds, refundedAmount }) =>
        (orders > 0 || exact(amount) === 0n) && (refunds > 0 || exact(refundedAmount) === 0n),
    },
    CallFigures: {
      "nothing is used or paid where no call has ended": (figures) =>
        ["completed", "clientAborted", "upstreamFailed", "rejected"].some(
          (outcome) => figures[outcome] > 0,
        ) ||
        (exact(figures.amount) === 0n &&
          ["inputTokens", "outputTokens", "cacheWriteTokens", "cacheReadTokens"].every(
            (kind) => figures[kind] === 0,
          )),
    },
    NextLevel: {
      "no more is missing than lies between it and the level before": ({ level, remaining }) =>
        tenThousandths(remaining) > 0n &&
        tenThousandths(remaining) <= thresholdOf(level) - thresholdOf(level - 1),
    },
    StatementSum: {
      "there are entries of its type, above nothing or below as those are": ({ type, entries, amount }) =>
        entries > 0 && (type === "adjustment" || exact(amount) > 0n === ["top_up", "refund"].includes(type)),
    },
    Time: {
      "it is in UTC, to the millisecond": (time: string) => /\.\d{3}Z$/.test(time),
    },
    Hold: {
      "the id is that of its kind": ({ id, kind }) => id.startsWith(kind === "order" ? "ord_" : "call_"),
    },
    Session: {
      "a session that waits has proved nothing": ({ waitsForSecondFactor, steppedUpUntil }) =>
        !waitsForSecondFactor || steppedUpUntil === null,
      "a session that waits has something to wait for": ({ waitsForSecondFactor, secondFactors }) =>
        !waitsForSecondFactor || secondFactors.length > 0,
      "no second factor is told twice": ({ secondFactors }) =>
        new Set(secondFactors).size === secondFactors.length,
      "it belongs to a member of an account": ({ memberships }) => memberships.length > 0,
      "no two memberships are of one account": ({ memberships }) => areDistinct(memberships, "accountId"),
    },
    SessionList: {
      "one of them is the one that asks": ({ sessions }) =>
        sessions.filter(({ isThisOne }: Shaped) => isThisOne).length === 1,
      "no two sessions have one id": ({ sessions }) => areDistinct(sessions, "sessionId"),
    },
    OwnSession: {
      "it was begun before it was used, and ends after that": ({ createdAt, lastSeenAt, endsAt }) =>
        createdAt <= lastSeenAt && lastSeenAt < endsAt,
    },
    Invitation: {
      "account and role are there together, or neither": ({ accountName, role }) =>
        (accountName === null) === (role === null),
    },
    Security: {
      "only who has a second factor has recovery codes": ({ hasTotp, hasPasskeys, recoveryCodesLeft }) =>
        hasTotp || hasPasskeys || recoveryCodesLeft === 0,
    },
    Passkey: {
      "it was made before it was used": ({ createdAt, lastUsedAt }) =>
        lastUsedAt === null || createdAt <= lastUsedAt,
    },
    PasskeyList: {
      "passkeys go from the newest to the oldest": ({ passkeys }) =>
        isAscending(passkeys.toReversed(), "createdAt"),
      "no two passkeys have one id": ({ passkeys }) => areDistinct(passkeys, "passkeyId"),
    },
    AddedPasskey: {
      "it has not been used": ({ passkey }) => passkey.lastUsedAt === null,
      "no two codes are the same": ({ recoveryCodes }) =>
        recoveryCodes === null || new Set(recoveryCodes).size === recoveryCodes.length,
    },
    RecoveryCodes: {
      "no two codes are the same": ({ codes }) => new Set(codes).size === codes.length,
    },
    TotpSecret: {
      "the uri holds the secret": ({ secret, uri }) => uri.includes(`secret=${secret}`),
    },
    MemberList: {
      "one of the members is an owner": ({ members }) => members.some(({ role }: Shaped) => role === "owner"),
      "no two members are one user": ({ members }) => areDistinct(members, "userId"),
    },
    InvitationLink: {
      "the token is in the fragment": ({ link }) => /#invitation=[\w-]{43}$/.test(link),
    },
    KeyList: {
      "keys go from the newest to the oldest": ({ keys }) => isAscending(keys.toReversed(), "createdAt"),
      "no two keys have one id": ({ keys }) => areDistinct(keys, "keyId"),
    },
    Key: {
      "former secrets go from the newest to the oldest": ({ formerSecrets }) =>
        isAscending(formerSecrets.toReversed(), "replacedAt"),
      "only a key that works has former secrets": ({ status, formerSecrets }) =>
        status === "active" || formerSecrets.length === 0,
    },
    FormerSecret: {
      "it works for a while after it was replaced": ({ replacedAt, worksUntil }) => replacedAt < worksUntil,
    },
    Order: {
      "amount is unitPrice times qty": ({ amount, unitPrice, qty }) =>
        tenThousandths(amount) === tenThousandths(unitPrice) * BigInt(qty),
      "only what was delivered is refunded": ({ deliveredAt, refundedAt }) =>
        refundedAt === null || (deliveredAt !== null && deliveredAt <= refundedAt),
      "deliveredAt is there where it was delivered": ({ status, deliveredAt }) =>
        (status === "delivered" || status === "refunded") === (deliveredAt !== null),
      "why it was not fulfilled is said of what was not, and of nothing else": ({ status, errorCode }) =>
        (errorCode !== null) === (status === "retryable" || status === "failed"),
    },
    OrderList: {
      "orders go from the newest to the oldest": ({ orders }) =>
        isAscending(orders.toReversed(), "createdAt"),
      "no two orders have one id": ({ orders }) => areDistinct(orders, "orderId"),
      "nextCursor is there where there are more": ({ hasMore, nextCursor }) =>
        hasMore === (nextCursor !== null),
    },
    OrderCodes: {
      "no two codes are the same": ({ codes }) => new Set(codes).size === codes.length,
    },
    ActivityList: {
      "entries go from the newest to the oldest": ({ entries }) =>
        isAscending(entries.toReversed(), "createdAt"),
      "no two entries have one id": ({ entries }) => areDistinct(entries, "entryId"),
      "nextCursor is there where there are more": ({ hasMore, nextCursor }) =>
        hasMore === (nextCursor !== null),
    },
    LedgerEntryList: {
      "each balance is the one before and the amount": ({ entries }) =>
        entries.every(
          ({ balanceAfter, amount }: Shaped, index: number) =>
            index + 1 === entries.length ||
            exact(entries[index + 1].balanceAfter) + exact(amount) === exact(balanceAfter),
        ),
      "ids count down by one": ({ entries }) =>
        entries.every(
          ({ entryId }: Shaped, index: number) =>
            index === 0 || entryId === `led_${Number(entries[index - 1].entryId.slice(4)) - 1}`,
        ),
      "nextCursor is there where there are more": ({ hasMore, nextCursor }) =>
        hasMore === (nextCursor !== null),
    },
    LedgerEntry: {
      "payments and refunds are above nothing, orders and calls below": ({ type, amount }) =>
        type === "adjustment" || exact(amount) > 0n === ["top_up", "refund"].includes(type),
      "the reference is an id of what it is of": ({ type, reference }) =>
        reference.startsWith(PREFIXES[type] ?? ""),
    },
    Statement: {
      "opening and all sums come to closing": ({ opening, closing, sums }) =>
        sums.reduce((sum: bigint, { amount }: Shaped) => sum + exact(amount), exact(opening)) ===
        exact(closing),
      "no type is summed twice": ({ sums }) => areDistinct(sums, "type"),
      "it begins before it ends": ({ from, to }) => from < to,
    },
    KeyWithSecret: {
      "the preview is that of the secret": ({ secret, key }) => {
        const [start = "", end = ""] = key.preview.split("…");
        return secret.startsWith(start) && secret.endsWith(end);
      },
    },
  },
  ofAnswers: {
    "no_codes is said of an order that is not delivered": ({ body }) =>
      body?.error !== "no_codes" || body.details.status !== "delivered",
    "the cookie is the session's, for this service and its pages alone": ({ headers }) => {
      const cookie = headers["set-cookie"];
      return cookie === undefined || SESSION_COOKIE.test(cookie);
    },
    "a cookie is kept as long as a session may last, and forgotten at once when it has no token": ({
      headers,
    }) => {
      const [, token, seconds] = /=(.*?);.*Max-Age=(\d+)/.exec(headers["set-cookie"] ?? "") ?? [];
      return (
        seconds === undefined ||
        Number(seconds) === (token === "" ? 0 : SESSION_LIMITS.account.lifeMs / 1_000)
      );
    },
    "a file is saved by browsers, under a name that ends as its kind does": ({ headers }) => {
      const disposition = headers["content-disposition"];
      return disposition === undefined || /^attachment; filename="\w+\.csv"$/.test(disposition);
    },
  },
  ofPairs: {
    "a key has the properties that were asked for": ({ operationId, request, status, body }) =>
      operationId !== "createKey" ||
      status !== 201 ||
      ["kind", "name", "orderCap", "dailyCap"].every((field) => (request[field] ?? null) === body.key[field]),
    "a passkey has the name that was asked for": ({ operationId, request, status, body }) =>
      (operationId !== "addPasskey" || status !== 201 || request.name === body.passkey.name) &&
      (operationId !== "renamePasskey" || status !== 200 || request.name === body.name),
    "a second that is no overlap leaves no former secret": ({ operationId, request, status, body }) =>
      operationId !== "rotateKey" ||
      status !== 200 ||
      request.overlapSeconds > 0 === body.key.formerSecrets.length > 0,
  },
} satisfies Invariants;

/** An amount without its decimal point. @param places how many decimals it has at most */
function whole(amount: string, places: number): bigint {
  const [, sign = "", units = "0", decimals = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  return BigInt(`${sign}${units}${decimals.padEnd(places, "0")}`);
}

function tenThousandths(amount: string): bigint {
  return whole(amount, 4);
}

/** An amount of the ledger. */
function exact(amount: string): bigint {
  return whole(amount, 8);
}

/** In the same unit; that of the first level is nothing. */
function thresholdOf(level: number): bigint {
  return (LEVEL_THRESHOLDS[level as Level] * 10_000n) / MICROCENTS_PER_USD;
}

function isAscending(items: readonly Shaped[], field: string): boolean {
  return items.every((item, index) => index === 0 || items[index - 1][field] <= item[field]);
}

function areDistinct(items: readonly Shaped[], field: string): boolean {
  return new Set(items.map((item) => item[field])).size === items.length;
}
