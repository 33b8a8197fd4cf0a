import { expect, test } from "vitest";
import { type Usage, usageByGroup, usageOf } from "./usage-of.ts";

const NONE: Usage = {
  group: null,
  completed: 0,
  clientAborted: 0,
  upstreamFailed: 0,
  rejected: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheWriteTokens: 0,
  cacheReadTokens: 0,
  amount: "0.00",
};
const PERIOD = { from: "2026-11-18T23:00:00.000Z", to: "2026-11-19T23:00:00.000Z" };

test("what models come to over all buckets is exact, and in the order of their ids", () => {
  const buckets = [
    { ...PERIOD, groups: [{ ...NONE, group: "large", completed: 2, amount: "0.41" }] },
    { ...PERIOD, groups: [] },
    {
      ...PERIOD,
      groups: [
        { ...NONE, group: "echo", rejected: 1, inputTokens: 7, amount: "0.00000127" },
        { ...NONE, group: "large", completed: 3, clientAborted: 1, amount: "0.10000001" },
      ],
    },
  ];
  const [echo, large] = usageByGroup(buckets);
  expect(echo).toEqual({ ...NONE, group: "echo", rejected: 1, inputTokens: 7, amount: "0.00000127" });
  expect(large).toEqual({ ...NONE, group: "large", completed: 5, clientAborted: 1, amount: "0.51000001" });
});

test("nothing comes to nothing", () => {
  expect(usageByGroup([])).toEqual([]);
  expect(usageOf(null, [])).toEqual(NONE);
});
