import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAttempts } from "./attempts.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const WRONG = async () => null;
const RIGHT = async () => true;

async function exhaust(attempts: ReturnType<typeof createAttempts>, address: string): Promise<void> {
  for (let count = 0; count < 10; count += 1) await attempts.make(address, `person ${count}`, WRONG);
}

test("they are free again a quarter of an hour after the first wrong one", async () => {
  const attempts = createAttempts();
  await exhaust(attempts, "10.0.0.1");
  vi.advanceTimersByTime(14 * 60_000);
  await expect(attempts.make("10.0.0.1", "another", RIGHT)).rejects.toMatchObject({ retryAfterSeconds: 60 });
  vi.advanceTimersByTime(60_000);
  expect(await attempts.make("10.0.0.1", "another", RIGHT)).toBe(true);
});

test.each([
  ["10.0.0.1", "10.0.0.2", false],
  ["10.0.0.1", "::ffff:10.0.0.1", true],
  ["2001:db8:1:2:3:4:5:6", "2001:DB8:1:2::9", true],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:3::9", false],
  ["2001:db8::1", "2001:db8:0:0:1::", true],
  ["::1", "::2", true],
])("attempts of %s and %s are counted together: %s", async (one, other, together) => {
  const attempts = createAttempts();
  await exhaust(attempts, one);
  const made = await attempts.make(other, "somebody", RIGHT).catch(({ code }) => code);
  expect(made).toBe(together ? "too_many_attempts" : true);
});
