import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { identifyProcess, identityIn, isRunning, ownIdentity } from "./process-identity.mjs";

/** A line of /proc/PID/stat: 25 fields, of which the state, the threads and the start matter. */
const statOf = (state: string, threads: number) =>
  `77 (a (b) c) ${state} 1 77 77 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 ${threads} 0 9042 1 2 3`;

test.each([
  ["runs", statOf("S", 9), "77:9042"],
  ["ended and waits to be reaped", statOf("Z", 1), undefined],
  ["was killed, and of whose threads some still write", statOf("Z", 3), "77:9042"],
])("a process that %s", (_what, stat, identity) => {
  expect(identityIn(stat)).toBe(identity);
});

test("a process is running until it has ended", async () => {
  const child = spawn("sleep", ["60"]);
  const identity = identifyProcess(child.pid ?? 0) ?? "";
  expect(isRunning(identity)).toBe(true);
  expect(isRunning(ownIdentity)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isRunning(identity)).toBe(false);
});
