import { expect, test } from "vitest";
import { batchedRead, batchedSingleRead, paddedToPowerOfTwo } from "./batched-read.ts";
import { DatabaseUnavailableError } from "./faults.ts";

/** A read whose every batch waits until it is let go. */
function gated() {
  const batches: { keys: readonly number[]; go: (values: number[]) => void; fail: (error: Error) => void }[] =
    [];
  const read = batchedRead<number, number>(
    (keys) => new Promise((go, fail) => void batches.push({ keys, go, fail })),
  );
  return { batches, read };
}

test("calls made while a read is under way are answered together by one that begins after them", async () => {
  const { batches, read } = gated();
  const calls = [1, 2, 3, 4].map((key) => read(key));
  expect(batches.map(({ keys }) => keys)).toEqual([[1]]);
  batches[0]?.go([10]);
  expect(await calls[0]).toBe(10);
  await expect.poll(() => batches.length).toBe(2);
  expect(batches[1]?.keys).toEqual([2, 3, 4]);
  batches[1]?.go([20, 30, 40]);
  expect(await Promise.all(calls)).toEqual([10, 20, 30, 40]);
});

test("a read that fails fails its own callers only", async () => {
  const { batches, read } = gated();
  const [first, second] = [read(1), read(2)];
  batches[0]?.fail(new Error("gone"));
  await expect(first).rejects.toThrow("gone");
  await expect.poll(() => batches.length).toBe(2);
  batches[1]?.go([20]);
  expect(await second).toBe(20);
});

test("a key that cannot be read fails none of those that are read with it", async () => {
  const { batches, read } = gated();
  const calls = [1, 2, 3].map((key) => read(key));
  batches[0]?.go([10]);
  await expect.poll(() => batches.length).toBe(2);
  batches[1]?.fail(new Error("3 is no key"));
  await expect.poll(() => batches.length).toBe(4);
  expect(batches.slice(2).map(({ keys }) => keys)).toEqual([[2], [3]]);
  batches[2]?.go([20]);
  batches[3]?.fail(new Error("3 is no key"));
  const [, second, third] = await Promise.allSettled(calls);
  expect(second).toEqual({ status: "fulfilled", value: 20 });
  expect(third).toEqual({ status: "rejected", reason: new Error("3 is no key") });
});

test("where the database is away, all who share a read are told at once", async () => {
  const { batches, read } = gated();
  const calls = [1, 2, 3].map((key) => read(key));
  batches[0]?.go([10]);
  await expect.poll(() => batches.length).toBe(2);
  const away = new DatabaseUnavailableError(new Error("gone"));
  batches[1]?.fail(away);
  const [, ...others] = await Promise.allSettled(calls);
  expect(others).toEqual(Array(2).fill({ status: "rejected", reason: away }));
  expect(batches).toHaveLength(2);
});

test("a read that stalls holds up nobody but its own callers", async () => {
  const { batches, read } = gated();
  const [stalled, other] = [read(1), read(2)];
  await expect.poll(() => batches.length).toBe(2);
  batches[1]?.go([20]);
  expect(await other).toBe(20);
  const third = read(3);
  await expect.poll(() => batches.length).toBe(3);
  batches[2]?.go([30]);
  expect(await third).toBe(30);
  batches[0]?.go([10]);
  expect(await stalled).toBe(10);
});

test("what everybody wants is read once for all who wait", async () => {
  let reads = 0;
  const read = batchedSingleRead(async () => {
    reads += 1;
    await new Promise((done) => setTimeout(done, 5));
    return reads;
  });
  const values = await Promise.all(Array.from({ length: 50 }, () => read()));
  expect(reads).toBe(2);
  expect(values).toEqual([1, ...Array(49).fill(2)]);
});

test.each([
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 4],
  [33, 64],
])("%i items are padded to %i", (count, length) => {
  const items = Array.from({ length: count }, (_, index) => index);
  expect(paddedToPowerOfTwo(items)).toHaveLength(length);
  expect(new Set(paddedToPowerOfTwo(items))).toEqual(new Set(items));
});
