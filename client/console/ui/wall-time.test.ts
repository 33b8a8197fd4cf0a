import { expect, test } from "vitest";
import { daysLater, momentAt, wallTime } from "./wall-time.ts";

test.each([
  ["2026-11-20T09:41:07.250Z", "Europe/Berlin", "2026-11-20T10:41"],
  ["2026-11-20T23:00:00.000Z", "Europe/Berlin", "2026-11-21T00:00"],
  ["2026-11-20T18:15:00.000Z", "Asia/Kathmandu", "2026-11-21T00:00"],
  ["2026-07-01T00:00:00.000Z", "America/New_York", "2026-06-30T20:00"],
  ["2026-11-20T09:41:00.000Z", "Nowhere/At_All", "2026-11-20T09:41"],
])("at %s the clocks of %s show %s", (at, timeZone, wall) => {
  expect(wallTime(new Date(at), timeZone)).toBe(wall);
});

test.each([
  ["2026-11-20T10:41", "Europe/Berlin", "2026-11-20T09:41:00.000Z"],
  ["2026-11-21T00:00", "Asia/Kathmandu", "2026-11-20T18:15:00.000Z"],
  // Clocks that are put back show an hour twice.
  ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
  ["2026-10-25T03:00", "Europe/Berlin", "2026-10-25T02:00:00.000Z"],
  // Clocks that are put forward leave one out.
  ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
  ["2026-03-29T03:00", "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
  ["2018-11-04T00:00", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
])("clocks show %s in %s at %s", (wall, timeZone, at) => {
  expect(momentAt(wall, timeZone)?.toISOString()).toBe(at);
});

test("what is no time is no moment", () => {
  expect(momentAt("2026-13-01T00:00", "UTC")).toBeNull();
  expect(momentAt("T00:00", "UTC")).toBeNull();
});

test.each([
  ["2026-11-20", 1, "2026-11-21"],
  ["2026-12-31", 1, "2027-01-01"],
  ["2028-03-01", -1, "2028-02-29"],
])("%s and %i days are %s", (day, days, expected) => {
  expect(daysLater(day, days)).toBe(expected);
});
