import type { Invariants, Shaped } from "../../meaning/invariants.ts";

const ROLES = ["viewer", "support", "finance", "admin"];

/** Without TLS, on this machine alone, the name has no prefix. */
const SESSION_COOKIE =
  /^(?:__Host-operator-session=[\w-]*; Path=\/; HttpOnly; Secure|operator-session=[\w-]*; Path=\/; HttpOnly); SameSite=Strict; Max-Age=\d+$/;

/** What the operator console's values mean beside their shape. */
export default {
  ofSchemas: {
    Role: {
      "it is one of those that its description lists": (role: string) => ROLES.includes(role),
    },
    Time: {
      "it is in UTC, to the millisecond": (time: string) => /\.\d{3}Z$/.test(time),
    },
    Session: {
      "a session that waits has proved nothing": ({ waitsForSecondFactor, steppedUpUntil }) =>
        !waitsForSecondFactor || steppedUpUntil === null,
      "a session that waits has something to wait for": ({ waitsForSecondFactor, secondFactors }) =>
        !waitsForSecondFactor || secondFactors.length > 0,
      "the role is of no use while the second factor is awaited": ({ waitsForSecondFactor, mayAct }) =>
        !waitsForSecondFactor || !mayAct,
      "the role is of use to who has given a second factor": ({
        waitsForSecondFactor,
        secondFactors,
        mayAct,
      }) => waitsForSecondFactor || secondFactors.length === 0 || mayAct,
      "no second factor is told twice": ({ secondFactors }) =>
        new Set(secondFactors).size === secondFactors.length,
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
    Security: {
      "only who has a second factor has recovery codes": ({ hasTotp, hasPasskeys, recoveryCodesLeft }) =>
        hasTotp || hasPasskeys || recoveryCodesLeft === 0,
    },
    RecoveryCodes: {
      "no two codes are the same": ({ codes }) => new Set(codes).size === codes.length,
    },
    TotpSecret: {
      "the uri holds the secret": ({ secret, uri }) => uri.includes(`secret=${secret}`),
    },
    OperatorList: {
      "one of the operators is an admin": ({ operators }) =>
        operators.some(({ role }: Shaped) => role === "admin"),
      "no two operators are one user": ({ operators }) => areDistinct(operators, "userId"),
    },
    InvitationLink: {
      "the token is in the fragment": ({ link }) => /\/operator\/#invitation=[\w-]{43}$/.test(link),
    },
  },
  ofAnswers: {
    "the cookie is the session's, for this service and its pages alone": ({ headers }) => {
      const cookie = headers["set-cookie"];
      return cookie === undefined || SESSION_COOKIE.test(cookie);
    },
    "a cookie is kept while it has a token, and forgotten at once when it has none": ({ headers }) => {
      const [, token, seconds] = /=(.*?);.*Max-Age=(\d+)/.exec(headers["set-cookie"] ?? "") ?? [];
      return seconds === undefined || (token === "") === (seconds === "0");
    },
  },
  ofPairs: {
    "an invitation is to the role that was asked for": ({ operationId, request, status, body }) =>
      operationId !== "inviteOperator" || status !== 201 || request.role === body.role,
  },
} satisfies Invariants;

function areDistinct(items: readonly Shaped[], field: string): boolean {
  return new Set(items.map((item) => item[field])).size === items.length;
}
