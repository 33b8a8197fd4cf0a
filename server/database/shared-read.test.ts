import { expect, test } from "vitest";
import { sharedRead } from "./shared-read.ts";

test("calls made during a read share the next one, and none is answered by a read that began before it", async () => {
  let began = 0;
  const gates: (() => void)[] = [];
  const read = sharedRead(async () => {
    began += 1;
    const mine = began;
    await new Promise<void>((resolve) => gates.push(resolve));
    return mine;
  });
  const first = read();
  const later = [read(), read(), read()];
  expect(began).toBe(1);
  gates[0]?.();
  expect(await first).toBe(1);
  await expect.poll(() => began).toBe(2);
  const last = read();
  gates[1]?.();
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  await expect.poll(() => began).toBe(3);
  gates[2]?.();
  expect(await last).toBe(3);
});

test("a read that fails fails its own callers only", async () => {
  let began = 0;
  const read = sharedRead(async () => {
    began += 1;
    if (began === 1) throw new Error("gone");
    return began;
  });
  const [first, second] = await Promise.allSettled([read(), read()]);
  expect(first).toMatchObject({ status: "rejected" });
  expect(second).toEqual({ status: "fulfilled", value: 2 });
});
