import { expect, test } from "vitest";
import { monthAt, monthsLater, monthText } from "./months.ts";

test("a moment has the month of its zone", () => {
  const time = new Date("2026-10-31T23:30:00Z");
  expect(monthAt(time, "UTC")).toBe("2026-10");
  expect(monthAt(time, "Europe/Berlin")).toBe("2026-11");
  expect(monthAt(new Date("2027-01-01T05:00:00Z"), "America/New_York")).toBe("2027-01");
  expect(monthAt(new Date("2027-01-01T04:59:59Z"), "America/New_York")).toBe("2026-12");
  expect(monthAt(time, "Nowhere/At_All")).toBe("2026-10");
});

test.each([
  ["2026-11", 1, "2026-12"],
  ["2026-12", 1, "2027-01"],
  ["2026-01", -1, "2025-12"],
  ["2026-11", -23, "2024-12"],
])("%s and %i months are %s", (month, months, expected) => {
  expect(monthsLater(month, months)).toBe(expected);
});

test("a month is told in words, and what is none as it is", () => {
  expect(monthText("2026-11")).toBe("November 2026");
  expect(monthText("2026-13")).toBe("2026-13");
});
