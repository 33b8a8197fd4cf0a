import { expect, test } from "vitest";
import { createBodyMemory } from "./body-memory.ts";

const MEBIBYTE = 1024 ** 2;

test("the bodies of an account take no more than its share, and what is let go can be taken again", () => {
  const memory = createBodyMemory({ processBytes: 10 * MEBIBYTE, accountBytes: 2 * MEBIBYTE });
  const [first, second] = [memory.lease("a"), memory.lease("a")];
  first.take(MEBIBYTE);
  second.take(MEBIBYTE);
  expect(() => second.take(1)).toThrow("The account has as many");
  memory.lease("b").take(MEBIBYTE);
  first.release();
  first.release();
  second.take(MEBIBYTE);
  second.release();
  expect(memory.takenBytes()).toBe(MEBIBYTE);
});

test("large bodies leave a fifth of the process's memory to small ones", () => {
  const memory = createBodyMemory({ processBytes: 10 * MEBIBYTE, accountBytes: 10 * MEBIBYTE });
  memory.lease("a").take(8 * MEBIBYTE);
  const large = memory.lease("b");
  large.take(200_000);
  expect(() => large.take(200_000)).toThrow("The service has as many");
  for (let bodies = 0; bodies < 10; bodies += 1) memory.lease(`c${bodies}`).take(180_000);
  const small = memory.lease("d");
  expect(() => small.take(200_000)).toThrow(expect.objectContaining({ code: "service_busy" }));
});
