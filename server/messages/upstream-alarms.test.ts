import { expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import { UpstreamMisconfiguredError, UpstreamRefusedError } from "./errors.ts";
import { createUpstreamAlarms } from "./upstream-alarms.ts";

function refusal(message: string): UpstreamRefusedError {
  const words = { type: "invalid_request_error", message };
  return new UpstreamRefusedError("upstream_refused", { upstreamStatus: 400, words });
}

function openAlarms() {
  const logged: object[] = [];
  const alarms = createUpstreamAlarms({
    info() {},
    warn() {},
    error: (facts: object) => void logged.push(facts),
  });
  const note = (error: unknown, account: string) =>
    alarms.note(error, { requestId: `request-of-${account}`, accountId: account as AccountId });
  return { alarms, note, logged };
}

test("a refusal of the shop is an alarm each time, with its reason", () => {
  const { alarms, note, logged } = openAlarms();
  note(new UpstreamMisconfiguredError("credit", 400), "a");
  note(new UpstreamMisconfiguredError("credit", 400), "a");
  expect(alarms.counts()).toMatchObject({ credit: 2, key: 0, repeated_refusal: 0 });
  expect(logged[0]).toEqual({ requestId: "request-of-a", reason: "credit", status: 400 });
});

test("the same words to three accounts are one alarm, whatever numbers are in them", () => {
  const { alarms, note, logged } = openAlarms();
  for (const day of [1, 2, 3]) note(refusal(`Closed until day ${day}.`), "a");
  note(refusal("Closed until day 4."), "b");
  expect(alarms.counts().repeated_refusal).toBe(0);
  for (const account of ["c", "d", "e"]) note(refusal("Closed until day 5."), account);
  expect(alarms.counts().repeated_refusal).toBe(1);
  expect(logged).toEqual([{ requestId: "request-of-c", status: 400, refusal: "Closed until day 5." }]);
});

test("different words, and faults of other kinds, are none", () => {
  const { alarms, note } = openAlarms();
  for (const account of ["a", "b", "c", "d"]) {
    note(refusal(`no field ${account}`), account);
    note(new Error("broken"), account);
  }
  expect(Object.values(alarms.counts()).every((count) => count === 0)).toBe(true);
});
