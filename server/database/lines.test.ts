import { expect, test } from "vitest";
import { RowsInUseError } from "./faults.ts";
import { createLines } from "./lines.ts";

const IN_VAIN = new RowsInUseError(null, ["a"]);

/** Lines of items named by their row and a number, such as "a1", whose writes go on when they are let go. */
function recordingLines(refuse: (items: readonly string[]) => Error | null = () => null) {
  const lists: (readonly string[])[] = [];
  const held: (() => void)[] = [];
  const write = async (items: readonly string[]) => {
    lists.push(items);
    await new Promise<void>((resolve) => held.push(resolve));
    const error = refuse(items);
    if (error !== null) throw error;
    return items.map((item) => `${item} is written`);
  };
  const letGo = async () => {
    for (const go of held.splice(0)) go();
    await new Promise(setImmediate);
  };
  const lines = createLines<string, string>(write, { contestedOf: ([row]) => row as string });
  return { lines, lists, letGo };
}

test("those of one row go together, one turn after the other, and hold up no other row", async () => {
  const { lines, lists, letGo } = recordingLines();
  const written = Promise.all(["a1", "a2", "b1", "a3"].map(lines.add));
  await new Promise(setImmediate);
  expect(lists).toEqual([["a1"], ["b1"]]);
  await letGo();
  expect(lists).toEqual([["a1"], ["b1"], ["a2", "a3"]]);
  await letGo();
  expect(await written).toEqual(["a1", "a2", "b1", "a3"].map((item) => `${item} is written`));
});

test("a line is there until nobody is left in it", async () => {
  const { lines, letGo } = recordingLines();
  const written = lines.add("a1");
  expect([lines.has("a2"), lines.has("b1")]).toEqual([true, false]);
  await new Promise(setImmediate);
  await letGo();
  await written;
  expect(lines.has("a2")).toBe(false);
});

test("who waited in vain is refused once, and the line stays until its row was had", async () => {
  let isHeld = true;
  const { lines, lists, letGo } = recordingLines(() => (isHeld ? IN_VAIN : null));
  const outcomes = Promise.allSettled(["a1", "a2", "a3"].map(lines.add));
  for (let round = 0; round < 3; round += 1) await letGo();
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(lists).toEqual([["a1"], ["a2", "a3"]]);
  expect(lines.has("a4")).toBe(true);
  isHeld = false;
  const written = lines.add("a4");
  for (let round = 0; round < 2; round += 1) await letGo();
  expect(await written).toBe("a4 is written");
  expect(lines.has("a5")).toBe(false);
});

test("what is refused for a reason of its own is refused alone", async () => {
  const { lines, letGo } = recordingLines((items) => (items.includes("a2") ? new Error("too dear") : null));
  const outcomes = Promise.allSettled(["a1", "a2", "a3"].map(lines.add));
  for (let round = 0; round < 5; round += 1) await letGo();
  expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("of many lines only a few wait at the database at a time", async () => {
  const { lines, lists, letGo } = recordingLines();
  const rows = "abcdefgh".split("");
  const written = Promise.all(rows.map((row) => lines.add(`${row}1`)));
  await new Promise(setImmediate);
  expect(lists).toHaveLength(4);
  for (let round = 0; round < 3; round += 1) await letGo();
  await written;
  expect(lists).toHaveLength(rows.length);
});
