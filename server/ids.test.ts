import { expect, test } from "vitest";
import { firstIdAt, newId, parseId } from "./ids.ts";

/** More than randomness is asked for at once, and more than one millisecond makes. */
const MANY = 20_000;

test("ids are all different, and later ones sort after earlier ones", () => {
  const beginMs = Date.now();
  const ids = Array.from({ length: MANY }, () => newId("call"));
  expect(new Set(ids).size).toBe(MANY);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.every((id) => id > firstIdAt("call", beginMs))).toBe(true);
  // Those that follow each other have no more in common than their time.
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(MANY);
});

test("an id is a UUID of version 7 by its digits", () => {
  for (const id of Array.from({ length: 1_000 }, () => newId("ord"))) {
    expect(id).toMatch(/^ord_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(parseId("ord", id)).toBe(id);
  }
});
