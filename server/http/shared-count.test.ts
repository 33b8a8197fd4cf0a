import { expect, onTestFinished, test } from "vitest";
import { createAttempts } from "../people/attempts.ts";
import { hasRedis, startRedis } from "../testing/test-redis.ts";
import { createSharedCount, type SharedCount } from "./shared-count.ts";

const COUNTING = { windowSeconds: 900, keyPrefix: "attempts", away: "away", back: "back" };

function openCount(url: string): { count: SharedCount; logged: string[] } {
  const logged: string[] = [];
  const note = (...said: unknown[]) => void logged.push(String(said.at(-1)));
  const count = createSharedCount(url, COUNTING, { info: note, warn: note, error: note });
  onTestFinished(() => count.close());
  return { count, logged };
}

const WRONG = async () => null;
const RIGHT = async () => true as const;
const UNKNOWN = async () => {
  throw new Error("nobody knows");
};

/** Attempts at one process after the other, each from an address of its own. */
function inTurn(counts: readonly SharedCount[]) {
  const processes = counts.map((count) => createAttempts(count));
  let made = 0;
  return async (attempt: () => Promise<true | null>): Promise<unknown> => {
    made += 1;
    const process = processes[made % processes.length];
    return process?.make(`10.0.0.${made}`, "ada", attempt).catch(({ code, message }) => code ?? message);
  };
}

if (hasRedis()) {
  test("wrong attempts are counted over all processes, and right ones and unknown ones given back", async () => {
    const { url } = await startRedis();
    const counts = [openCount(url).count, openCount(url).count];
    await expect.poll(() => counts.map((count) => count.isShared())).toEqual([true, true]);
    const attempt = inTurn(counts);
    for (let index = 0; index < 9; index += 1) expect(await attempt(WRONG)).toBe(null);
    for (let index = 0; index < 3; index += 1) expect(await attempt(UNKNOWN)).toBe("nobody knows");
    // The right one forgets what was wrong about the person.
    expect(await attempt(RIGHT)).toBe(true);
    for (let index = 0; index < 10; index += 1) expect(await attempt(WRONG)).toBe(null);
    for (let index = 0; index < 2; index += 1) expect(await attempt(RIGHT)).toBe("too_many_attempts");
  });

  test("what an address has done at one process counts at the others", async () => {
    const { url } = await startRedis();
    const counts = [openCount(url).count, openCount(url).count];
    await expect.poll(() => counts.map((count) => count.isShared())).toEqual([true, true]);
    const [one, other] = counts.map((count) => createAttempts(count));
    for (let index = 0; index < 10; index += 1)
      expect(await one?.make("10.0.0.1", `person ${index}`, WRONG)).toBe(null);
    await expect(other?.make("10.0.0.1", "another", RIGHT)).rejects.toMatchObject({
      code: "too_many_attempts",
    });
    expect(await other?.make("10.0.0.2", "another", RIGHT)).toBe(true);
  });
} else {
  console.warn("redis-server is not installed: attempts that processes count together are not tested.");
}

test("while Redis cannot be reached each process counts its own, and says so once", async () => {
  const { count, logged } = openCount("redis://127.0.0.1:1");
  const attempt = inTurn([count]);
  for (let index = 0; index < 10; index += 1) expect(await attempt(WRONG)).toBe(null);
  expect(await attempt(RIGHT)).toBe("too_many_attempts");
  await expect.poll(() => logged).toEqual(["away"]);
});
