import { expect, test } from "vitest";
import { daysOf, lastDays, periodOf, withinAll } from "./period.ts";

const ZONE = "Europe/Berlin";

test("the last days begin and end at midnight of the zone, also where clocks were changed", () => {
  const now = new Date("2026-10-31T23:30:00Z");
  expect(lastDays(30, ZONE, now)).toEqual({
    from: "2026-10-02T22:00:00.000Z",
    to: "2026-11-01T23:00:00.000Z",
  });
});

test("what a period leaves open is all that there is", () => {
  const now = new Date("2026-10-31T23:30:00Z");
  const [from, to] = ["2026-10-01T00:00:00Z", "2026-10-02T00:00:00Z"];
  expect(withinAll({}, "UTC", now)).toEqual({
    from: "1970-01-01T00:00:00.000Z",
    to: "2026-11-01T00:00:00.000Z",
  });
  expect(withinAll({ from, to }, "UTC", now)).toEqual({ from, to });
});

test("days become a period with the last of them, and are found again in it", () => {
  const days = { fromDay: "2026-10-01", toDay: "2026-10-31" };
  const period = { from: "2026-09-30T22:00:00.000Z", to: "2026-10-31T23:00:00.000Z" };
  expect(periodOf(days, ZONE)).toEqual(period);
  expect(daysOf(period, ZONE)).toEqual(days);
});

test("what was not chosen is left out, and what is no day is left to the service", () => {
  expect(periodOf({ fromDay: "", toDay: "" }, ZONE)).toEqual({});
  expect(periodOf({ fromDay: "soon", toDay: "later" }, ZONE)).toEqual({ from: "soon", to: "later" });
  expect(daysOf({ from: "soon" }, ZONE)).toEqual({ fromDay: "", toDay: "" });
});
