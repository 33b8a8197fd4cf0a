import { describe, expect, test } from "vitest";
import {
  CommitOutcomeUnknownError,
  ConnectionWaitError,
  ContentionError,
  DatabaseUnavailableError,
  isConnectionLost,
  isContention,
  isLockTimeout,
  isOutage,
  isReadOnly,
  named,
  namedChange,
  namedRead,
  StatementTimeoutError,
} from "./faults.ts";

/** An error as the driver makes it of a server's answer. */
function fault(errno: number, message = "refused"): Error {
  return Object.assign(new Error(message), { errno });
}

const PREDICATES = { isContention, isLockTimeout, isReadOnly, isConnectionLost, isOutage };

function meaningOf(error: unknown): string[] {
  return Object.entries(PREDICATES)
    .filter(([, holds]) => holds(error))
    .map(([name]) => name);
}

describe("what a fault means", () => {
  test.each([
    ["deadlock", fault(1213), ["isContention"]],
    ["snapshot conflict", fault(1020), ["isContention"]],
    ["lock not had in time", fault(1205), ["isContention", "isLockTimeout"]],
    ["lock not to be waited for", fault(3572), ["isContention", "isLockTimeout"]],
    ["refused by the group at COMMIT", fault(3101), ["isContention"]],
    [
      "refused by the cluster at COMMIT",
      fault(1180, 'Got error 149 "Lock deadlock" during COMMIT'),
      ["isContention"],
    ],
    ["another fault at COMMIT", fault(1180, "Got error 28 during COMMIT"), []],
    ["--read-only", fault(1290), ["isReadOnly", "isOutage"]],
    ["read-only transaction", fault(1792), ["isReadOnly", "isOutage"]],
    ["read-only mode", fault(1836), ["isReadOnly", "isOutage"]],
    ["member without its group", fault(3100), ["isReadOnly", "isOutage"]],
    ["node without its cluster", fault(1047), ["isReadOnly", "isOutage"]],
    ["too many connections", fault(1040), ["isOutage"]],
    ["no more open files", fault(1016), ["isOutage"]],
    ["a full disk", fault(1021), ["isOutage"]],
    ["a full table", fault(1114), ["isOutage"]],
    ["no memory", fault(1041), ["isOutage"]],
    ["no more threads", fault(1135), ["isOutage"]],
    ["a proxy's own fault", fault(9001), ["isOutage"]],
    ["killed", fault(1927), ["isConnectionLost", "isOutage"]],
    ["silence", new StatementTimeoutError(), ["isConnectionLost", "isOutage"]],
    ["no connection free", new ConnectionWaitError(), ["isOutage"]],
    ["under its name", new DatabaseUnavailableError(fault(1927)), ["isConnectionLost", "isOutage"]],
    ["duplicate key", fault(1062), []],
    ["wrong SQL", fault(1064), []],
    // Whatever broke it, the transaction may have taken effect, and must not be run again.
    ["a COMMIT without an answer", new CommitOutcomeUnknownError(fault(1927)), []],
  ])("%s", (_what, error, meaning) => {
    expect(meaningOf(error)).toEqual(meaning);
  });
});

test("an outage is given its name once, and nothing else is", () => {
  const outage = named(fault(1290));
  expect(outage).toBeInstanceOf(DatabaseUnavailableError);
  expect(named(outage)).toBe(outage);
  const other = fault(1064);
  expect(named(other)).toBe(other);
});

test("a read that waits in vain, as on a node that is behind its cluster, meets an outage", () => {
  expect(namedRead(fault(1205))).toBeInstanceOf(DatabaseUnavailableError);
  const other = fault(1146);
  expect(namedRead(other)).toBe(other);
});

test("a change without an answer may have taken effect, also behind a proxy, and one that was refused has not", () => {
  for (const error of [fault(1927), fault(2013), fault(9001), new StatementTimeoutError()])
    expect(namedChange(error)).toBeInstanceOf(CommitOutcomeUnknownError);
  expect(namedChange(fault(1205))).toBeInstanceOf(ContentionError);
  expect(namedChange(fault(1290))).toBeInstanceOf(DatabaseUnavailableError);
  const other = fault(1062);
  expect(namedChange(other)).toBe(other);
});
