import { expect, test } from "vitest";
import { timeZone } from "../time-zone.ts";
import { bucketsOf, type Granularity, type Period, runsOf } from "./buckets.ts";

const HOUR_MS = 60 * 60_000;

function buckets(zone: string, granularity: Granularity, from: string, to: string): Period[] {
  const period = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  return bucketsOf(period, granularity, timeZone(zone));
}

const hours = (all: readonly Period[]) => all.map(({ fromMs, toMs }) => (toMs - fromMs) / HOUR_MS);
const starts = (all: readonly Period[]) => all.map(({ fromMs }) => new Date(fromMs).toISOString());

test.each([
  ["23 hours where clocks are put forward", "Europe/Berlin", "2026-03-28T23:00Z", [23, 24]],
  ["25 where they are put back", "Europe/Berlin", "2026-10-24T22:00Z", [25, 24]],
  ["24 and a half where it is by half an hour", "Australia/Lord_Howe", "2026-04-04T13:00Z", [24.5, 24]],
  ["25 where it is at midnight", "America/Havana", "2026-11-01T04:00Z", [25, 24]],
  ["23 where midnight is left out", "Africa/Cairo", "2026-04-23T22:00Z", [23, 24]],
  ["24 in Nepal, from a quarter past", "Asia/Kathmandu", "2026-03-28T18:15Z", [24, 24]],
  ["24 in UTC", "UTC", "2026-03-29T00:00Z", [24, 24]],
])("a day has %s: %s", (_name, zone, from, expected) => {
  const toMs = Date.parse(from) + (expected[0] as number) * HOUR_MS + (expected[1] as number) * HOUR_MS;
  const to = new Date(toMs).toISOString();
  expect(hours(buckets(zone, "P1D", from, to))).toEqual(expected);
});

test("a day that a zone leaves out has no bucket", () => {
  const days = buckets("Pacific/Apia", "P1D", "2011-12-29T10:00Z", "2012-01-01T10:00Z");
  expect(starts(days)).toEqual([
    "2011-12-29T10:00:00.000Z",
    "2011-12-30T10:00:00.000Z",
    "2011-12-31T10:00:00.000Z",
  ]);
});

test("hours begin where the zone's do, and each that is there twice is told twice", () => {
  expect(starts(buckets("Asia/Kathmandu", "PT1H", "2026-01-01T00:00Z", "2026-01-01T01:30Z"))).toEqual([
    "2026-01-01T00:00:00.000Z",
    "2026-01-01T00:15:00.000Z",
    "2026-01-01T01:15:00.000Z",
  ]);
  const night = buckets("Europe/Berlin", "PT1H", "2026-10-24T22:00Z", "2026-10-25T04:00Z");
  expect(hours(night)).toEqual([1, 1, 1, 1, 1, 1]);
  const halfAnHourMore = buckets("Australia/Lord_Howe", "PT1H", "2026-04-04T13:00Z", "2026-04-04T16:30Z");
  expect(hours(halfAnHourMore)).toEqual([1, 1.5, 1]);
});

test("months are the zone's, and the first and the last are cut", () => {
  expect(starts(buckets("America/New_York", "P1M", "2026-01-31T12:00Z", "2026-04-15T00:00Z"))).toEqual([
    "2026-01-31T12:00:00.000Z",
    "2026-02-01T05:00:00.000Z",
    "2026-03-01T05:00:00.000Z",
    "2026-04-01T04:00:00.000Z",
  ]);
});

test("buckets of one length are one run", () => {
  const year = buckets("Europe/Berlin", "P1D", "2025-12-31T23:00Z", "2026-12-31T23:00Z");
  expect(year).toHaveLength(365);
  expect(runsOf(year).map(({ lengthMs, firstBucket }) => [lengthMs / HOUR_MS, firstBucket])).toEqual([
    [24, 0],
    [23, 87],
    [24, 88],
    [25, 297],
    [24, 298],
  ]);
});
