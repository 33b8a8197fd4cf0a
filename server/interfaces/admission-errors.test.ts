import { expect, test } from "vitest";
import { RateLimitedError } from "./admission-errors.ts";

test.each([
  [1, 1],
  [1_000, 1],
  [1_001, 2],
  [59_999, 60],
])(
  "who may come again in %i ms is told to wait for %i s, and never for less than is left",
  (resetMs, seconds) => {
    const status = { limit: 60, remaining: 0, exceeded: true, resetMs };
    expect(new RateLimitedError(status).retryAfterSeconds).toBe(seconds);
  },
);
