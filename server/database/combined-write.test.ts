import { expect, test } from "vitest";
import { combinedWrite } from "./combined-write.ts";
import { CommitOutcomeUnknownError, ContentionError, RowsInUseError } from "./faults.ts";

/** A write that records its lists, and goes on when it is let go. */
function recordingWrite(refuse: (items: readonly number[]) => Error | null = () => null) {
  const lists: (readonly number[])[] = [];
  const held: (() => void)[] = [];
  const write = async (items: readonly number[]) => {
    lists.push(items);
    await new Promise<void>((resolve) => held.push(resolve));
    const error = refuse(items);
    if (error !== null) throw error;
  };
  const letGo = async () => {
    for (const go of held.splice(0)) go();
    await new Promise(setImmediate);
  };
  return { lists, write, letGo };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test("the first is written alone and at once, those that come meanwhile together", async () => {
  const { lists, write, letGo } = recordingWrite();
  const add = combinedWrite(write);
  const written = Promise.all(numbers(9).map(add));
  expect(lists).toEqual([[0]]);
  await letGo();
  expect(lists).toEqual([[0], [1, 2, 3, 4, 5, 6, 7, 8]]);
  await letGo();
  await written;
});

test("lists have as many items as powers of two, at most 16", async () => {
  const { lists, write, letGo } = recordingWrite();
  const add = combinedWrite(write);
  const written = Promise.all(numbers(1 + 16 + 8 + 2).map(add));
  for (let round = 0; round < 4; round += 1) await letGo();
  await written;
  expect(lists.map(({ length }) => length)).toEqual([1, 16, 8, 2]);
});

test.each([
  ["upsets the others", new Error("three")],
  ["meets others in its way", new ContentionError(new Error("deadlock"))],
])("one that %s is refused alone, and they are written", async (_what, upset) => {
  const { lists, write, letGo } = recordingWrite((items) => (items.includes(3) ? upset : null));
  const add = combinedWrite(write);
  const outcomes = Promise.allSettled(numbers(5).map(add));
  for (let round = 0; round < 3; round += 1) await letGo();
  expect(await outcomes).toEqual(
    numbers(5).map((item) =>
      item === 3 ? { status: "rejected", reason: upset } : { status: "fulfilled", value: undefined },
    ),
  );
  expect(lists).toEqual([[0], [1, 2, 3, 4], [1], [2], [3], [4]]);
});

test("nothing is written again when nobody knows whether it was", async () => {
  const unknown = new CommitOutcomeUnknownError(new Error("cut"));
  const { lists, write, letGo } = recordingWrite((items) => (items.length > 1 ? unknown : null));
  const add = combinedWrite(write);
  const outcomes = Promise.allSettled(numbers(3).map(add));
  for (let round = 0; round < 2; round += 1) await letGo();
  expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(lists).toEqual([[0], [1, 2]]);
});

test("a write that stalls does not hold up those that come after it", async () => {
  const { lists, write } = recordingWrite();
  const add = combinedWrite(write);
  void add(1);
  void add(2);
  await expect.poll(() => lists).toEqual([[1], [2]]);
});

test("of each kind there are as many as a power of two, and all go together", async () => {
  const { lists, write, letGo } = recordingWrite();
  const add = combinedWrite(write, { kindOf: (item: number) => item % 2 });
  const written = Promise.all([1, 0, 2, 4, 3, 5, 6, 8, 10].map(add));
  for (let round = 0; round < 3; round += 1) await letGo();
  await written;
  expect(lists.map((list) => list.toSorted((a, b) => a - b))).toEqual([[1], [0, 2, 3, 4, 5, 6], [8, 10]]);
});

test("what is written elsewhere by its turn is sent there at once, and holds up nobody", async () => {
  const { lists, write, letGo } = recordingWrite();
  const elsewhere = new Set<number>();
  const add = combinedWrite(write, { isElsewhere: (item: number) => elsewhere.has(item) });
  const outcomes = Promise.allSettled([1, 10, 2, 11].map(add));
  elsewhere.add(10).add(11);
  for (let round = 0; round < 2; round += 1) await letGo();
  expect(lists).toEqual([[1], [2]]);
  expect((await outcomes).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "rejected",
  ]);
});

test("of those that met a row in use only those that want it are refused, and the others go together again", async () => {
  const { lists, write, letGo } = recordingWrite((items) =>
    items.includes(3) ? new RowsInUseError(null, ["3", "99"]) : null,
  );
  const add = combinedWrite(write, { contestedOf: String });
  const outcomes = Promise.allSettled(numbers(9).map(add));
  for (let round = 0; round < 3; round += 1) await letGo();
  expect((await outcomes).map(({ status }) => status)).toEqual(
    numbers(9).map((number) => (number === 3 ? "rejected" : "fulfilled")),
  );
  expect(lists).toEqual([[0], [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 4, 5], [6, 7], [8]]);
});

test("where it is not known which rows were in use each is written alone", async () => {
  const { lists, write, letGo } = recordingWrite((items) =>
    items.length > 1 || items.includes(2) ? new RowsInUseError(null) : null,
  );
  const add = combinedWrite(write, { contestedOf: String });
  const outcomes = Promise.allSettled(numbers(3).map(add));
  for (let round = 0; round < 3; round += 1) await letGo();
  expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect(lists).toEqual([[0], [1, 2], [1], [2]]);
});
